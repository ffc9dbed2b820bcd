// What the share of the coupling loop in which a component's GPUs are busy says of its computing.
#pragma once

#include "data/coupled_run.hpp"

#include <algorithm>

namespace cpl_lb {

// Samples do not tell when in the loop a GPU was busy, so only bounds are known. Their sum is the computing.
struct GpuSplit {
    double busy_most_s = unknown;  // GPUs are busy for at most so much of the computing
    double idle_least_s = unknown; // and idle for at least so much of it
};

[[nodiscard]] inline GpuSplit gpu_split(const Component &c) {
    const double computing_s = c.balance.computing_s, busy_s = c.gpus.busy_share * c.balance.loop_s;
    if (!is_known(computing_s) || !is_known(busy_s)) return {};
    const double most_s = std::min(computing_s, busy_s);
    return {most_s, computing_s - most_s};
}

} // namespace cpl_lb
