// What answers cost, the best one by the search of counts, and fronts of them.
#include "prediction/optimiser.hpp"

#include "prediction/count_search.hpp"
#include "prediction/coupling_graph.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <cmath>
#include <numeric>

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

// Counts that take more but save no time are left out.
CountOption option_of(const KindsProblem &problem, std::size_t component,
                      const std::vector<const OnKind *> &members) {
    CountOption option;
    option.kind = members.front()->kind;
    option.seconds.resize(members.size());
    std::vector<double> least(members.size(), std::numeric_limits<double>::infinity());
    const Power power = problem.power_of(component, option.kind);
    for (const std::int64_t count : members.front()->nodes) {
        const auto taken = static_cast<double>(problem.taken_by(count));
        if (problem.taken_by(count) > problem.kinds[option.kind].nodes) break;
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
        option.counts.push_back(count);
        option.taken.push_back(taken);
        option.idle_W.push_back(taken * power.idle_W);
        option.extra_J.push_back(0);
        for (std::size_t m = 0; m < seconds.size(); ++m) {
            option.seconds[m].push_back(seconds[m]);
            option.extra_J.back() += (power.busy_W - power.idle_W) * static_cast<double>(count) * seconds[m];
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
        CountOption option = option_of(problem, members.front(), all);
        if (!option.taken.empty()) unit.options.push_back(std::move(option));
    }
    if (unit.options.empty()) throw PredictionError("components that share nodes have no count of nodes in common");
    unit.members = std::move(members);
    return unit;
}

CountProblem counts_of(const KindsProblem &problem, Objective objective) {
    CountProblem counts{.components = problem.components.size(),
                        .units = {},
                        .there = {},
                        .weights = {},
                        .pool = pool_with_shared(problem.pool, problem.components.size(), problem.shared),
                        .length_s = problem.length_s,
                        .path_shares = problem.path_shares,
                        .objective = objective,
                        .most_seconds = problem.most_seconds,
                        .raises_low = !problem.as_cores};
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

std::vector<double> computing_of(const KindsProblem &problem, const BalanceAnswer &answer) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < problem.components.size(); ++c)
        seconds.push_back(problem.on_kind(c, answer.kind[c])->seconds_on(answer.counts[c]).value_or(0));
    return seconds;
}

BalanceAnswer answer_of(const KindsProblem &problem, const CountProblem &counts, const CountSearch &search) {
    BalanceAnswer answer;
    answer.kind.resize(counts.components);
    answer.counts.resize(counts.components);
    for (std::size_t u = 0; u < counts.units.size(); ++u) {
        const CountOption &option = search.option(u);
        std::size_t place = search.place(u);
        // The fastest that takes the same whole nodes, also of components off the critical path.
        while (counts.objective != Objective::energy && place + 1 < option.taken.size() &&
               option.taken[place + 1] == option.taken[place])
            ++place;
        for (const std::size_t member : counts.units[u].members) {
            answer.kind[member] = option.kind;
            answer.counts[member] = option.counts[place];
        }
    }
    const std::vector<double> seconds = computing_of(problem, answer);
    answer.seconds = problem.length_s(seconds);
    enter_costs(problem, seconds, answer);
    return answer;
}

void enter_gap(BalanceAnswer &answer, double gap) {
    answer.proven_optimal = gap <= proven_within;
    answer.gap = answer.proven_optimal ? 0 : gap;
}

// Whatever problem.long_loop says.
BalanceAnswer searched(const KindsProblem &problem, Objective objective, std::int64_t most_boxes) {
    const CountProblem counts = counts_of(problem, objective);
    CountSearch search(counts);
    if (!search.run(most_boxes)) {
        std::vector<std::string> words;
        for (const KindOfNode &kind : problem.kinds)
            words.push_back(counted(kind.nodes, "node") + " of " + kind.name);
        throw PredictionError("the fewest nodes that the components may have do not fit: there are " +
                              joined(words, ", "));
    }
    const double gap = search.gap();
    if (objective == Objective::time && !problem.as_cores) search.save(most_boxes);
    BalanceAnswer answer = answer_of(problem, counts, search);
    answer.evaluated = search.evaluated();
    enter_gap(answer, gap);
    return answer;
}

// A lower bound of the length: the longest of the known paths. It is cheap, however long the loop.
class KnownPaths {
public:
    void add(std::vector<double> shares) { paths_.push_back(std::move(shares)); }
    [[nodiscard]] double length_s(const std::vector<double> &seconds) const { return at(longest(seconds), seconds); }
    [[nodiscard]] const std::vector<double> &longest(const std::vector<double> &seconds) const {
        return *std::ranges::max_element(paths_, {}, [&](const auto &shares) { return at(shares, seconds); });
    }

private:
    static double at(const std::vector<double> &shares, const std::vector<double> &seconds) {
        return std::inner_product(shares.begin(), shares.end(), seconds.begin(), 0.0);
    }
    std::vector<std::vector<double>> paths_;
};

