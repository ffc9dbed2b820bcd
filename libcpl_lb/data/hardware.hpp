// What a component runs on beside its cores: GPUs, and nodes of several kinds. Missing is NaN, empty, or -1,
// with its reason.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A GPU of a node, as its driver names it.
struct NodeGpu {
    std::string kind; // "NVIDIA H100 80GB HBM3"; empty: not known
    std::string uuid; // empty: the driver does not tell
};

// The GPUs that the processes of a component use; a GPU that several of them use counts once.
struct ComponentGpus {
    std::int64_t count = -1;               // 0: none; -1: not known
    std::string kind;                      // of all of them; "several kinds"; empty: not known
    std::string from;                      // who says so: "the driver", "SLURM_JOB_GPUS", "nn_gpus"
    std::vector<std::int32_t> shared_with; // ids of other components that use some of the same GPUs, ascending
    double busy_share = unknown;           // of the coupling loop, the mean over its GPUs: when a kernel ran
    double clock_share = unknown;          // of the largest clock, the mean over its GPUs in the loop
    std::string why_missing;               // why count or busy_share are not known, in words
};

} // namespace cpl_lb
