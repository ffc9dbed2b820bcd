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
    bool away = false;      // times inside other components: only bins hold them
    bool is_member = false; // of an ensemble: shown as one row if all members together have many
};

// Rows of one component, ascending.
struct ComponentPlan {
    std::vector<std::int64_t> rows;  // processes that the page shows
    std::vector<std::int64_t> exact; // of these, with all their events
    // The number of processes that the page shows as one row until it is opened: process p is in group p / group. 0:
    // the component has few enough to show each process.
    std::int64_t group = 0;
};

struct PagePlan {
    bool all_events = false;    // then the browser makes the bins itself
    std::size_t bins = 0;       // of each process; 0 if the browser makes them
    std::size_t group_bins = 0; // of each group, a multiple of the bins; 0 without groups
    std::size_t inside_bins =
        0; // of each process, for what it does between its events; the other bins are a multiple
    std::vector<ComponentPlan> components;
    [[nodiscard]] std::int64_t rows() const;
};

inline constexpr std::int64_t most_events = 3'000'000; // events x processes that are embedded exactly
inline constexpr std::int64_t most_events_beside_bins = 1'000'000;
inline constexpr std::int64_t most_cells = 4'194'304; // bins x processes
inline constexpr std::int64_t most_rows = 32'768;
inline constexpr std::int64_t most_unfolded = 256;    // rows of a component that is shown process by process
inline constexpr std::int64_t most_groups = 64;       // of all components: rows that are high enough to show shares
inline constexpr std::size_t least_group_bins = 1024; // about the pixels of the picture

// The limits of what may be embedded if not all events are.
struct PageBounds {
    std::int64_t cells = most_cells;
    std::int64_t events = most_events_beside_bins;
};

// most_read: events x processes that may be read from the timelines.
[[nodiscard]] PagePlan plan_page(std::span<const TimelineSize> components, std::int64_t most_read,
                                 const PageBounds &bounds = {});

} // namespace cpl_lb
