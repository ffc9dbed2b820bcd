// One run as a history keeps it: a few figures, no events.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct ComponentRecord {
    std::string name;
    std::int64_t cores = 0;
    // Means over the coupling steps.
    double step_s = unknown, computing_s = unknown, waiting_s = unknown;
    double memory_B = unknown; // largest process
    bool is_io_server = false;
};

struct RunRecord {
    std::string key;                       // the same for the same run, wherever its folder is
    std::string name;                      // cn_run
    std::string submitted, started, ended; // ISO 8601 UTC; empty: not known
    std::string folder;                    // where it was added from
    std::string platform, slow_side;
    std::int64_t cores = 0;
    double wall_s = unknown, simulated_s = unknown;
    double sypd = unknown, asypd = unknown, chsy = unknown, jpsy = unknown;
    double energy_J = unknown;
    double waiting_share = unknown; // of the cores' time in the coupling loops
    std::vector<ComponentRecord> components;
};

// A figure that cannot be (negative joules) is not known.
[[nodiscard]] RunRecord record_of(const CoupledRun &run, const std::string &folder);

} // namespace cpl_lb
