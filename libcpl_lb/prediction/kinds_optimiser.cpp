// The costs of a layout on kinds of nodes, and the best layouts by a search of them (kinds_search.cpp).
#include "prediction/kinds_optimiser.hpp"

#include "prediction/branch_and_bound.hpp"

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

double value_of(KindsGoal goal, const KindsAnswer &answer) {
    if (goal == KindsGoal::time) return answer.seconds;
    return goal == KindsGoal::price ? answer.seconds * answer.weight : answer.energy_J;
}

std::vector<double> computing_of(const KindsProblem &problem, const KindsAnswer &answer) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < problem.components.size(); ++c)
        for (const OnKind &on : problem.components[c])
            if (on.kind == answer.kind[c]) seconds.push_back(on.seconds_on(answer.nodes[c]).value_or(0));
    return seconds;
}

} // namespace

ProcessorPool pool_with_shared(const ProcessorPool &pool, std::size_t components, const NodePairs &shared) {
    ProcessorPool all = pool_of_all(pool, components);
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
        answer.weight += nodes * problem.weight_of(k);
        if (problem.power.empty()) continue;
        const NodePower &power = problem.power[k];
        answer.energy_J += answer.seconds * nodes * power.idle_W;
        for (std::size_t c = 0; c < each.size(); ++c)
            answer.energy_J += (power.busy_W - power.idle_W) * each[c] * computing_s[c];
    }
}

KindsAnswer balance_kinds(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    const auto solve = [&](const KindsProblem &one, std::int64_t boxes) { return searched_kinds(one, goal, boxes); };
    if (!problem.long_loop) return solve(problem, most_boxes);
    std::vector<double> slowest;
    for (const std::vector<OnKind> &component : problem.components)
        slowest.push_back(component.front().seconds.front());
    return best_by_paths(
        problem, slowest, most_boxes, solve, [&](const KindsAnswer &answer) { return computing_of(problem, answer); },
        [&](KindsAnswer &answer, const std::vector<double> &seconds) { enter_costs(problem, seconds, answer); },
        [&](const KindsAnswer &answer) { return value_of(goal, answer); });
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
