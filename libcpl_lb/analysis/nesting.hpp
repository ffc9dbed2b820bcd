// Finds out which events of a process lie inside others, from its own times (docs/definitions.md, section 1).
//
// j lies inside k if s_k <= s_j and e_j <= e_k. If two events have the same times, the later one of the table lies
// inside the earlier one. Directly inside: inside no other event that itself lies inside k. Events that overlap, and
// do not contain each other (interleaving), do not nest; an event inside two such events belongs directly to the one
// that starts later. The own duration of k is its length less the union of the events directly inside it, so it is
// never negative.
#pragma once

#include "data/events.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpl_lb {

using EventIndex = std::uint32_t;

// The events of a process: by start ascending, stop descending, place in the table. Rows are nearly always in that
// order; then no list is made, and the caller must skip absent events.
class RowOrder {
public:
    void set(const Row &row);
    // Whether element i is event i.
    [[nodiscard]] bool natural() const { return natural_; }
    [[nodiscard]] std::size_t size() const { return natural_ ? events_ : order_.size(); }
    [[nodiscard]] EventIndex operator[](std::size_t i) const {
        return natural_ ? static_cast<EventIndex>(i) : order_[i];
    }

private:
    bool natural_ = true;
    std::size_t events_ = 0;
    std::vector<EventIndex> order_;
};

// Finds direct parents in one pass over a RowOrder. Only events that are opened can be parents.
class NestingStack {
public:
    void clear() { open_.clear(); }
    [[nodiscard]] bool empty() const { return open_.empty(); }

    // Call it for each event in order, before open(). It calls `closed(event, own_duration)` for those that ended.
    template <class Closed>
    void meet(Nanoseconds start, Nanoseconds stop, Closed &&closed) {
        // An event that ends before this one cannot contain it. Nor can it be the innermost event around a later
        // one: a later event inside it is inside this one, too.
        while (!open_.empty() && open_.back().stop < stop)
            close_one(closed);
        if (open_.empty()) return;
        Open &parent = open_.back();
        const Nanoseconds from = start > parent.covered_until ? start : parent.covered_until;
        if (stop > from) {
            parent.inside += stop - from;
            parent.covered_until = stop;
        }
    }
    void open(EventIndex event, Nanoseconds start, Nanoseconds stop) { open_.push_back({event, start, stop, start}); }
    template <class Closed>
    void finish(Closed &&closed) {
        while (!open_.empty())
            close_one(closed);
    }

private:
    struct Open {
        EventIndex event;
        Nanoseconds start, stop;
        Nanoseconds covered_until; // by the events directly inside
        Nanoseconds inside = 0;    // length of their union
    };
    template <class Closed>
    void close_one(Closed &closed) {
        const Open &last = open_.back();
        closed(last.event, last.stop - last.start - last.inside);
        open_.pop_back();
    }
    std::vector<Open> open_;
};

// Finds what a process was doing at each instant: cuts its events into pieces that do not overlap. Each piece belongs
// to the innermost event around it.
class InnermostPieces {
public:
    // Calls each(event, start, stop) in ascending order. The time between the pieces is computing.
    template <class Each>
    void of(const Row &row, Each &&each) {
        order_.set(row);
        const auto natural = [](std::size_t i) { return static_cast<EventIndex>(i); };
        const auto listed = [this](std::size_t i) { return order_[i]; };
        if (order_.natural())
            cut(row, natural, each);
        else
            cut(row, listed, each);
    }

private:
    struct Open {
        EventIndex index;
        Nanoseconds start, stop;
    };
    static constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();
    static constexpr Open none{0, never, never}; // nothing is open: it neither begins nor ends

    template <class Order, class Each>
    void cut(const Row &row, const Order &order, Each &each) {
        const Nanoseconds *const starts = row.start.data();
        const Nanoseconds *const stops = row.stop.data();
        const std::size_t events = order_.size();
        Open last = none; // the innermost
        around_.clear();
        Nanoseconds done = std::numeric_limits<Nanoseconds>::min();
        const auto emit = [&](const Open &event, Nanoseconds until) {
            const Nanoseconds from = std::max(done, event.start);
            if (until > from) each(event.index, from, until);
            done = std::max(done, until);
        };
        const auto close = [&] {
            emit(last, last.stop);
            last = none;
            if (around_.empty()) return;
            last = around_.back();
            around_.pop_back();
        };
        for (std::size_t i = 0; i < events; ++i) {
            const EventIndex k = order(i);
            const Nanoseconds start = starts[k];
            if (start == absent) continue;
            while (last.stop <= start)
                close();
            const Nanoseconds stop = stops[k];
            emit(last, start);
            if (i + 1 < events && starts[order(i + 1)] >= stop && start >= done) {
                // Most events end before the next one begins. (An absent event is earlier than all others.)
                if (stop > start) each(k, start, done = stop);
                continue;
            }
            if (last.stop != never) around_.push_back(last);
            last = {k, start, stop};
        }
        while (last.stop != never)
            close();
    }

    RowOrder order_;
    std::vector<Open> around_; // the open events around `last`, outermost first
};

} // namespace cpl_lb
