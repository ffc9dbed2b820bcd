// Finds what a process was doing at each instant: cuts its events into pieces that do not overlap. Each piece
// belongs to the innermost event around it.
#pragma once

#include "analysis/nesting.hpp"
#include "data/events.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {

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
