// Decides which part of the timelines the page holds. It is bounded, however large the run is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

struct TimelineSize {
    std::int64_t processes = 0;
    std::int64_t events = 0;
    bool away = false; // times inside other components: only bins hold them
};

// Rows of one component, ascending.
struct ComponentPlan {
    std::vector<std::int64_t> rows;  // processes that the page shows
    std::vector<std::int64_t> exact; // of these, with all their events
};

struct PagePlan {
    bool all_events = false; // then the browser makes the bins itself
    std::size_t bins = 0;    // of each process; 0 where the browser makes them
    std::vector<ComponentPlan> components;
    [[nodiscard]] std::int64_t rows() const;
};

inline constexpr std::int64_t most_events = 3'000'000; // events x processes that are embedded exactly
inline constexpr std::int64_t most_events_beside_bins = 1'000'000;
inline constexpr std::int64_t most_cells = 4'194'304; // bins x processes
inline constexpr std::int64_t most_rows = 16'384;

// most_read: events x processes that may be read from the timelines.
[[nodiscard]] PagePlan plan_page(std::span<const TimelineSize> components, std::int64_t most_read);

} // namespace cpl_lb
