#include "analysis/share_calculator.hpp"

#include "analysis/event_in_interval.hpp"
#include "analysis/intervals.hpp"
#include "analysis/nearly_sorted.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

enum : std::size_t { startup, loop, shutdown, whole };

std::array<Interval, 4> intervals_of(const std::vector<Nanoseconds> &ends) {
    const Interval all{ends.front(), ends.back()};
    if (ends.size() < 4) return {Interval{}, Interval{}, Interval{}, all};
    return {Interval{ends[0], ends[1]}, Interval{ends[1], ends[2]}, Interval{ends[2], ends[3]}, all};
}

void add_by_counterpart(std::vector<WideNanoseconds> &sum, const std::vector<Nanoseconds> &addend) {
    if (sum.size() < addend.size()) sum.resize(addend.size());
    for (std::size_t i = 0; i < addend.size(); ++i)
        sum[i] += addend[i];
}

void add_by_step(std::vector<WideNanoseconds> &sum, std::span<const Nanoseconds> segments, bool counts) {
    const std::span<const Nanoseconds> steps = segments.subspan(1, segments.size() - 2);
    if (sum.size() < steps.size()) sum.resize(steps.size());
    for (std::size_t i = 0; counts && i < steps.size(); ++i)
        sum[i] += steps[i];
}

} // namespace

ShareCalculator::Role ShareCalculator::role_of(Kind kind) {
    switch (kind) {
    case Kind::put:
        return Role::put;
    case Kind::get:
        return Role::get;
    case Kind::map:
        return Role::mapping;
    case Kind::out:
    case Kind::read:
        return Role::output;
    case Kind::rst:
    case Kind::trn:
        return Role::restart;
    case Kind::undf:
    case Kind::part:
    case Kind::endf:
        return Role::other;
    case Kind::term:
        break;
    }
    return Role::none;
}

ShareCalculator::ShareCalculator(const EventTable &events, const Window &window, Interval run,
                                 std::int32_t counterparts)
    : spans_(events.spans), codes_(events.keys.size()), fine_ends_(segment_ends(window, run, true)),
      coarse_ends_(segment_ends(window, run, false)), waiting_(fine_ends_), away_(fine_ends_),
      operations_beside_waiting_(coarse_ends_) {
    intervals_ = intervals_of(coarse_ends_);
    loop_ = intervals_[loop];
    auto highest = static_cast<std::uint32_t>(std::max(counterparts, 0));
    bool ascending = true;
    Nanoseconds last_start = absent;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
        const auto k = static_cast<EventIndex>(i);
        codes_[k] = code_of(events.keys[k], spans_[k]);
        only_exchanges_ = only_exchanges_ && is_exchange(k);
        if (!is_exchange(k) || spans_[k].empty()) continue;
        highest = std::max(highest, counterpart(k));
        anyone_exchanges_ |= touched_by(k);
        ascending = ascending && spans_[k].last_start >= last_start;
        last_start = spans_[k].last_start;
    }
    waiting_for_get_.resize(highest + std::size_t{1});
    waiting_for_put_.resize(highest + std::size_t{1});
    if (!ascending) order_exchanges();
}

std::uint32_t ShareCalculator::code_of(const EventKey &key, const EventSpan &span) const {
    Flags touched = 0;
    for (std::size_t i = 0; i < interval_count; ++i) {
        if (cpl_lb::is_exchange(key.kind) && touches(span, intervals_[i])) touched |= 1U << i;
    }
    const auto partner = static_cast<std::uint32_t>(std::max(key.counterpart, 0));
    return partner << 8U | touched << 4U | static_cast<std::uint32_t>(role_of(key.kind));
}

void ShareCalculator::order_exchanges() {
    for (std::size_t k = 0; k < codes_.size(); ++k) {
        if (is_exchange(static_cast<EventIndex>(k))) exchange_order_.push_back(static_cast<EventIndex>(k));
    }
    sort_nearly_sorted(exchange_order_, [this](EventIndex a, EventIndex b) { return waits_earlier(a, b); });
}

void ShareCalculator::add_operation(EventIndex k, Nanoseconds own) {
    for (std::size_t i = 0; i < interval_count; ++i) {
        if (!lies_in(spans_[k], intervals_[i])) continue;
        Operations &sums = operations_[i];
        if (role(k) == Role::mapping) {
            sums.mapping += own;
            sums.mapped = true;
            continue;
        }
        sums.output += own;
        sums.put_out = true;
        if (role(k) != Role::restart) continue;
        sums.restart += own;
        sums.restarted = true;
    }
}

