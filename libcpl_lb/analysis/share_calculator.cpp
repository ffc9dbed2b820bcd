#include "analysis/share_calculator.hpp"

#include "analysis/event_in_interval.hpp"
#include "analysis/intervals.hpp"
#include "analysis/nearly_sorted.hpp"
#include "data/large_pages.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

using Role = EventRoles::Role;

void add_by_counterpart(std::vector<WideNanoseconds> &sum, const std::vector<Nanoseconds> &addend) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

void add_by_step(std::vector<WideNanoseconds> &sum, std::span<const Nanoseconds> steps) {
    if (sum.size() < steps.size()) {
        sum.reserve(steps.size());
        prefer_large_pages(sum);
        sum.resize(steps.size());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        sum[i] += steps[i];
}

// A list as a source of intervals (intervals.hpp).
auto source_of(std::span<const Interval> list) {
    return [next = list.begin(), end = list.end()](Interval &out) mutable {
        if (next == end) return false;
        out = *next++;
        return true;
    };
}

// Adds to `sums` what the source's intervals, ascending and disjoint, have outside `taken`.
template <class Source>
void add_outside(SegmentSums &sums, Source source, std::span<const Interval> taken) {
    Subtrahend subtrahend(source_of(taken));
    for (Interval next; source(next);)
        subtrahend.take_from(next, [&sums](Interval rest) { sums.add(rest); });
}

} // namespace

ShareCalculator::ShareCalculator(const EventTable &events, const Window &window, Interval run,
                                 std::int32_t counterparts)
    : spans_(events.spans), roles_(events.keys), has_window_(window.known()), parts_(parts_of(window, run)),
      fine_ends_(segment_ends(window, run, true)), coarse_ends_(segment_ends(window, run, false)),
      patterns_(events, roles_, fine_ends_, parts_, counterparts), away_beside_(fine_ends_),
      operations_beside_(coarse_ends_) {}

void ShareCalculator::add_operation(EventIndex k, Nanoseconds own) {
    const Role role = roles_.role(k);
    for (std::size_t i = 0; i < part::count; ++i) {
        if (!lies_in(spans_[k], parts_[i])) continue;
        Operations &sums = own_[i];
        if (role == Role::mapping) {
            sums.mapping += own;
            sums.mapped = true;
            continue;
        }
        sums.output += own;
        sums.put_out = true;
        if (role != Role::restart) continue;
        sums.restart += own;
        sums.restarted = true;
    }
}

void ShareCalculator::walk_nesting(const Row &row) {
    const auto closed = [this](EventIndex k, Nanoseconds own) { add_operation(k, own); };
    Nanoseconds exchanging_until = absent; // the latest stop of p's exchanges so far: those started earlier
    stack_.clear();
    nested_.clear();
    operations_.clear();
    if (!roles_.any_other_kind()) return;
    order_.set(row);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const EventIndex k = order_[i];
        const Nanoseconds start = row.start[k];
        const Nanoseconds stop = row.stop[k];
        if (start == absent) continue;
        stack_.meet(start, stop, closed);
        if (roles_.is_exchange(k)) {
            exchanging_until = std::max(exchanging_until, stop);
        } else if (roles_.role(k) != Role::none) {
            if (stop <= exchanging_until) nested_.push_back(k);
            if (!roles_.is_operation(k)) continue;
            stack_.open(k, start, stop);
            operations_.push_back({start, stop});
        }
    }
    stack_.finish(closed);
    sort_nearly_sorted(nested_, [this](EventIndex a, EventIndex b) { return patterns_.waits_earlier(a, b); });
}

void ShareCalculator::add_beside_waiting(const Row &row, const WaitingPattern &pattern) {
    operations_beside_.reset();
    if (!operations_.empty()) add_outside(operations_beside_, UnionStream(source_of(operations_)), pattern.omega);
    if (row.away.empty()) return;
    away_beside_.reset();
    add_outside(away_beside_, source_of(row.away), pattern.omega);
}

void ShareCalculator::collect(const Row &row, const WaitingPattern &pattern, Share &sum) const {
    // Whether the row counts in the means of a part: as one of C, or where nobody exchanges.
    const auto counts = [&](std::size_t i) {
        return (pattern.touched >> i & 1U) != 0 || (patterns_.touched_by_anyone() >> i & 1U) == 0;
    };
    const bool was_away = !row.away.empty();
    const ByPart<Nanoseconds> away = was_away ? away_beside_.by_part() : ByPart<Nanoseconds>{};
    const ByPart<Nanoseconds> beside = operations_beside_.by_part();
    const ByPart<IntervalShare *> shares = {&sum.startup, &sum.loop, &sum.shutdown, &sum.whole};
    ++sum.processes;
    for (std::size_t i = has_window_ ? part::startup : part::whole; i < part::count; ++i) {
        const Operations &own = own_[i];
        *shares[i] += {.exchanging = pattern.touched >> i & 1U,
                       .waiting = pattern.by_part[i],
                       .waiting_or_operations = counts(i) ? pattern.by_part[i] + beside[i] : 0,
                       .away = counts(i) ? away[i] : 0,
                       .mapping = own.mapping,
                       .output = own.output,
                       .restart = own.restart,
                       .mapping_processes = own.mapped,
                       .output_processes = own.put_out,
                       .restart_processes = own.restarted};
    }
    if (!has_window_) return;
    add_by_counterpart(sum.waiting_for_get, pattern.for_get);
    add_by_counterpart(sum.waiting_for_put, pattern.for_put);
    add_by_step(sum.step_waiting, pattern.by_step.steps());
    if (!was_away) return;
    sum.step_away.resize(pattern.by_step.steps().size());
    if (counts(part::loop)) add_by_step(sum.step_away, away_beside_.steps());
}

void ShareCalculator::add(const Row &row, Share &sum) {
    own_ = {};
    walk_nesting(row);
    const bool with_omega = roles_.any_operation() || !row.away.empty();
    const WaitingPattern &pattern = patterns_.of(row, nested_, with_omega);
    add_beside_waiting(row, pattern);
    collect(row, pattern, sum);
}

} // namespace cpl_lb
