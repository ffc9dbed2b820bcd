// The components of a run from their timelines: the first of the two passes over the rows.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

struct OpenTimeline {
    std::unique_ptr<TimelineReader> reader; // its header lacks the keys, which are in the component's table
    Component component;
    Progress progress; // of reading its rows
};

// Opens all, with the events reduced over the processes. Throws FileError.
[[nodiscard]] std::vector<OpenTimeline> open_timelines(const std::vector<std::string> &paths,
                                                       const ProgressOf &progress_of);

} // namespace cpl_lb
