// What a process was doing at each instant: its events are cut into pieces that do not overlap, and each piece
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
        open_.clear();
        Nanoseconds done = std::numeric_limits<Nanoseconds>::min();
        const auto emit = [&](const Open &event, Nanoseconds until) {
            const Nanoseconds from = std::max(done, event.start);
            if (until > from) each(event.index, from, until);
            done = std::max(done, until);
        };
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const EventIndex k = order_[i];
            const Nanoseconds start = row.start[k];
            if (start == absent) continue;
            while (!open_.empty() && open_.back().stop <= start) {
                emit(open_.back(), open_.back().stop);
                open_.pop_back();
            }
            const Nanoseconds stop = row.stop[k];
            if (!open_.empty()) emit(open_.back(), start);
            if (i + 1 < order_.size() && row.start[order_[i + 1]] >= stop && start >= done) {
                // Most events: over before the next begins. (One that is absent is earlier than all.)
                if (stop > start) each(k, start, done = stop);
                continue;
            }
            open_.push_back({k, start, stop});
        }
        for (; !open_.empty(); open_.pop_back())
            emit(open_.back(), open_.back().stop);
    }

private:
    struct Open {
        EventIndex index;
        Nanoseconds start, stop;
    };
    RowOrder order_;
    std::vector<Open> open_;
};

} // namespace cpl_lb
