// Calculates shares process after process with the same buffers, and adds shares up.
#include "analysis/share_calculator.hpp"

#include "support/large_pages.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace cpl_lb {
namespace {

// What a share consists of.
constexpr std::array counts_of_share = {&IntervalShare::exchanging, &IntervalShare::mapping_processes,
                                        &IntervalShare::output_processes, &IntervalShare::restart_processes};
constexpr std::array times_of_share = {&IntervalShare::waiting, &IntervalShare::waiting_or_operations,
                                       &IntervalShare::away,    &IntervalShare::mapping,
                                       &IntervalShare::output,  &IntervalShare::restart};
constexpr ByPart<IntervalShare Share::*> parts_of_share = {&Share::startup, &Share::loop, &Share::shutdown,
                                                           &Share::whole};
constexpr std::array lists_of_share = {&Share::waiting_for_get, &Share::waiting_for_put, &Share::waiting_for_sync,
                                       &Share::step_waiting, &Share::step_away};

template <class Time>
void add_each(std::vector<WideNanoseconds> &sum, std::span<const Time> addend) {
    if (sum.size() < addend.size()) {
        sum.reserve(addend.size());
        prefer_large_pages(sum);
        sum.resize(addend.size());
    }
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

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
    std::ranges::sort(list);
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
    ++sum.processes;
    for (std::size_t i = has_window_ ? part::startup : part::whole; i < part::count; ++i) {
        IntervalShare share;
        share.exchanging = pattern.touched >> i & 1U;
        share.waiting = pattern.by_part[i];
        if ((counting & flag(i)) != 0) share.waiting_or_operations = pattern.by_part[i];
        sum.*parts_of_share[i] += share;
    }
    if (!has_window_) return;
    add_by_counterpart(sum.waiting_for_get, pattern.for_get, counterparts_);
    add_by_counterpart(sum.waiting_for_put, pattern.for_put, counterparts_);
    add_by_counterpart(sum.waiting_for_sync, pattern.for_sync, counterparts_);
    add_each(sum.step_waiting, pattern.by_step.steps());
}

void ShareCalculator::add_own(const Row &row, const WaitingPattern &pattern, Share &sum) {
    own_.lay_beside(row, [&](auto visit) {
        for (const Interval &waiting : pattern.omega)
            visit(waiting);
    });
    own_.add_to(sum, patterns_.counting(pattern));
}

const WaitingPattern &ShareCalculator::pattern_of(const Row &row) {
    walk(row);
    return waiting_of(row, roles_.any_operation() || !row.away.empty());
}

void ShareCalculator::add(const Row &row, Share &sum) {
    const WaitingPattern &pattern = pattern_of(row);
    add_waiting(pattern, sum);
    add_own(row, pattern, sum);
}

void ShareCalculator::add_last(Row row, Share &sum) {
    const WaitingPattern &pattern = pattern_of(row);
    row.start = std::vector<Nanoseconds>(); // = {} would keep the memory
    row.stop = std::vector<Nanoseconds>();
    add_waiting(pattern, sum);
    add_own(row, pattern, sum);
}

void add_row(std::span<EventSpan> spans, const Row &row) {
    const std::size_t events = std::min(spans.size(), row.start.size());
    for (std::size_t k = 0; k < events; ++k) {
        if (row.start[k] != absent) spans[k].add(row.start[k], row.stop[k]);
    }
}

IntervalShare &IntervalShare::operator+=(const IntervalShare &other) {
    for (const auto count : counts_of_share)
        this->*count += other.*count;
    for (const auto time : times_of_share)
        this->*time += other.*time;
    return *this;
}

Share &Share::operator+=(const Share &other) {
    processes += other.processes;
    for (const auto part : parts_of_share)
        this->*part += other.*part;
    for (const auto list : lists_of_share)
        add_each<WideNanoseconds>(this->*list, other.*list);
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
    for (const auto part : parts_of_share) {
        for (const auto count : counts_of_share)
            one.*part.*count *= processes;
        for (const auto time : times_of_share)
            one.*part.*time *= processes;
    }
    for (const auto list : lists_of_share)
        for (WideNanoseconds &time : one.*list)
            time *= processes;
    return one;
}

using Role = EventRoles::Role;

std::vector<OperationsInParts> operations_in_parts(const EventRoles &roles, const EventSpans &spans,
                                                   const ByPart<Interval> &parts) {
    std::vector<OperationsInParts> runs;
    if (!roles.any_operation()) return runs;
    for (EventIndex k = 0; k < roles.size(); ++k) {
        if (!roles.is_operation(k)) continue;
        PartFlags in = 0;
        for (std::size_t i = 0; i < part::count; ++i)
            in |= lies_in(spans[k], parts[i]) ? flag(i) : 0;
        if (runs.empty() || runs.back().parts != in) runs.push_back({0, in});
        ++runs.back().operations;
    }
    return runs;
}

OwnShare::OwnShare(const EventRoles &roles, std::span<const OperationsInParts> operations,
                   std::span<const Nanoseconds> fine_ends, std::span<const Nanoseconds> coarse_ends)
    : roles_(roles), has_window_(coarse_ends.size() > 2), away_beside_(fine_ends), operations_beside_(coarse_ends) {
    if (!roles.any_operation()) return;
    place_in_own_.resize(roles.size());
    if (operations.empty()) return;
    std::uint64_t left = operations.front().operations;
    for (EventIndex k = 0; k < roles.size(); ++k) {
        if (!roles.is_operation(k)) continue;
        while (left == 0) {
            operations = operations.subspan(1);
            if (operations.empty()) return;
            left = operations.front().operations;
        }
        const auto kind = static_cast<std::size_t>(roles.role(k)) - static_cast<std::size_t>(Role::mapping);
        place_in_own_[k] = static_cast<std::uint8_t>((operations.front().parts & all_parts) * operation_kinds + kind);
        --left;
    }
}

void OwnShare::walk(const Row &row, EventSet &nested) {
    own_ = {};
    const auto closed = [this](EventIndex k, Nanoseconds own) {
        OwnDurations &sum = own_[place_in_own_[k]];
        sum.sum += own;
        sum.any = true;
    };
    Nanoseconds exchanging_until = absent; // the latest stop of p's exchanges so far: those started earlier
    stack_.clear();
    operations_.clear();
    if (!roles_.any_other_kind()) return; // and in earlier rows there was none either
    std::ranges::fill(nested, 0);
    order_.set(row);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const EventIndex k = order_[i];
        const Nanoseconds start = row.start[k];
        const Nanoseconds stop = row.stop[k];
        if (start == absent) continue;
        const Role role = roles_.role(k);
        if (!stack_.empty()) stack_.meet(start, stop, closed);
        if (EventRoles::is_exchange(role)) {
            exchanging_until = std::max(exchanging_until, stop);
            continue;
        }
        if (role == Role::none) continue;
        if (stop <= exchanging_until) insert(nested, k);
        if (role == Role::other) continue;
        operations_.push_back({start, stop});
        // Most operations end before the next one begins. (An absent event is earlier than all others.)
        if (stack_.empty() && i + 1 < order_.size() && row.start[order_[i + 1]] >= stop)
            closed(k, stop - start);
        else
            stack_.open(k, start, stop);
    }
    stack_.finish(closed);
}

