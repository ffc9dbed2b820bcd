// The exchanges of a component in a stretch of the run, as points of the dependency graph.
#pragma once

#include "data/coupled_run.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace cpl_lb {

inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
// Stands for time in another component, which is no event.
inline constexpr std::uint32_t gave_way = std::numeric_limits<std::uint32_t>::max();

// An event as a point of the graph.
struct Placed {
    std::uint32_t event = 0;
    Nanoseconds arrive = 0, leave = 0;
    Nanoseconds before = 0, after = 0; // the coupler's own work inside a PUT, inside a GET
    Nanoseconds cut_off = 0;           // of the exchange in which the previous part of the loop ends
};

// The graph's point for each event of a component. It holds only the stretch's events, which are few in long runs.
class PointOfEvent {
public:
    explicit PointOfEvent(const std::vector<Placed> &placed); // room for their events, which are all nowhere at first
    void set(std::uint32_t event, std::size_t point) { points_[event - first_] = static_cast<std::uint32_t>(point); }
    [[nodiscard]] std::size_t operator[](std::uint32_t event) const {
        const bool knows = event >= first_ && event - first_ < points_.size() && points_[event - first_] != none;
        return knows ? points_[event - first_] : nowhere;
    }
    [[nodiscard]] std::uint32_t event_of(std::size_t point) const {
        return first_ + static_cast<std::uint32_t>(std::ranges::find(points_, static_cast<std::uint32_t>(point)) -
                                                   points_.begin());
    }

private:
    static constexpr std::uint32_t none = gave_way; // outside the stretch

    std::uint32_t first_;
    std::vector<std::uint32_t> points_; // there are fewer than 2^32, as events of a table
};

// The component's exchanges in the stretch, by arrival. Operations inside an exchange are work, not waiting: a
// mapping inside a PUT comes before the transfer, one inside a GET after it. `end`: when the component stops
// computing, at the stretch's end or in an exchange that reaches beyond it.
[[nodiscard]] std::vector<Placed> points_of(const Component &component, const Interval &stretch, Nanoseconds &end);
// The same for several parts of the run, as if there were no time between them.
[[nodiscard]] std::vector<Placed> points_of(const Component &component, const std::vector<Interval> &parts,
                                            Nanoseconds &end);
// The places of the points of a component's most frequent exchange (of equals, the first).
[[nodiscard]] std::vector<std::size_t> most_frequent(const EventTable &table, const std::vector<Placed> &placed,
                                                     const PointOfEvent &point_of_event);

} // namespace cpl_lb
