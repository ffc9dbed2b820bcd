// Cores allocated to the job, from the environment of the batch system. Pure: the caller gives the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace cpl_lb {

using GetVariable = std::function<const char *(const char *)>;

struct AllocatedCores {
    std::int64_t cores = 0; // 0: no batch system, or it does not say
    std::string from;       // the variable that said so
};

// Slurm (SLURM_JOB_CPUS_PER_NODE), LSF (LSB_DJOB_NUMPROC), PBS (PBS_NP, or PBS_NUM_NODES x PBS_NUM_PPN).
[[nodiscard]] AllocatedCores allocated_cores(const GetVariable &get);

// What the user asked for (nn_cores; 0: nothing) goes first.
[[nodiscard]] AllocatedCores cores_of_job(std::int64_t asked, const GetVariable &get);

// "72(x2),36" -> 180; 0 if the text does not have that form.
[[nodiscard]] std::int64_t slurm_cpus(const std::string &text);

} // namespace cpl_lb
