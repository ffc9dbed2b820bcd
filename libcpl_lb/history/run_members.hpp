// Jobs of a history that are members of one ensemble: separate runs whose names differ in one place
// (docs/history.md, "Jobs of an ensemble").
#pragma once

#include "data/meters.hpp"
#include "history/history_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

struct RunMember {
    std::string name;           // cn_run
    std::int64_t runs = 0;      // of this name: a chain of jobs
    std::int64_t cores = 0;     // of the last one
    double year_h = unknown;    // hours for a simulated year, the mean over its runs
    double wall_s = unknown;    // of a run, the mean
    double startup_s = unknown; // of a run, the mean
};

struct StartedRun {
    std::string name, started;
    StartupRecord startup;
};

struct RunMembers {
    std::string name;          // "ens_*"
    std::vector<RunMember> of; // by name, numbers in their order
    bool by_speed = false;     // all tell their speed: the figures below are of year_h, else of wall_s
    std::size_t slowest = 0, fastest = 0;
    Spread spread;                  // of year_h, or of wall_s
    double waiting_share = unknown; // of the core time, if all wait for the slowest one
    std::vector<StartedRun> runs;   // all runs of these names, in their order
};

// pattern: a name with one '*'. Fewer than two members: `of` has them, and nothing is worked out.
[[nodiscard]] RunMembers run_members(std::span<const RunRecord> runs, const std::string &pattern);

} // namespace cpl_lb
