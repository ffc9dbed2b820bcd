// The lines that start a coupled model with the counts that balance found.
#include "tools/balance_output.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

namespace cpl_lb {
namespace {

struct Part {
    std::string program;
    std::int64_t processes = 0, threads = 1, nodes = 0;
};

std::vector<Part> parts_of(const BalanceOutput &o) {
    std::vector<Part> parts;
    for (std::size_t c = 0; c < o.names.size(); ++c) {
        const std::int64_t cores = o.answer.counts[c];
        parts.push_back({"./" + safe_name(o.names[c]), cores / o.threads[c], o.threads[c],
                         o.node_cores > 1 ? (cores + o.node_cores - 1) / o.node_cores : 0});
    }
    return parts;
}

std::string join(const std::vector<std::string> &words, const std::string &between) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

std::string threads_option(const Part &part) {
    return part.threads > 1 ? fmt::format(" -c {}", part.threads) : "";
}

} // namespace

std::string launcher_lines(const BalanceOutput &o) {
    if (!o.shared.empty())
        return "To start it: as many processes for each executable as the largest of its components, in turn on the "
               "same cores, has cores.\n";
    std::vector<std::string> mpirun, groups, steps, programs;
    bool packed = true; // mpirun fills node after node
    std::int64_t first = 0, same_threads = o.threads.front();
    for (const Part &part : parts_of(o)) {
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
    if (packed && same_threads == 1) text += "mpirun " + join(mpirun, " : ") + "\n";
    text += "salloc " + join(groups, " : ") + "   # Slurm, a heterogeneous job:\n";
    text += "srun " + join(steps, " : ") + "\n";
    if (packed && same_threads == 1)
        text += fmt::format("srun -n {} --multi-prog programs.conf   # Slurm, one job; programs.conf:\n{}\n", first,
                            join(programs, "\n"));
    return text;
}

} // namespace cpl_lb