void ShareCalculator::walk_nesting(const Row &row) {
    const auto closed = [this](EventIndex k, Nanoseconds own) { add_operation(k, own); };
    Nanoseconds exchanging_until = absent; // the latest stop of p's exchanges so far: those started earlier
    stack_.clear();
    nested_.clear();
    has_operations_ = false;
    if (only_exchanges_) return;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const EventIndex k = order_[i];
        const Nanoseconds start = row.start[k];
        const Nanoseconds stop = row.stop[k];
        if (start == absent) continue;
        stack_.meet(start, stop, closed);
        if (is_exchange(k)) {
            exchanging_until = std::max(exchanging_until, stop);
        } else if (role(k) != Role::none) {
            if (stop <= exchanging_until) nested_.push_back(k);
            if (!is_operation(k)) continue;
            stack_.open(k, start, stop);
            has_operations_ = true;
        }
    }
    stack_.finish(closed);
    sort_nearly_sorted(nested_, [this](EventIndex a, EventIndex b) { return waits_earlier(a, b); });
}

template <class Sink>
void ShareCalculator::for_each_piece(const Row &row, Sink &&sink) {
    Nanoseconds covered_until = absent;
    const std::size_t exchanges = exchange_order_.empty() ? codes_.size() : exchange_order_.size();
    for (std::size_t i = 0; i < exchanges; ++i) {
        const EventIndex k = exchange_order_.empty() ? static_cast<EventIndex>(i) : exchange_order_[i];
        if (!is_exchange(k) || row.start[k] == absent) continue;
        const EventSpan &span = spans_[k];
        touched_ |= touched_by(k);
        const Interval piece{std::max(span.last_start, covered_until), span.last_stop};
        if (piece.length() == 0) continue;
        covered_until = piece.stop;
        sink(k, piece);
    }
}

void ShareCalculator::sweep(const Row &row) {
    const auto nested = [this, i = std::size_t{0}](Interval &out) mutable {
        if (i == nested_.size()) return false;
        const EventSpan &span = spans_[nested_[i++]];
        out = {span.last_start, span.last_stop};
        return true;
    };
    const auto operations = [this, &row, i = std::size_t{0}](Interval &out) mutable {
        while (has_operations_ && i < order_.size()) {
            const EventIndex k = order_[i++];
            if (!is_operation(k) || row.start[k] == absent) continue;
            out = {row.start[k], row.stop[k]};
            return true;
        }
        return false;
    };
    const auto away = [next = row.away.begin(), end = row.away.end()](Interval &out) mutable {
        if (next == end) return false;
        out = *next++;
        return true;
    };
    Subtrahend other_kinds{UnionStream(nested)};
    Remainder operations_beside(UnionStream{operations},
                                [this](Interval rest) { operations_beside_waiting_.add(rest); });
    Remainder away_beside(away, [this](Interval rest) { away_.add(rest); });
    for_each_piece(row, [&](EventIndex k, Interval piece) {
        Nanoseconds &for_it = (role(k) == Role::get ? waiting_for_get_ : waiting_for_put_)[counterpart(k)];
        other_kinds.take_from(piece, [&](Interval omega) {
            waiting_.add(omega);
            for_it += Interval{std::max(omega.start, loop_.start), std::min(omega.stop, loop_.stop)}.length();
            operations_beside.take_out(omega);
            away_beside.take_out(omega);
        });
    });
    operations_beside.finish();
    away_beside.finish();
}

void ShareCalculator::collect(Share &sum) const {
    const auto by_interval = [](const SegmentSums &sums) {
        return std::array<Nanoseconds, interval_count>{sums.startup(), sums.loop(), sums.shutdown(), sums.whole()};
    };
    const auto waiting = by_interval(waiting_);
    const auto away = by_interval(away_);
    const auto beside = by_interval(operations_beside_waiting_);
    const std::array<IntervalShare *, interval_count> shares = {&sum.startup, &sum.loop, &sum.shutdown, &sum.whole};
    const bool has_window = coarse_ends_.size() == 4;
    ++sum.processes;
    for (std::size_t i = has_window ? startup : whole; i < interval_count; ++i) {
        const Operations &own = operations_[i];
        *shares[i] += {.exchanging = touched_ >> i & 1U,
                       .waiting = waiting[i],
                       .waiting_or_operations = counts(i) ? waiting[i] + beside[i] : 0,
                       .away = counts(i) ? away[i] : 0,
                       .mapping = own.mapping,
                       .output = own.output,
                       .restart = own.restart,
                       .mapping_processes = own.mapped,
                       .output_processes = own.put_out,
                       .restart_processes = own.restarted};
    }
    if (!has_window) return;
    add_by_counterpart(sum.waiting_for_get, waiting_for_get_);
    add_by_counterpart(sum.waiting_for_put, waiting_for_put_);
    add_by_step(sum.step_waiting, waiting_.sums(), true);
    if (was_away_ || !sum.step_away.empty()) add_by_step(sum.step_away, away_.sums(), counts(loop));
}

void ShareCalculator::add(const Row &row, Share &sum) {
    touched_ = 0;
    was_away_ = !row.away.empty();
    operations_ = {};
    waiting_.reset();
    away_.reset();
    operations_beside_waiting_.reset();
    std::fill(waiting_for_get_.begin(), waiting_for_get_.end(), 0);
    std::fill(waiting_for_put_.begin(), waiting_for_put_.end(), 0);
    order_.set(row);
    walk_nesting(row);
    sweep(row);
    collect(sum);
}

} // namespace cpl_lb