IntervalShare OwnShare::own_durations_in(std::size_t part) const {
    IntervalShare all;
    for (std::size_t parts = 0; parts < own_.size() / operation_kinds; ++parts) {
        if ((parts >> part & 1U) == 0) continue;
        const OwnDurations *of_parts = &own_[parts * operation_kinds];
        const auto &[mapping, output, restart] = std::tie(of_parts[0], of_parts[1], of_parts[2]);
        all.mapping += mapping.sum;
        all.output += output.sum + restart.sum;
        all.restart += restart.sum;
        all.mapping_processes |= mapping.any ? 1 : 0;
        all.output_processes |= output.any || restart.any ? 1 : 0;
        all.restart_processes |= restart.any ? 1 : 0;
    }
    return all;
}

void OwnShare::add_to(Share &sum, PartFlags counting) const {
    const ByPart<Nanoseconds> beside = operations_beside_.by_part();
    const ByPart<Nanoseconds> away = was_away_ ? away_beside_.by_part() : ByPart<Nanoseconds>{};
    for (std::size_t i = has_window_ ? part::startup : part::whole; i < part::count; ++i) {
        IntervalShare share = own_durations_in(i);
        if ((counting & flag(i)) != 0) {
            share.waiting_or_operations = beside[i];
            share.away = away[i];
        }
        sum.*parts_of_share[i] += share;
    }
    if (!has_window_ || !was_away_) return;
    sum.step_away.resize(std::max(sum.step_away.size(), away_beside_.steps().size()));
    if ((counting & flag(part::loop)) != 0) add_each(sum.step_away, away_beside_.steps());
}

} // namespace cpl_lb
