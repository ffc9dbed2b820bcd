// Step 9 of cpl_lb_terminate, first part: figures and finished timelines of all components go to the root.
#pragma once

#include "mpi/group.hpp"
#include "run/live/steps/gather_components.hpp"

#include <vector>

namespace cpl_lb {

// Filled on the root, for all components.
struct CollectedComponents {
    std::vector<Component> components;
    std::vector<TimelineIs> timelines;
};

// Collective over those present. Takes the components that this process led.
[[nodiscard]] CollectedComponents collect_components(Group &present, const ProcessRecord &record,
                                                     const Agreed &agreed, LedComponents &led);

// The report of a component's master to the root: facts and figures, as wire_members() has them, and the spans of its
// exchanges, from which the root finds which PUT belongs to which GET. If these are too many, none is sent
// (docs/decisions/bounds.md).
[[nodiscard]] bool fits_together(const Component &component);
[[nodiscard]] bool fits_together(const EventTable &table);

// Collective: brings timelines from other nodes to the output folder, and enters what happened to them.
void bring_timelines(const ProcessRecord &record, Agreed &agreed, const std::vector<TimelineHome> &led,
                     std::vector<TimelineIs> &all, ProblemList &problems);

} // namespace cpl_lb
