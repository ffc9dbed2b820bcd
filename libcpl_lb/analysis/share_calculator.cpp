// Works out the share of one process after the other, and keeps its buffers between them.
#include "analysis/share_calculator.hpp"

namespace cpl_lb {
namespace {

void add_by_counterpart(std::vector<WideNanoseconds> &sum, const std::vector<Nanoseconds> &addend) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

} // namespace

ShareCalculator::ShareCalculator(const EventTable &events, const Window &window, Interval run,
                                 std::int32_t counterparts, std::int64_t processes)
    : roles_(events.keys), has_window_(window.known()), parts_(parts_of(window, run)),
      fine_ends_(segment_ends(window, run, true)), coarse_ends_(segment_ends(window, run, false)),
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
    add_by_counterpart(sum.waiting_for_get, pattern.for_get);
    add_by_counterpart(sum.waiting_for_put, pattern.for_put);
    add_by_counterpart(sum.waiting_for_sync, pattern.for_sync);
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

} // namespace cpl_lb
