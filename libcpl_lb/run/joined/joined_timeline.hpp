// Writes the timeline of a component anew, on the axis of the joined run.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline.hpp"

#include <string>

namespace cpl_lb {

// component: as it shall be in the new file, its own times already shifted; its events in the order of `from`.
// header: the members that are not the component's. Throws FileError.
void write_shifted_timeline(const std::string &from, const std::string &to, const Component &component,
                            TimelineHeader header, Nanoseconds shift, bool compress, const Progress &progress);

// Shifts all times of a component's own figures.
void shift_times(Component &component, Nanoseconds shift);

} // namespace cpl_lb
