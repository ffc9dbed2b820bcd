// The kinds of nodes as a search of counts: which counts of nodes the components and pairs may have, and what was
// found.
#include "prediction/count_search.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/kinds_optimiser.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

CountGoal goal_of(KindsGoal goal) {
    if (goal == KindsGoal::time) return CountGoal::time;
    return goal == KindsGoal::price ? CountGoal::price : CountGoal::energy;
}

// Counts that need more nodes but save no time are left out.
CountOption option_of(const KindsProblem &problem, const std::vector<const OnKind *> &members) {
    CountOption option;
    option.kind = members.front()->kind;
    option.seconds.resize(members.size());
    std::vector<double> least(members.size(), std::numeric_limits<double>::infinity());
    const NodePower power = problem.power.empty() ? NodePower() : problem.power[option.kind];
    for (const std::int64_t count : members.front()->nodes) {
        if (count > problem.kinds[option.kind].nodes) break;
        std::vector<double> seconds;
        for (const OnKind *member : members)
            if (const std::optional<double> s = member->seconds_on(count)) seconds.push_back(*s);
        if (seconds.size() != members.size()) continue;
        // With more nodes one member of a pair may be faster and the other slower.
        bool is_faster = false;
        for (std::size_t m = 0; m < seconds.size(); ++m) {
            is_faster = is_faster || seconds[m] < least[m];
            least[m] = std::min(least[m], seconds[m]);
        }
        if (!is_faster) continue;
        const auto nodes = static_cast<double>(count);
        option.taken.push_back(nodes);
        option.idle_W.push_back(nodes * power.idle_W);
        option.extra_J.push_back(0);
        for (std::size_t m = 0; m < seconds.size(); ++m) {
            option.seconds[m].push_back(seconds[m]);
            option.extra_J.back() += (power.busy_W - power.idle_W) * nodes * seconds[m];
        }
    }
    return option;
}

CountUnit unit_of(const KindsProblem &problem, std::vector<std::size_t> members) {
    CountUnit unit;
    for (const OnKind &on : problem.components[members.front()]) {
        std::vector<const OnKind *> all = {&on};
        if (members.size() == 2)
            for (const OnKind &other : problem.components[members.back()])
                if (other.kind == on.kind) all.push_back(&other);
        if (all.size() != members.size()) continue;
        CountOption option = option_of(problem, all);
        if (!option.taken.empty()) unit.options.push_back(std::move(option));
    }
    if (unit.options.empty()) throw PredictionError("components that share nodes have no count of nodes in common");
    unit.members = std::move(members);
    return unit;
}

CountProblem counts_of(const KindsProblem &problem, KindsGoal goal) {
    CountProblem counts{.components = problem.components.size(),
                        .units = {},
                        .there = {},
                        .weights = {},
                        .pool = pool_with_shared(problem.pool, problem.components.size(), problem.shared),
                        .length_s = problem.length_s,
                        .path_shares = problem.path_shares,
                        .goal = goal_of(goal),
                        .most_seconds = problem.most_seconds,
                        .raises_low = true};
    for (std::size_t k = 0; k < problem.kinds.size(); ++k) {
        counts.there.push_back(problem.kinds[k].nodes);
        counts.weights.push_back(problem.weight_of(k));
    }
    for (std::size_t c = 0; c < problem.components.size(); ++c) {
        std::vector<std::size_t> members = {c};
        bool is_second = false;
        for (const auto &[first, second] : problem.shared) {
            if (first == c) members.push_back(second);
            is_second = is_second || second == c;
        }
        if (!is_second) counts.units.push_back(unit_of(problem, std::move(members)));
    }
    return counts;
}

KindsAnswer answer_of(const KindsProblem &problem, const CountProblem &counts, const CountSearch &search) {
    KindsAnswer answer;
    answer.kind.resize(counts.components);
    answer.nodes.resize(counts.components);
    for (std::size_t u = 0; u < counts.units.size(); ++u) {
        for (const std::size_t member : counts.units[u].members) {
            answer.kind[member] = search.option(u).kind;
            answer.nodes[member] = std::llround(search.option(u).taken[search.place(u)]);
        }
    }
    answer.seconds = search.seconds();
    enter_costs(problem, search.computing_s(), answer);
    return answer;
}

} // namespace

KindsAnswer searched_kinds(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes) {
    const CountProblem counts = counts_of(problem, goal);
    CountSearch search(counts);
    if (!search.run(most_boxes)) {
        std::vector<std::string> words;
        for (const KindOfNode &kind : problem.kinds)
            words.push_back(counted(kind.nodes, "node") + " of " + kind.name);
        throw PredictionError("the fewest nodes that the components may have do not fit: there are " +
                              joined(words, ", "));
    }
    const BoxesSplit done = search.done();
    std::int64_t evaluated = done.evaluated;
    if (goal == KindsGoal::time) {
        search.save(most_boxes);
        evaluated += search.done().evaluated;
    }
    KindsAnswer answer = answer_of(problem, counts, search);
    answer.evaluated = evaluated;
    enter_gap(answer, done.gap);
    return answer;
}

} // namespace cpl_lb