// Cutting planes (Kelley 1960): the best counts by the known paths are tried with the whole loop, which gives one
// path more, until a path agrees with the loop. So the loop is replayed some ten times, not for each box.
BalanceAnswer best_by_paths(const KindsProblem &problem, Objective objective, std::int64_t most_boxes) {
    constexpr std::int64_t least_rounds = 16;
    KnownPaths paths;
    KindsProblem by_paths = problem;
    by_paths.length_s = [&](const std::vector<double> &seconds) { return paths.length_s(seconds); };
    by_paths.path_shares = [&](const std::vector<double> &seconds) { return paths.longest(seconds); };
    std::vector<double> seconds;
    for (const std::vector<OnKind> &component : problem.components)
        seconds.push_back(component.front().seconds.front());
    BalanceAnswer best;
    double best_value = std::numeric_limits<double>::infinity(), possible = 0;
    std::int64_t evaluated = 0;
    for (bool go_on = true; go_on;) {
        paths.add(problem.path_shares(seconds));
        BalanceAnswer answer = searched(by_paths, objective, std::max<std::int64_t>(1, most_boxes / least_rounds));
        evaluated += std::max<std::int64_t>(1, answer.evaluated);
        possible = std::max(possible, value_of(answer, objective) * (1 - answer.gap));
        seconds = computing_of(problem, answer);
        const double length = problem.length_s(seconds);
        go_on = length > answer.seconds * (1 + proven_within) && evaluated < most_boxes;
        answer.seconds = length;
        enter_costs(problem, seconds, answer);
        const double value = value_of(answer, objective);
        if (value < best_value) {
            best_value = value;
            best = std::move(answer);
        }
    }
    best.evaluated = evaluated;
    enter_gap(best, std::max(0.0, 1 - possible / best_value));
    return best;
}

// Without the counts.
KindsProblem costs_of(const BalanceProblem &problem) {
    return {.kinds = {{"core", problem.total, 0, 1}},
            .components = {},
            .shared = {},
            .length_s = problem.length_s,
            .path_shares = problem.path_shares,
            .pool = problem.pool,
            .power = problem.power,
            .long_loop = problem.long_loop,
            .node_cores = problem.node_cores,
            .as_cores = true};
}

// Cores of whole nodes that all least counts take together.
std::int64_t least_cores_of(const KindsProblem &problem) {
    BalanceAnswer least;
    for (const std::vector<OnKind> &component : problem.components)
        least.counts.push_back(component.front().nodes.front());
    least.kind.resize(least.counts.size());
    enter_costs(problem, std::vector<double>(least.counts.size()), least);
    return least.cores();
}

std::vector<BalanceAnswer> front_of_cores(KindsProblem problem, std::int64_t most_boxes, int points) {
    const std::int64_t least = least_cores_of(problem), most = problem.kinds.front().nodes;
    std::vector<BalanceAnswer> front;
    std::int64_t before = 0;
    for (int i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / (points - 1) : 1;
        std::int64_t &total = problem.kinds.front().nodes;
        total = std::llround(static_cast<double>(least) *
                             std::pow(static_cast<double>(most) / static_cast<double>(least), share));
        if (total == before && i > 0) continue;
        before = total;
        BalanceAnswer answer = balance(problem, Objective::time, most_boxes);
        if (front.empty() || answer.seconds < front.back().seconds) front.push_back(std::move(answer));
    }
    return front;
}

} // namespace

double value_of(const BalanceAnswer &answer, Objective objective) {
    if (objective == Objective::time) return answer.seconds;
    return objective == Objective::cost ? answer.seconds * answer.weight : answer.energy_J;
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

std::vector<std::int64_t> least_counts(const BalanceProblem &problem) {
    std::vector<std::int64_t> least;
    for (const AllowedCounts &allowed : problem.allowed)
        least.push_back(allowed.counts.front());
    return least;
}

std::vector<double> computing_of(const BalanceProblem &problem, const std::vector<std::int64_t> &counts) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < counts.size(); ++c)
        seconds.push_back(problem.computing_s(c, counts[c]));
    return seconds;
}

std::int64_t cores_taken(const BalanceProblem &problem, const std::vector<std::int64_t> &counts) {
    BalanceAnswer answer;
    answer.counts = counts;
    answer.kind.resize(counts.size());
    enter_costs(costs_of(problem), std::vector<double>(counts.size()), answer);
    return answer.cores();
}

ProcessorPool pool_with_shared(const ProcessorPool &pool, std::size_t components, const NodePairs &shared) {
    ProcessorPool all = pool_of_all(pool, components);
    for (const auto &[first, second] : shared) {
        take_leaf(all, second);
        put_beside(all, first, second);
    }
    return all;
}

