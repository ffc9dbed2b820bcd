// One component where one program has the events of all its processes, as after a crash or from another tool's trace:
// the union of the events, the load balance, the timeline.
#pragma once

#include "data/coupled_run.hpp"
#include "events/alignment.hpp"
#include "events/catalogue.hpp"
#include "io/timeline/timeline.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// Processes in the order of Component::ranks.
struct EventsOfProcesses {
    const Catalogue *catalogue = nullptr;
    const Alignment *alignment = nullptr; // of processes that recorded different numbers of an event
    bool use_dates = false;
    std::function<LocalEvents(std::size_t)> events; // of one process; asked for twice
};

// component: all but events, balance and times away. header: what is not of the component. path empty: no timeline.
// Two passes over the processes; memory for the component's events and one process.
[[nodiscard]] Component unite_component(Component component, const EventsOfProcesses &from, const std::string &path,
                                        TimelineHeader header, bool compress);

// Processes that recorded different numbers of an event, in words.
[[nodiscard]] std::vector<std::string> alignment_remarks(const std::vector<ClassShifts> &shifts,
                                                         const Catalogue &catalogue);

} // namespace cpl_lb
