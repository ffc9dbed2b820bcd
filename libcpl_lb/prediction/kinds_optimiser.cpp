// Branch and bound over boxes of node counts. The first boxes are one for each assignment of components to kinds.
#include "prediction/kinds_optimiser.hpp"

#include "prediction/coupling_graph.hpp"
#include "prediction/kinds_search.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

using Way = ProcessorPool::Kind;

// Removes the leaf of a component from the pool. True if it was there.
bool take_leaf(ProcessorPool &pool, std::size_t component) {
    for (auto part = pool.parts.begin(); part != pool.parts.end(); ++part) {
        if (part->kind == Way::component ? part->component != component : !take_leaf(*part, component)) continue;
        if (part->kind == Way::component || part->parts.empty()) pool.parts.erase(part);
        return true;
    }
    return false;
}

void put_beside(ProcessorPool &pool, std::size_t first, std::size_t second) {
    for (ProcessorPool &part : pool.parts) {
        if (part.kind != Way::component) {
            put_beside(part, first, second);
        } else if (part.component == first) {
            part = {Way::one_after_other, 0, {{Way::component, first, {}}, {Way::component, second, {}}}};
            return;
        }
    }
}

KindsAnswer as_answer(const KindsProblem &problem, const KindsSearch &search) {
    KindsAnswer answer = search.best();
    answer.evaluated = search.evaluated();
    answer.gap = search.gap();
    answer.proven_optimal = answer.gap <= KindsSearch::proven_within;
    if (answer.proven_optimal) answer.gap = 0;
    enter_costs(problem, search.best_computing_s(), answer);
    return answer;
}

// The least time, and of all layouts with that time one with the least weight.
KindsAnswer best_of(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    KindsSearch search(problem);
    search.run(goal, most_boxes);
    KindsAnswer answer = as_answer(problem, search);
    if (goal != KindsGoal::time) return answer;
    search.save_nodes(most_boxes);
    KindsAnswer fewer = as_answer(problem, search);
    fewer.proven_optimal = answer.proven_optimal;
    fewer.gap = answer.gap;
    fewer.evaluated += answer.evaluated;
    return fewer;
}

double value_of(KindsGoal goal, const KindsAnswer &answer) {
    if (goal == KindsGoal::time) return answer.seconds;
    return goal == KindsGoal::price ? answer.seconds * answer.weight : answer.energy_J;
}

std::vector<double> computing_of(const KindsProblem &problem, const KindsAnswer &answer) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < problem.components.size(); ++c) {
        for (const OnKind &on : problem.components[c]) {
            if (on.kind != answer.kind[c]) continue;
            const auto at = std::lower_bound(on.nodes.begin(), on.nodes.end(), answer.nodes[c]);
            seconds.push_back(on.seconds[static_cast<std::size_t>(at - on.nodes.begin())]);
        }
    }
    return seconds;
}

// Cutting planes, like balance_by_paths of the optimiser: a long loop is replayed some ten times, not for each box.
KindsAnswer best_by_paths(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    constexpr std::int64_t least_rounds = 16;
    KnownPaths paths;
    KindsProblem by_paths = problem;
    by_paths.length_s = [&](const std::vector<double> &seconds) { return paths.length_s(seconds); };
    by_paths.path_shares = [&](const std::vector<double> &seconds) { return paths.longest(seconds); };
    std::vector<double> slowest;
    for (const std::vector<OnKind> &component : problem.components)
        slowest.push_back(component.front().seconds.front());
    paths.add(problem.path_shares(slowest));
    KindsAnswer best;
    double best_value = std::numeric_limits<double>::infinity(), possible = 0;
    std::int64_t evaluated = 0;
    for (bool go_on = true; go_on;) {
        KindsAnswer answer = best_of(by_paths, goal, std::max<std::int64_t>(1, most_boxes / least_rounds));
        evaluated += std::max<std::int64_t>(1, answer.evaluated);
        possible = std::max(possible, value_of(goal, answer) * (1 - answer.gap));
        const std::vector<double> seconds = computing_of(problem, answer);
        const double length = problem.length_s(seconds);
        go_on = length > answer.seconds * (1 + KindsSearch::proven_within) && evaluated < most_boxes;
        answer.seconds = length;
        enter_costs(problem, seconds, answer);
        if (go_on) paths.add(problem.path_shares(seconds));
        const double value = value_of(goal, answer);
        if (value < best_value) {
            best_value = value;
            best = std::move(answer);
        }
    }
    best.evaluated = evaluated;
    best.gap = std::max(0.0, 1 - possible / best_value);
    best.proven_optimal = best.gap <= KindsSearch::proven_within;
    if (best.proven_optimal) best.gap = 0;
    return best;
}

} // namespace

ProcessorPool pool_with_shared(const ProcessorPool &pool, std::size_t components, const NodePairs &shared) {
    ProcessorPool all = pool.parts.empty() ? cores_of_their_own(components) : pool;
    for (const auto &[first, second] : shared) {
        take_leaf(all, second);
        put_beside(all, first, second);
    }
    return all;
}

void enter_costs(const KindsProblem &problem, const std::vector<double> &computing_s, KindsAnswer &answer) {
    const ProcessorPool pool = pool_with_shared(problem.pool, computing_s.size(), problem.shared);
    answer.taken.clear();
    answer.weight = answer.energy_J = 0;
    for (std::size_t k = 0; k < problem.kinds.size(); ++k) {
        std::vector<double> each(computing_s.size());
        for (std::size_t c = 0; c < each.size(); ++c)
            if (answer.kind[c] == k) each[c] = static_cast<double>(answer.nodes[c]);
        const double nodes = pool.of_all(each);
        answer.taken.push_back(std::llround(nodes));
        answer.weight += nodes * (problem.weights.empty() ? 1 : problem.weights[k]);
        if (problem.power.empty()) continue;
        const NodePower &power = problem.power[k];
        answer.energy_J += answer.seconds * nodes * power.idle_W;
        for (std::size_t c = 0; c < each.size(); ++c)
            answer.energy_J += (power.busy_W - power.idle_W) * each[c] * computing_s[c];
    }
}

KindsAnswer balance_kinds(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    return problem.long_loop ? best_by_paths(problem, goal, most_boxes) : best_of(problem, goal, most_boxes);
}

std::vector<KindsAnswer> front_of_kinds(KindsProblem problem, std::int64_t most_boxes, int points) {
    std::vector<KindsAnswer> front = {balance_kinds(problem, KindsGoal::price, most_boxes)};
    const double slowest = front.front().seconds;
    const double fastest = balance_kinds(problem, KindsGoal::time, most_boxes).seconds;
    for (int i = 1; i < points; ++i) {
        const double share = static_cast<double>(i) / (points - 1);
        problem.most_seconds = slowest * std::pow(fastest / slowest, share) * (1 + 1e-12);
        if (problem.most_seconds >= front.back().seconds)
            continue; // the previous answer is also the cheapest within this limit
        KindsAnswer answer = balance_kinds(problem, KindsGoal::price, most_boxes);
        if (answer.seconds < front.back().seconds) front.push_back(std::move(answer));
    }
    return front;
}

} // namespace cpl_lb
