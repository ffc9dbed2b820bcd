// Calculates shares process after process with the same buffers, and adds shares up.
#include "analysis/share_calculator.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

void add_by_counterpart(std::vector<WideNanoseconds> &sum, const std::vector<Nanoseconds> &addend,
                        const std::vector<std::uint32_t> &counterparts) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (const std::uint32_t i : counterparts)
        sum[i] += addend[i];
}

// A short list: even in a run of hundreds of components the exchanges name only a few.
std::vector<std::uint32_t> counterparts_in(const EventRoles &roles) {
    std::vector<std::uint32_t> list;
    for (EventIndex k = 0; k < roles.size(); ++k)
        if (roles.is_exchange(k) && (list.empty() || list.back() != roles.counterpart(k)))
            list.push_back(roles.counterpart(k));
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

} // namespace

ShareCalculator::ShareCalculator(const EventTable &events, const Window &window, Interval run,
                                 std::int32_t counterparts, std::int64_t processes)
    : roles_(events.keys), counterparts_(counterparts_in(roles_)), has_window_(window.known()),
      parts_(parts_of(window, run)), fine_ends_(segment_ends(window, run, true)),
      coarse_ends_(segment_ends(window, run, false)),
      patterns_(events, roles_, fine_ends_, parts_, counterparts, processes),
      places_of_operations_(operations_in_parts(roles_, events.spans, parts_)),
      own_(roles_, places_of_operations_, fine_ends_, coarse_ends_), nested_(no_events(roles_.size())) {}

const EventSet &ShareCalculator::walk(const Row &row) {
    own_.walk(row, nested_);
    return nested_;
}

const WaitingPattern &ShareCalculator::waiting_of(const Row &row, bool with_omega) {
    return patterns_.of(row, nested_, with_omega);
}

void ShareCalculator::add_waiting(const WaitingPattern &pattern, Share &sum) const {
    const PartFlags counting = patterns_.counting(pattern);
    const ByPart<IntervalShare *> shares = {&sum.startup, &sum.loop, &sum.shutdown, &sum.whole};
    ++sum.processes;
    for (std::size_t i = has_window_ ? part::startup : part::whole; i < part::count; ++i) {
        IntervalShare share;
        share.exchanging = pattern.touched >> i & 1U;
        share.waiting = pattern.by_part[i];
        if ((counting & flag(i)) != 0) share.waiting_or_operations = pattern.by_part[i];
        *shares[i] += share;
    }
    if (!has_window_) return;
    add_by_counterpart(sum.waiting_for_get, pattern.for_get, counterparts_);
    add_by_counterpart(sum.waiting_for_put, pattern.for_put, counterparts_);
    add_by_counterpart(sum.waiting_for_sync, pattern.for_sync, counterparts_);
    add_by_step(sum.step_waiting, pattern.by_step.steps());
}

void ShareCalculator::add_own(const Row &row, const WaitingPattern &pattern, Share &sum) {
    own_.lay_beside(row, [&](auto visit) {
        for (const Interval &waiting : pattern.omega)
            visit(waiting);
    });
    own_.add_to(sum, patterns_.counting(pattern));
}

void ShareCalculator::add(const Row &row, Share &sum) {
    walk(row);
    const WaitingPattern &pattern = waiting_of(row, roles_.any_operation() || !row.away.empty());
    add_waiting(pattern, sum);
    add_own(row, pattern, sum);
}

namespace {

void add_each(std::vector<WideNanoseconds> &sum, const std::vector<WideNanoseconds> &addend) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

} // namespace

void add_row(std::span<EventSpan> spans, const Row &row) {
    const std::size_t events = std::min(spans.size(), row.start.size());
    for (std::size_t k = 0; k < events; ++k) {
        if (row.start[k] != absent) spans[k].add(row.start[k], row.stop[k]);
    }
}

IntervalShare &IntervalShare::operator+=(const IntervalShare &other) {
    exchanging += other.exchanging;
    waiting += other.waiting;
    waiting_or_operations += other.waiting_or_operations;
    away += other.away;
    mapping += other.mapping;
    output += other.output;
    restart += other.restart;
    mapping_processes += other.mapping_processes;
    output_processes += other.output_processes;
    restart_processes += other.restart_processes;
    return *this;
}

Share &Share::operator+=(const Share &other) {
    processes += other.processes;
    loop += other.loop;
    startup += other.startup;
    shutdown += other.shutdown;
    whole += other.whole;
    add_each(waiting_for_get, other.waiting_for_get);
    add_each(waiting_for_put, other.waiting_for_put);
    add_each(waiting_for_sync, other.waiting_for_sync);
    add_each(step_waiting, other.step_waiting);
    add_each(step_away, other.step_away);
    return *this;
}

Share share_of(const EventTable &events, const Row &row, const Window &window, Interval run,
               std::int32_t counterparts) {
    Share share;
    ShareCalculator(events, window, run, counterparts).add(row, share);
    return share;
}

// Works in place: with a million steps a copy is tens of megabytes.
Share repeated(Share one, std::int64_t processes) {
    one.processes *= processes;
    for (IntervalShare *s : {&one.loop, &one.startup, &one.shutdown, &one.whole}) {
        for (std::int64_t *count :
             {&s->exchanging, &s->mapping_processes, &s->output_processes, &s->restart_processes})
            *count *= processes;
        for (WideNanoseconds *time :
             {&s->waiting, &s->waiting_or_operations, &s->away, &s->mapping, &s->output, &s->restart})
            *time *= processes;
    }
    for (auto *times :
         {&one.waiting_for_get, &one.waiting_for_put, &one.waiting_for_sync, &one.step_waiting, &one.step_away}) {
        for (WideNanoseconds &time : *times)
            time *= processes;
    }
    return one;
}

} // namespace cpl_lb
