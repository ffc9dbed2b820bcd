// Adds up equal problems of all processes, and puts them into words.
#include "mpi/problems.hpp"

#include "support/fmt.hpp"
#include "support/system.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

void add(std::vector<Problem> &all, const Problem &p) {
    const auto same = [&](const Problem &q) { return q.cause == p.cause; };
    const auto at = std::find_if(all.begin(), all.end(), same);
    if (at == all.end()) {
        all.push_back(p);
        return;
    }
    at->count += p.count;
    at->processes += p.processes;
    at->seconds += p.seconds;
    if (p.lowest_rank < at->lowest_rank) {
        at->lowest_rank = p.lowest_rank;
        at->host = p.host;
    }
}

} // namespace

std::string Problem::text(int all_processes, const Place &place) const {
    if (processes == 0) return cause;
    std::string where = processes == 1 ? fmt::format("on process {}, {}", place.rank, place.component)
                                       : fmt::format("on {} of {} processes, first {}, {}", processes, all_processes,
                                                     place.rank, place.component);
    if (place.of_many_nodes && !host.empty()) where += ", on " + host;
    if (seconds > 0.0) return fmt::format("{} ({} times, {:.3g} s, {})", cause, count, seconds, where);
    if (count > processes) return fmt::format("{} ({} times {})", cause, count, where);
    return fmt::format("{} ({})", cause, where);
}

void tally_problems(Group &present, std::vector<Problem> &problems) {
    for (Problem &p : problems)
        p.host = host_name();
    unite_up(present, "problems", problems, [](std::vector<Problem> &mine, const std::vector<Problem> &theirs) {
        for (const Problem &p : theirs)
            add(mine, p);
    });
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem &a, const Problem &b) { return a.lowest_rank < b.lowest_rank; });
}

} // namespace cpl_lb
