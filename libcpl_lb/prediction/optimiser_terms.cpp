// The cores and the energy that counts take, and time against cores.
#include "prediction/optimiser.hpp"

#include "prediction/coupling_graph.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

std::int64_t whole_nodes(const BalanceProblem &problem, std::int64_t count) {
    return (count + problem.node_cores - 1) / problem.node_cores * problem.node_cores;
}

AllowedCounts multiples(const std::string &name, std::int64_t least, std::int64_t most, std::int64_t block) {
    AllowedCounts allowed{name, {}};
    for (std::int64_t count = (std::max<std::int64_t>(least, 1) + block - 1) / block * block; count <= most;
         count += block)
        allowed.counts.push_back(count);
    if (allowed.counts.empty())
        throw PredictionError(name + ": no multiple of " + std::to_string(block) + " from " + std::to_string(least) +
                              " to " + std::to_string(most));
    return allowed;
}

std::int64_t cores_taken(const BalanceProblem &problem, const std::vector<std::int64_t> &counts) {
    std::vector<double> each(counts.size());
    std::transform(counts.begin(), counts.end(), each.begin(),
                   [&](std::int64_t n) { return static_cast<double>(whole_nodes(problem, n)); });
    return std::llround((problem.pool.parts.empty() ? cores_of_their_own(counts.size()) : problem.pool).of_all(each));
}

double energy_J(const BalanceProblem &problem, const std::vector<std::int64_t> &counts, double seconds) {
    if (problem.power.empty()) return 0;
    std::vector<double> idle;
    double joules = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const CorePower &power = problem.power[c];
        idle.push_back(power.idle_W * static_cast<double>(whole_nodes(problem, counts[c])));
        joules += (power.busy_W - power.idle_W) * static_cast<double>(counts[c]) * problem.computing_s(c, counts[c]);
    }
    const ProcessorPool pool = problem.pool.parts.empty() ? cores_of_their_own(counts.size()) : problem.pool;
    return joules + seconds * pool.of_all(idle);
}

std::vector<BalanceAnswer> pareto_front(BalanceProblem problem, std::int64_t most_boxes, int points) {
    std::vector<std::int64_t> first;
    for (const AllowedCounts &allowed : problem.allowed)
        first.push_back(allowed.counts.front());
    const std::int64_t least = cores_taken(problem, first);
    const std::int64_t most = problem.total;
    std::vector<BalanceAnswer> front;
    std::int64_t before = 0;
    for (int i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / (points - 1) : 1;
        problem.total = std::llround(static_cast<double>(least) *
                                     std::pow(static_cast<double>(most) / static_cast<double>(least), share));
        if (problem.total == before && i > 0) continue;
        before = problem.total;
        BalanceAnswer answer = balance(problem, Objective::time, most_boxes);
        if (front.empty() || answer.seconds < front.back().seconds) front.push_back(std::move(answer));
    }
    return front;
}

} // namespace cpl_lb
