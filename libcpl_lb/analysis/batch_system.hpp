// Cores allocated to the job, from the environment of the batch system. Pure: the caller gives the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

using GetVariable = std::function<const char *(const char *)>;

struct AllocatedCores {
    std::int64_t cores = 0; // 0: no batch system, or it does not say
    std::string from;       // the variable that said so
};

// The number of processors that the kernel counts on a node, and how many of them are one core.
struct NodeProcessors {
    std::int64_t processors = 0; // 0: not known
    std::int64_t of_core = 1;
};

// Slurm (SLURM_JOB_CPUS_PER_NODE), LSF (LSB_DJOB_NUMPROC), PBS (PBS_NP, or PBS_NUM_NODES x PBS_NUM_PPN); for a
// heterogeneous job of Slurm the sum over its groups. Slurm's CPUs are hardware threads on nodes where a job can have
// more of them than there are cores: then `of_core` of them are one core. The nodes of a job are taken to be alike.
[[nodiscard]] AllocatedCores allocated_cores(const GetVariable &get, const NodeProcessors &node = {});

// The user's number (nn_cores; 0: none) goes first.
[[nodiscard]] AllocatedCores cores_of_job(std::int64_t asked, const GetVariable &get,
                                          const NodeProcessors &node = {});

// Cores that Slurm gives the job on one node, by SLURM_JOB_CPUS_PER_NODE and the node's place in SLURM_JOB_NODELIST;
// 0: no Slurm, or it does not say.
[[nodiscard]] std::int64_t slurm_cores_on(const std::string &name, const GetVariable &get,
                                          const NodeProcessors &node = {});

// Cores that Torque gives the job on each of these nodes; empty: no Torque, or it does not say. node_file: the text
// of PBS_NODEFILE, in which Torque has a line for each processor, PBS_NP of them; empty: it could not be read. Then
// PBS_NUM_PPN tells of a job with one node: for several it is the number of the first request only.
// PBS Professional tells of no node: its PBS_NODEFILE has a line for each MPI process, and its NCPUS is the number of
// threads of the first one.
[[nodiscard]] std::vector<std::int64_t> torque_cores(const std::vector<std::string> &nodes, const GetVariable &get,
                                                     std::string_view node_file);

// "72(x2),36" -> 180; 0 if the text does not have that form.
[[nodiscard]] std::int64_t slurm_cpus(const std::string &text, const NodeProcessors &node = {});

} // namespace cpl_lb
