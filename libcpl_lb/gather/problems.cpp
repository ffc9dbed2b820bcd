#include "gather/problems.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cpl_lb {
namespace {

Bytes pack(const std::vector<Problem> &problems) {
    WireWriter out;
    for (const Problem &p : problems) {
        out.put(p.cause);
        out.put(p.count);
        out.put(p.processes);
        out.put(p.lowest_rank);
        out.put(p.code);
    }
    return out.take();
}

std::vector<Problem> unpack_problems(const Bytes &bytes) {
    std::vector<Problem> problems;
    for (WireReader in(bytes); !in.done();) {
        Problem p;
        p.cause = in.get_text();
        p.count = in.get<std::int64_t>();
        p.processes = in.get<std::int32_t>();
        p.lowest_rank = in.get<std::int32_t>();
        p.code = in.get<int>();
        if (in.good()) problems.push_back(std::move(p));
    }
    return problems;
}

void add(std::vector<Problem> &all, const Problem &p) {
    const auto same = [&](const Problem &q) { return q.cause == p.cause; };
    const auto at = std::find_if(all.begin(), all.end(), same);
    if (at == all.end()) {
        all.push_back(p);
        return;
    }
    at->count += p.count;
    at->processes += p.processes;
    at->lowest_rank = std::min(at->lowest_rank, p.lowest_rank);
}

} // namespace

std::string Problem::text(int all_processes, int rank_in_model, std::string_view component) const {
    const std::string where = processes == 1 ? fmt::format("on process {}, {}", rank_in_model, component)
                                             : fmt::format("on {} of {} processes, first {}, {}", processes,
                                                           all_processes, rank_in_model, component);
    if (count > processes) return fmt::format("{} ({} times {})", cause, count, where);
    return fmt::format("{} ({})", cause, where);
}

bool tally_problems(Group &present, std::vector<Problem> &problems) {
    Bytes bytes = pack(problems);
    const auto merge = [](Bytes &a, const Bytes &b) {
        std::vector<Problem> both = unpack_problems(a);
        for (const Problem &p : unpack_problems(b))
            add(both, p);
        a = pack(both);
    };
    if (!present.combine_up(bytes, merge)) return false;
    problems = unpack_problems(bytes);
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem &a, const Problem &b) { return a.lowest_rank < b.lowest_rank; });
    return true;
}

} // namespace cpl_lb
