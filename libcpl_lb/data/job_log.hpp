// Jobs of an experiment as a batch system or a workflow manager logged them.
#pragma once

#include "data/time.hpp"

#include <cstddef>
#include <string>

namespace cpl_lb {

enum class JobRole { simulation, post, transfer, clean, other };
// Lost: the job ended without a result that counts (failed, out of time, requeued, run again later).
enum class JobEnd { completed, lost, not_yet };

struct LoggedJob {
    std::string id, name; // "4711", "a000_19900101_fc0_1_SIM"
    std::string state;    // the log's own word
    JobRole role = JobRole::simulation;
    JobEnd end = JobEnd::completed;
    std::string chain; // jobs of one chain run one after the other: the member of an ensemble
    double submitted_s = unknown, started_s = unknown, ended_s = unknown; // since 1970, by the log's clock
    double elapsed_s = unknown;
    double cores = unknown;
    double energy_J = unknown;
    double years = 0;     // simulated
    std::size_t line = 0; // of the log
};

} // namespace cpl_lb
