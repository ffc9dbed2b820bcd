#include "analysis/share_calculator.hpp"

#include "analysis/event_in_interval.hpp"
#include "analysis/intervals.hpp"
#include "data/large_pages.hpp"

#include <algorithm>
#include <tuple>

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
                                 std::int32_t counterparts, std::int64_t processes)
    : spans_(events.spans), roles_(events.keys), has_window_(window.known()), parts_(parts_of(window, run)),
      fine_ends_(segment_ends(window, run, true)), coarse_ends_(segment_ends(window, run, false)),
      patterns_(events, roles_, fine_ends_, parts_, counterparts, processes), nested_(no_events(roles_.size())),
      away_beside_(fine_ends_), operations_beside_(coarse_ends_) {
    if (roles_.any_operation()) note_places();
}

void ShareCalculator::note_places() {
    place_in_own_.resize(roles_.size());
    for (EventIndex k = 0; k < roles_.size(); ++k) {
        if (!roles_.is_operation(k)) continue;
        std::size_t parts = 0;
        for (std::size_t i = 0; i < part::count; ++i)
            parts |= lies_in(spans_[k], parts_[i]) ? std::size_t{1} << i : 0;
        const auto kind = static_cast<std::size_t>(roles_.role(k)) - static_cast<std::size_t>(Role::mapping);
        place_in_own_[k] = static_cast<std::uint8_t>(parts * operation_kinds + kind);
    }
}

IntervalShare ShareCalculator::own_durations_in(std::size_t part) const {
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

void ShareCalculator::walk_nesting(const Row &row) {
    const auto closed = [this](EventIndex k, Nanoseconds own) {
        OwnDurations &sum = own_[place_in_own_[k]];
        sum.sum += own;
        sum.any = true;
    };
    Nanoseconds exchanging_until = absent; // the latest stop of p's exchanges so far: those started earlier
    stack_.clear();
    operations_.clear();
    if (!roles_.any_other_kind()) return; // nor was there any in the rows before
    std::fill(nested_.begin(), nested_.end(), 0);
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
            if (stop <= exchanging_until) insert(nested_, k);
            if (!roles_.is_operation(k)) continue;
            stack_.open(k, start, stop);
            operations_.push_back({start, stop});
        }
    }
    stack_.finish(closed);
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
        IntervalShare share = own_durations_in(i);
        share.exchanging = pattern.touched >> i & 1U;
        share.waiting = pattern.by_part[i];
        share.waiting_or_operations = counts(i) ? pattern.by_part[i] + beside[i] : 0;
        share.away = counts(i) ? away[i] : 0;
        *shares[i] += share;
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
