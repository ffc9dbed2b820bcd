// Gathers what each process of a component did in its coupling loop, and its part of the grid, to the master.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"
#include "data/grid_part.hpp"
#include "mpi/group.hpp"
#include "run/live/loop_and_waiting.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Figures of one process; NaN: not known.
struct OwnFigures {
    double computing_s = unknown;
    double mpi_inside_s = unknown;
    double memory_B = unknown;
    GridPart part;
    std::vector<float> regions_s{};  // as all processes chose them; float: 20,480 processes send 2.6 MB
    std::vector<GridPiece> pieces{}; // of a part in pieces; at most 512 bytes
    std::int64_t left_out = 0;       // points of the grid without a process, as this one says; 0: it says nothing
};

// The regions of a component, by the names that all its processes agreed on, with the most time first; at most
// most_region_times.
[[nodiscard]] std::vector<std::string> regions_with_most_time(const std::vector<RegionSummary> &regions);

// A process's own times in these; 0 for a region that it did not enter.
[[nodiscard]] std::vector<float> own_times(const std::vector<std::string> &regions,
                                           const std::vector<RegionSummary> &own);

// The part of the loop in which the process was there (running: from its init to its arrival at terminate), less its
// own exchanges and its times inside other components. NaN if there is no loop, or no exchange of the process in it:
// its waiting is then not known.
[[nodiscard]] double own_computing_s(const OwnExchanges &exchanges, Interval running, std::span<const Interval> away);

// Collective over the group; only the leader's result counts. regions: the same on all, as many as own.regions_s.
// Empty if a message failed.
[[nodiscard]] std::optional<ProcessFigures> gather_figures(Group &group, const OwnFigures &own,
                                                           const std::vector<std::string> &regions = {});

} // namespace cpl_lb
