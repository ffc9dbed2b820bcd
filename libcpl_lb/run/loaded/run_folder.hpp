// Finds the files of a folder that belong to one run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct RunFolder {
    std::string run_id;                     // of the timelines; empty if they do not say
    std::vector<std::string> timelines;     // paths, by name
    std::string json;                       // path of load_balancing_info.json; empty: there is none
    std::vector<std::string> other_run_ids; // of timelines that are left out, the newest first
};

// If the folder holds several runs, the one with the newest timelines; timelines that name no run count only if none
// does. Throws FileError if there is no timeline.
[[nodiscard]] RunFolder look_into(const std::string &directory);

} // namespace cpl_lb
