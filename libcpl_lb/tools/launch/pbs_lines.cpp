// PBS Professional and OpenPBS: chunks of the job in the order of the components. A chunk lies on one host; PBS lists
// the hosts of the processes (PBS_NODEFILE) in the order of the chunks, each `mpiprocs` times; `ompthreads` becomes
// OMP_NUM_THREADS (PBS Professional User's Guide, "Requesting Resources" and pbs_resources(7B)).
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::string chunks(std::int64_t count, std::int64_t cores, std::int64_t processes, std::int64_t threads) {
    return fmt::format("{}:ncpus={}:mpiprocs={}:ompthreads={}", count, cores, processes, threads);
}

// Whole nodes: full ones, and one with the processes that are left. Other nodes than whole ones are not known: then
// each process is a chunk, and PBS puts as many on a host as fit.
void add_chunks(std::vector<std::string> &all, const LaunchGroup &group, std::int64_t node_cores) {
    if (node_cores == 1) {
        all.push_back(chunks(group.processes, group.threads, 1, group.threads));
        return;
    }
    const std::int64_t on_node = std::max<std::int64_t>(1, node_cores / group.threads);
    const std::int64_t full = group.processes / on_node, left = group.processes % on_node;
    if (full > 0) all.push_back(chunks(full, node_cores, on_node, group.threads));
    if (left > 0) all.push_back(chunks(1, node_cores, left, group.threads));
}

} // namespace

LaunchLines pbs_lines(const LaunchPlan &plan) {
    if (!plan.with_unknown.empty()) return {"", "it is not known on whose cores these run: " + plan.with_unknown};
    std::vector<std::string> all;
    for (const LaunchGroup &group : launch_groups(plan))
        add_chunks(all, group, plan.node_cores);
    return {"#PBS -l select=" + joined(all, "+") + "\n"};
}

} // namespace cpl_lb
