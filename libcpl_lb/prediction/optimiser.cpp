// Counts of cores as a search of counts, on one kind.
#include "prediction/optimiser.hpp"

#include "prediction/count_search.hpp"
#include "prediction/coupling_graph.hpp"
#include "support/counted.hpp"

namespace cpl_lb {
namespace {

CountGoal goal_of(Objective objective) {
    if (objective == Objective::time) return CountGoal::time;
    return objective == Objective::cost ? CountGoal::price : CountGoal::energy;
}

CountOption option_of(const BalanceProblem &problem, std::size_t component) {
    CountOption option{0, {}, std::vector<std::vector<double>>(1), {}, {}};
    const CorePower power = problem.power.empty() ? CorePower() : problem.power[component];
    for (const std::int64_t count : problem.allowed[component].counts) {
        const double seconds = problem.computing_s(component, count);
        option.seconds[0].push_back(seconds);
        option.taken.push_back(static_cast<double>(whole_nodes(problem, count)));
        option.extra_J.push_back((power.busy_W - power.idle_W) * static_cast<double>(count) * seconds);
        option.idle_W.push_back(option.taken.back() * power.idle_W);
    }
    return option;
}

// The fastest place with the same cores, also for components off the critical path.
std::size_t fastest_on_same(const CountOption &option, std::size_t place) {
    std::size_t best = place;
    for (std::size_t p = place + 1; p < option.taken.size() && option.taken[p] == option.taken[place]; ++p)
        if (option.seconds[0][p] < option.seconds[0][best]) best = p;
    return best;
}

BalanceAnswer searched(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    CountProblem counts{.components = problem.allowed.size(),
                        .units = {},
                        .there = {problem.total},
                        .weights = {1},
                        .pool = problem.pool,
                        .length_s = problem.length_s,
                        .path_shares = problem.path_shares,
                        .goal = goal_of(objective)};
    for (std::size_t c = 0; c < counts.components; ++c)
        counts.units.push_back({{c}, {option_of(problem, c)}});
    CountSearch search(std::move(counts));
    if (!search.run(most_boxes)) {
        const std::int64_t least = cores_taken(problem, least_counts(problem));
        throw PredictionError("the smallest counts need " + counted(least, "core") + ", and there " +
                              word_for(problem.total, "is ", "are ") + std::to_string(problem.total));
    }
    BalanceAnswer answer;
    for (std::size_t c = 0; c < problem.allowed.size(); ++c) {
        const std::size_t place = search.place(c);
        const bool as_found = objective == Objective::energy;
        answer.counts.push_back(
            problem.allowed[c].counts[as_found ? place : fastest_on_same(search.option(c), place)]);
    }
    answer.seconds = problem.length_s(computing_of(problem, answer.counts));
    answer.cores = cores_taken(problem, answer.counts);
    answer.evaluated = search.done().evaluated;
    enter_gap(answer, search.done().gap);
    answer.energy_J = energy_J(problem, answer.counts, answer.seconds);
    return answer;
}

double value_of(Objective objective, const BalanceAnswer &answer) {
    if (objective == Objective::time) return answer.seconds;
    if (objective == Objective::cost) return answer.seconds * static_cast<double>(answer.cores);
    return answer.energy_J;
}

} // namespace

BalanceAnswer balance(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    const auto solve = [&](const BalanceProblem &one, std::int64_t boxes) { return searched(one, objective, boxes); };
    if (!problem.long_loop) return solve(problem, most_boxes);
    return best_by_paths(
        problem, computing_of(problem, least_counts(problem)), most_boxes, solve,
        [&](const BalanceAnswer &answer) { return computing_of(problem, answer.counts); },
        [&](BalanceAnswer &answer, const std::vector<double> &computing_s) {
            answer.energy_J = energy_J(problem, answer.counts, computing_s, answer.seconds);
        },
        [&](const BalanceAnswer &answer) { return value_of(objective, answer); });
}

} // namespace cpl_lb
