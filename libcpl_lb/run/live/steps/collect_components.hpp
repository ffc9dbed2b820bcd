// Step 9 of cpl_lb_terminate, first part: figures and finished timelines of all components to the root.
#pragma once

#include "mpi/group.hpp"
#include "run/live/steps/gather_components.hpp"

#include <optional>
#include <vector>

namespace cpl_lb {

// Filled on the root, for all components.
struct CollectedComponents {
    std::vector<Component> components;
    std::vector<TimelineIs> timelines;
};

// Collective over those present. What this process led is taken.
[[nodiscard]] std::optional<CollectedComponents> collect_components(Group &present, const ProcessRecord &record,
                                                                    const Agreed &agreed, LedComponents &led);

// Collective: timelines that lie on other nodes come to the output folder. What came of them is known afterwards.
[[nodiscard]] bool bring_timelines(const ProcessRecord &record, Agreed &agreed, const std::vector<TimelineHome> &led,
                                   std::vector<TimelineIs> &all, ProblemList &problems);

} // namespace cpl_lb
