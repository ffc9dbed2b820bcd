// The results that are to be joined, and whether they are parts of one system.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

struct JoinedSource {
    std::string folder;
    std::string label;                  // the folder's last name, or the whole path if those are not different
    std::vector<std::string> timelines; // paths, as components
    CoupledRun run;
    std::span<Component> components{}; // once they have left `run` for the joined one
};
using JoinedSources = std::vector<JoinedSource>;

// Throws FileError: a folder cannot be read, two hold the same run, one is the folder for the results, jobs differ
// (not with any_job), or a run does not say when it began.
[[nodiscard]] JoinedSources read_sources(const std::vector<std::string> &folders, const std::string &output,
                                         bool any_job, const ProgressOf &progress_of);

[[nodiscard]] inline const std::string &begin_in_words(const RunInfo &info) {
    return info.started.empty() ? info.zero.time : info.started;
}

// From the first init to the last terminate of its components.
[[nodiscard]] Interval extent_of(std::span<const Component> components);

// The times of all components are on one axis. Throws FileError if a run began after all earlier ones had ended.
void refuse_gaps(const JoinedSources &sources);

} // namespace cpl_lb
