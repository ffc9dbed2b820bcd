// Which files of a folder belong to one run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct RunFolder {
    std::string run_id;                     // of the timelines; empty where they do not say
    std::vector<std::string> timelines;     // paths, by name
    std::string json;                       // path of load_balancing_info.json; empty: there is none
    std::vector<std::string> other_run_ids; // of timelines that are left out, the newest first
};

// Of several runs the one whose timelines are newest, of those that name their run where any does. Throws FileError
// where there is no timeline.
[[nodiscard]] RunFolder look_into(const std::string &directory);

} // namespace cpl_lb