void enter_costs(const KindsProblem &problem, const std::vector<double> &computing_s, BalanceAnswer &answer) {
    const ProcessorPool pool = pool_with_shared(problem.pool, computing_s.size(), problem.shared);
    answer.taken.clear();
    answer.weight = answer.energy_J = 0;
    for (std::size_t k = 0; k < problem.kinds.size(); ++k) {
        std::vector<double> each(computing_s.size()), idle_W(computing_s.size());
        for (std::size_t c = 0; c < each.size(); ++c) {
            if (answer.kind[c] != k) continue;
            const Power power = problem.power_of(c, k);
            each[c] = static_cast<double>(problem.taken_by(answer.counts[c]));
            idle_W[c] = power.idle_W * each[c];
            answer.energy_J += (power.busy_W - power.idle_W) * static_cast<double>(answer.counts[c]) * computing_s[c];
        }
        const double taken = pool.of_all(each);
        answer.taken.push_back(std::llround(taken));
        answer.weight += taken * problem.weight_of(k);
        answer.energy_J += answer.seconds * pool.of_all(idle_W);
    }
}

bool is_possible(const KindsProblem &problem, const BalanceAnswer &answer) {
    for (std::size_t c = 0; c < answer.counts.size(); ++c) {
        const OnKind *on = problem.on_kind(c, answer.kind[c]);
        if (on == nullptr || !on->seconds_on(answer.counts[c])) return false;
    }
    for (const auto &[first, second] : problem.shared)
        if (answer.kind[first] != answer.kind[second] || answer.counts[first] != answer.counts[second]) return false;
    for (std::size_t k = 0; k < answer.taken.size(); ++k)
        if (answer.taken[k] > problem.kinds[k].nodes) return false;
    return true;
}

std::int64_t most_possible(const KindsProblem &problem, BalanceAnswer answer, std::size_t component) {
    for (std::size_t c = 0; c < answer.counts.size(); ++c)
        answer.counts[c] = problem.on_kind(c, answer.kind[c])->nodes.front();
    const std::size_t kind = answer.kind[component];
    const std::vector<std::int64_t> &counts = problem.on_kind(component, kind)->nodes;
    const auto fits = [&](std::int64_t count) {
        answer.counts[component] = count;
        enter_costs(problem, std::vector<double>(answer.counts.size()), answer);
        return answer.taken[kind] <= problem.kinds[kind].nodes;
    };
    const auto first_too_many = std::partition_point(counts.begin() + 1, counts.end(), fits);
    return *(first_too_many - 1);
}

BalanceAnswer balance(const KindsProblem &problem, Objective objective, std::int64_t most_boxes) {
    if (problem.as_cores) {
        const std::int64_t least = least_cores_of(problem), total = problem.kinds.front().nodes;
        if (least > total)
            throw PredictionError("the smallest counts need " + counted(least, "core") + ", and there " +
                                  word_for(total, "is ", "are ") + std::to_string(total));
    }
    return problem.long_loop ? best_by_paths(problem, objective, most_boxes)
                             : searched(problem, objective, most_boxes);
}

KindsProblem on_one_kind(const BalanceProblem &problem) {
    KindsProblem one_kind = costs_of(problem);
    for (std::size_t c = 0; c < problem.allowed.size(); ++c) {
        OnKind on{0, problem.allowed[c].counts, {}};
        for (const std::int64_t count : on.nodes)
            on.seconds.push_back(problem.computing_s(c, count));
        one_kind.components.push_back({std::move(on)});
    }
    return one_kind;
}

BalanceAnswer balance(const BalanceProblem &problem, Objective objective, std::int64_t most_boxes) {
    return balance(on_one_kind(problem), objective, most_boxes);
}

std::vector<BalanceAnswer> pareto_front(KindsProblem problem, std::int64_t most_boxes, int points) {
    if (problem.as_cores) return front_of_cores(std::move(problem), most_boxes, points);
    std::vector<BalanceAnswer> front = {balance(problem, Objective::cost, most_boxes)};
    const double slowest = front.front().seconds;
    const double fastest = balance(problem, Objective::time, most_boxes).seconds;
    for (int i = 1; i < points; ++i) {
        const double share = static_cast<double>(i) / (points - 1);
        problem.most_seconds = slowest * std::pow(fastest / slowest, share) * (1 + 1e-12);
        if (problem.most_seconds >= front.back().seconds)
            continue; // the previous answer is also the cheapest within this limit
        BalanceAnswer answer = balance(problem, Objective::cost, most_boxes);
        if (answer.seconds < front.back().seconds) front.push_back(std::move(answer));
    }
    return front;
}

} // namespace cpl_lb
