// Launchers and batch systems: which processes of which program a job has.
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {

// One mpirun of several programs.
LaunchLines mpirun_lines(const LaunchPlan &plan) {
    if (plan.in_turn()) return {in_turn_lines(plan)};
    if (plan.same_threads() != 1)
        return {"", "processes have several threads, and each MPI has its own option for their cores"};
    if (!fills_nodes(plan))
        return {"",
                "it fills node after node, and components would share one, although each was to have whole nodes"};
    std::vector<std::string> programs;
    for (const LaunchPart &part : plan.parts)
        programs.push_back(fmt::format("-np {} {}", part.processes, program_of(part)));
    return {"mpirun " + joined(programs, " : ") + "\n"};
}

// Slurm: a heterogeneous job with one group for each component, and one srun with a file that says which ranks run
// which program.
namespace {

std::string heterogeneous_job(const LaunchPlan &plan) {
    std::vector<std::string> groups, steps;
    for (const LaunchPart &part : plan.parts) {
        const std::string nodes = plan.node_cores > 1 ? fmt::format("-N {} ", part.nodes(plan.node_cores)) : "";
        const std::string threads = part.threads > 1 ? fmt::format(" -c {}", part.threads) : "";
        groups.push_back(fmt::format("{}-n {}{}", nodes, part.processes, threads));
        steps.push_back(
            fmt::format("--het-group={} -n {}{} {}", steps.size(), part.processes, threads, program_of(part)));
    }
    return "salloc " + joined(groups, " : ") + "   # Slurm, a heterogeneous job:\nsrun " + joined(steps, " : ") +
           "\n";
}

std::string several_programs(const LaunchPlan &plan) {
    const PlacesInRow ranks = ranks_of(plan);
    std::vector<std::string> programs;
    for (std::size_t p = 0; p < plan.parts.size(); ++p)
        programs.push_back(
            fmt::format("  {}-{} {}", ranks.parts[p].first, ranks.parts[p].last(), program_of(plan.parts[p])));
    return fmt::format("srun -n {} --multi-prog programs.conf   # Slurm, one job; programs.conf:\n{}\n", ranks.total,
                       joined(programs, "\n"));
}

} // namespace

LaunchLines srun_lines(const LaunchPlan &plan) {
    if (plan.in_turn()) return {in_turn_lines(plan)};
    std::string text = heterogeneous_job(plan);
    // One srun gives all processes equally many cores, node after node.
    if (fills_nodes(plan) && plan.same_threads() == 1) text += several_programs(plan);
    return {text};
}

// PBS Professional and OpenPBS: chunks of the job in the order of the components. A chunk lies on one host; PBS lists
// the hosts of the processes (PBS_NODEFILE) in the order of the chunks, each `mpiprocs` times; `ompthreads` becomes
// OMP_NUM_THREADS (PBS Professional User's Guide, "Requesting Resources" and pbs_resources(7B)).
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

// IBM Spectrum LSF: as many slots as processes, and each component's requirements for its own hosts. A compound
// resource requirement is NUMBER*{requirement} + NUMBER*{requirement}; its numbers add up to -n. span[ptile=N] is N
// slots on each host; affinity[core(N)] is N cores for each slot, if the site has affinity (bsub -R, "Resource
// requirement strings", "Span string" and "Affinity string" of LSF 10.1).
namespace {

std::string requirement(const LaunchGroup &group, std::int64_t node_cores) {
    std::vector<std::string> sections;
    if (node_cores > 1) {
        const std::int64_t on_node = std::max<std::int64_t>(1, node_cores / group.threads);
        sections.push_back(fmt::format("span[ptile={}]", std::min(on_node, group.processes)));
    }
    if (group.threads > 1) sections.push_back(fmt::format("affinity[core({})]", group.threads));
    return joined(sections, " ");
}

} // namespace

LaunchLines lsf_lines(const LaunchPlan &plan) {
    if (!plan.with_unknown.empty()) return {"", "it is not known on whose cores these run: " + plan.with_unknown};
    const std::vector<LaunchGroup> groups = launch_groups(plan);
    std::int64_t slots = 0;
    bool all_alike = true; // one requirement for all slots
    std::vector<std::string> terms;
    const std::string first = requirement(groups.front(), plan.node_cores);
    for (const LaunchGroup &group : groups) {
        const std::string of_group = requirement(group, plan.node_cores);
        // A term needs a section, so a component without requirements asks for hosts of any type.
        terms.push_back(fmt::format("{}*{{{}}}", group.processes, of_group.empty() ? "select[type==any]" : of_group));
        all_alike = all_alike && of_group.empty();
        slots += group.processes;
    }
    std::string text = fmt::format("#BSUB -n {}\n", slots);
    if (groups.size() == 1 && !first.empty()) text += fmt::format("#BSUB -R \"{}\"\n", first);
    if (groups.size() > 1 && !all_alike) text += fmt::format("#BSUB -R \"{}\"\n", joined(terms, " + "));
    // Exclusive hosts: a component that leaves cores idle still has whole nodes.
    if (plan.node_cores > 1) text += "#BSUB -x\n";
    return {text};
}

} // namespace cpl_lb
