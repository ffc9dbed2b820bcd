// Loads a run from its folder: the timelines are analysed anew, and the json adds the figures that they lack.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// The user's hints about timelines that lack these facts.
struct TimelineHints {
    std::vector<std::string> order; // names of the components in the order of their ids; empty: not said
    double simulated_s = unknown;
    std::string members{}; // --members; empty: as the run has it
};

// Reads rows in blocks, twice: memory grows with the events, not with the processes. If the folder has timelines of
// several runs, those of the newest run count, and a remark says so. Throws FileError if the folder has no timeline,
// or an impossible file.
[[nodiscard]] CoupledRun load_run(const std::string &directory, const TimelineHints &hints = {},
                                  const ProgressOf &progress_of = {});

// A run that was made from timers of its model, without timelines (cpl-lb import timers); empty for other folders.
// simulated_s, members: if given, they replace those of the timers and the folder.
[[nodiscard]] std::optional<CoupledRun> run_from_timers(const std::string &directory, double simulated_s = unknown,
                                                        const std::string &members = "");

// Throws FileError if the folder holds such a run.
void refuse_timers(const std::string &directory);

// The figures of a run, from its load_balancing_info.json alone if it exists and no hint is given; else by
// load_run().
[[nodiscard]] CoupledRun load_figures(const std::string &directory, const TimelineHints &hints = {},
                                      const ProgressOf &progress_of = {});

} // namespace cpl_lb
