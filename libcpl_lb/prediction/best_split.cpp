// Sets up the optimiser for one measured run with ideal scaling.
#include "prediction/best_split.hpp"

#include "prediction/optimiser.hpp"
#include "prediction/predictor.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// On large machines not every count is tried: so many evenly spread ones, and the present one. Of hundreds of
// components fewer: the tables of all of them are looked at again and again.
constexpr std::int64_t most_counts = 1024, most_counts_of_all = 65'536, least_counts = 16;

std::int64_t counts_of_each(std::size_t components) {
    return std::clamp(most_counts_of_all / static_cast<std::int64_t>(components), least_counts, most_counts);
}

AllowedCounts counts_of(const std::string &name, std::int64_t present, std::int64_t threads, std::int64_t total,
                        std::int64_t most) {
    AllowedCounts allowed{name, {threads, present}};
    const std::int64_t each = (total / threads + most - 1) / most * threads;
    for (std::int64_t count = each; count <= total; count += each)
        allowed.counts.push_back(count);
    std::sort(allowed.counts.begin(), allowed.counts.end());
    allowed.counts.erase(std::unique(allowed.counts.begin(), allowed.counts.end()), allowed.counts.end());
    return allowed;
}

} // namespace

BestSplit best_split(const MeasuredGraph &run, const std::vector<bool> &keeps,
                     const std::vector<std::int64_t> &threads, std::int64_t boxes, const Budget &budget) {
    check_answerable(run);
    const CouplingGraph &graph = *run.graph;
    const std::vector<double> &measured = graph.computing_s();
    const std::vector<double> present(run.processes.begin(), run.processes.end());
    BalanceProblem problem;
    problem.pool = run.pool;
    problem.total = static_cast<std::int64_t>(run.pool.of_all(present));
    for (std::size_t c = 0; c < measured.size(); ++c) {
        const std::string &name = graph.names()[c];
        problem.allowed.push_back(
            keeps[c] ? AllowedCounts{name, {run.processes[c]}}
                     : counts_of(name, run.processes[c], threads[c], problem.total, counts_of_each(measured.size())));
    }
    problem.computing_s = [&](std::size_t c, std::int64_t count) {
        return measured[c] * present[c] / static_cast<double>(count);
    };
    problem.length_s = [&](const std::vector<double> &seconds) {
        budget.check();
        return graph.length_s(graph.factors_of(seconds));
    };
    problem.path_shares = [&](const std::vector<double> &seconds) { return graph.path_shares(seconds); };
    std::vector<double> seconds;
    BestSplit best;
    best.cores = balance(problem, Objective::time, boxes).counts;
    for (std::size_t c = 0; c < measured.size(); ++c)
        seconds.push_back(problem.computing_s(c, best.cores[c]));
    best.pace = pace(run, graph.factors_of(seconds));
    if (best.pace < 1) return best;
    return {1, run.processes};
}

} // namespace cpl_lb
