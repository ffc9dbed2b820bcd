// Gathers, from each recorder's sums to the master, the time that the processes of a component spent in MPI inside it
// (docs/definitions.md, section 8), without a processor, and in its regions in each coupling step.
#pragma once

#include "mpi/group.hpp"
#include "run/live/component_facts.hpp"
#include "run/live/loop_and_waiting.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

#include <vector>

namespace cpl_lb {

// The share of each bin of the run in which this process was in MPI inside its component (data/raster.hpp).
[[nodiscard]] std::vector<signed char> inside_raster(const ProcessRecord &record, const RunClock &clock);

// This process's time in MPI. Its whole run is from its own init to its own arrival at terminate.
[[nodiscard]] ComponentInside own_inside(const ProcessRecord &record, const RunClock &clock, const OwnExchanges &own);

// This process's time in calls point to point inside its component outside of that interval.
[[nodiscard]] double point_to_point_outside_s(const OwnExchanges &own, const ProcessRecord &record,
                                              const RunClock &clock);

// Collective over the group if any of its processes recorded MPI; otherwise nothing is sent. Only the leader's sum
// counts. in_turn: they run several components in turn.
[[nodiscard]] ComponentInside gather_inside(Group &group, const ComponentFacts &facts, bool in_turn,
                                            const OwnExchanges &own, const ProcessRecord &record,
                                            const RunClock &clock);

// Gathers how long the processes of a component were ready and had no processor, in its coupling loop
// (docs/definitions.md, section 2, "A disturbed run"). Collective over the group; only the leader's result counts.
[[nodiscard]] NoProcessor gather_no_processor(Group &group, const ComponentFacts &facts, const OwnExchanges &own,
                                              const ProcessRecord &record, const RunClock &clock);

// The seconds of this process in regions of its component (analysis/region_steps.hpp): by region of the plan, then by
// step. NaN: not known.
[[nodiscard]] std::vector<double> own_region_seconds(const RegionPlan &plan, const ProcessRecord &record,
                                                     const RunClock &clock);

// Collective over the group if the plan has regions; otherwise nothing is sent. plan: from agree_on_loop(). The steps
// are entered into the leader's regions.
void gather_region_steps(Group &group, const RegionPlan &plan, const std::vector<double> &own_seconds,
                         std::vector<RegionSummary> &regions);

} // namespace cpl_lb
