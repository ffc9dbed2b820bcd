// Gathers what each process of a component did in its coupling loop, its part of the grid, and its messages to the
// others, to the master.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"
#include "data/grid_part.hpp"
#include "data/traffic.hpp"
#include "mpi/group.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "run/live/process_record.hpp"

#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Figures of one process; NaN: not known.
struct OwnFigures {
    double computing_s = unknown;
    double mpi_inside_s = unknown;
    double memory_B = unknown;
    GridPart part{};
    std::vector<float> regions_s{}; // as all processes chose them; float: 20,480 processes send 2.6 MB
    std::int64_t left_out = 0;      // points of the grid without a process, as this one says; 0: it says nothing
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
[[nodiscard]] ProcessFigures gather_figures(Group &group, const OwnFigures &own,
                                            const std::vector<std::string> &regions = {});

// The messages between the processes of a component, from each recorder's table of partners (docs/definitions.md,
// section 8; traffic_gather.cpp). The data that goes up the tree does not grow with the processes.

// The most processes in a message for which others wait: those with the longest waits.
inline constexpr std::size_t most_late_candidates = 512;

// What this process sent to processes of its component, and its waits for them. outside_s: its time in point-to-point
// calls outside of the loop.
[[nodiscard]] InsideTraffic own_traffic(const Group &group, const ProcessRecord &record, double outside_s);
void unite(InsideTraffic &mine, const InsideTraffic &theirs);
// Throws DamagedMessage if the figures are impossible for so many processes.
[[nodiscard]] InsideTraffic unpack_traffic(const Bytes &bytes, std::size_t processes);
[[nodiscard]] bool fits(const InsideTraffic &traffic, std::size_t processes);

// Collective over the group, all of whose processes recorded MPI. Only the leader's result counts.
[[nodiscard]] InsideTraffic gather_traffic(Group &group, const ProcessRecord &record, double outside_s);

} // namespace cpl_lb
