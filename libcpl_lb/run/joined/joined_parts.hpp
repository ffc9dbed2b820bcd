// The results that are to be joined, and whether they are parts of one system. What they have in common, as that of
// one run: components and fields under one list of numbers, and meters.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <cstdint>
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

// Names by number in the joined run, and the numbers of each run's own numbers (by own number - 1).
struct JoinedNames {
    std::vector<std::string> component_names, field_names;
    struct OfRun {
        std::vector<std::int32_t> components, fields;
    };
    std::vector<OfRun> runs;
};

// The same name is the same field, and a counterpart with the name of another run's component is that component. But
// collective operations of different MPI jobs are independent, so their fields stay separate, with the label of their
// run. labels: a name of each run, all different. prefix: components of the same name in several runs get their run's
// label; without it std::runtime_error names them.
[[nodiscard]] JoinedNames join_names(std::span<const CoupledRun *const> runs, std::span<const std::string> labels,
                                     bool prefix);

// Gives the components of a run their numbers and names in the joined run, and ranks from `first_rank`.
void renumber(CoupledRun &run, const JoinedNames &names, const JoinedNames::OfRun &own, std::int32_t first_rank);

// The energy of a node with processes of several runs is not known: each run counted all of it. Series in time have
// another zero in each run, and are left out. Changes the components' places of nodes, and their energy.
[[nodiscard]] RunMeters join_meters(std::span<CoupledRun *const> runs);

} // namespace cpl_lb
