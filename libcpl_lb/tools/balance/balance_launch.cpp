// The lines that start a coupled model with the counts that balance found.
#include "tools/balance/balance_output.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

struct Part {
    std::string program;
    std::int64_t processes = 0, threads = 1, nodes = 0;
    std::int32_t id = 0;
};

// All components of the run, in its order: by id.
std::vector<Part> parts_of(const BalanceOutput &o) {
    std::vector<Part> parts;
    const auto add = [&](const std::string &name, std::int64_t cores, std::int64_t threads, std::int32_t id) {
        parts.push_back({"./" + safe_name(name), cores / threads, threads,
                         o.node_cores > 1 ? (cores + o.node_cores - 1) / o.node_cores : 0, id});
    };
    for (std::size_t c = 0; c < o.names.size(); ++c)
        add(o.names[c], o.answer.counts[c], o.answer.threads[c], o.ids.empty() ? 0 : o.ids[c]);
    for (const KeptComponent &kept : o.kept)
        add(kept.name, kept.cores, kept.threads, kept.id);
    std::stable_sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.id < b.id; });
    return parts;
}

bool share_processes(const BalanceOutput &o) {
    return !o.shared.empty() || std::any_of(o.kept.begin(), o.kept.end(),
                                            [](const KeptComponent &kept) { return kept.own_cores != kept.cores; });
}

std::string threads_option(const Part &part) {
    return part.threads > 1 ? fmt::format(" -c {}", part.threads) : "";
}

} // namespace

std::string launcher_lines(const BalanceOutput &o) {
    if (share_processes(o) && o.any_threads) {
        std::vector<std::string> each;
        for (const Part &part : parts_of(o))
            each.push_back(fmt::format("{} {} x {}", part.program, part.processes, part.threads));
        return "To start it: the components of an executable run in turn on its cores; processes x threads: " +
               joined(each, ", ") + ".\n";
    }
    if (share_processes(o))
        return "To start it: give each executable as many processes as its largest component has cores; its "
               "components run in turn on these cores.\n";
    std::vector<std::string> mpirun, groups, steps, programs;
    bool packed = true; // mpirun fills node after node
    const std::vector<Part> parts = parts_of(o);
    std::int64_t first = 0, same_threads = parts.front().threads;
    for (const Part &part : parts) {
        mpirun.push_back(fmt::format("-np {} {}", part.processes, part.program));
        const std::string nodes = part.nodes > 0 ? fmt::format("-N {} ", part.nodes) : "";
        groups.push_back(fmt::format("{}-n {}{}", nodes, part.processes, threads_option(part)));
        steps.push_back(fmt::format("--het-group={} -n {}{} {}", steps.size(), part.processes, threads_option(part),
                                    part.program));
        programs.push_back(fmt::format("  {}-{} {}", first, first + part.processes - 1, part.program));
        first += part.processes;
        packed = packed && (part.nodes == 0 || part.processes * part.threads == part.nodes * o.node_cores);
        if (part.threads != same_threads) same_threads = 0;
    }
    std::string text;
    if (packed && same_threads == 1) text += "mpirun " + joined(mpirun, " : ") + "\n";
    text += "salloc " + joined(groups, " : ") + "   # Slurm, a heterogeneous job:\n";
    text += "srun " + joined(steps, " : ") + "\n";
    if (packed && same_threads == 1)
        text += fmt::format("srun -n {} --multi-prog programs.conf   # Slurm, one job; programs.conf:\n{}\n", first,
                            joined(programs, "\n"));
    return text;
}

} // namespace cpl_lb
