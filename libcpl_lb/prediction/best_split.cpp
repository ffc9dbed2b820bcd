// Searches the split with the optimiser, each component computing in inverse proportion to its cores.
#include "prediction/best_split.hpp"

#include "prediction/optimiser.hpp"
#include "prediction/predictor.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

using UnitOfComponent = std::map<std::size_t, std::size_t>;

// A leaf stands for its whole unit, at the place of the unit's first component.
ProcessorPool with_units(const ProcessorPool &pool, const UnitOfComponent &unit_of,
                         const std::vector<SplitUnit> &units) {
    if (pool.kind == ProcessorPool::Kind::component) {
        const std::size_t unit = unit_of.at(pool.component);
        if (units[unit].of.size() > 1)
            throw PredictionError("members of an ensemble share cores with others, and what each would take with "
                                  "other cores is not known");
        return {pool.kind, unit, {}};
    }
    ProcessorPool result;
    result.kind = pool.kind;
    std::map<std::size_t, std::size_t> found; // by unit: components that are parts here
    for (const ProcessorPool &part : pool.parts) {
        const bool leaf = part.kind == ProcessorPool::Kind::component;
        const std::size_t unit = leaf ? unit_of.at(part.component) : 0;
        const bool beside = leaf && pool.kind == ProcessorPool::Kind::side_by_side && units[unit].of.size() > 1;
        if (!beside) {
            result.parts.push_back(with_units(part, unit_of, units));
            continue;
        }
        if (++found[unit] == 1) result.parts.push_back({ProcessorPool::Kind::component, unit, {}});
    }
    for (const auto &[unit, count] : found) {
        if (count < units[unit].of.size()) {
            throw PredictionError(
                "some members of an ensemble share cores with others, and some do not: what another "
                "split could gain is not known");
        }
    }
    return result;
}

// On large machines not every count is tried, only evenly spread ones and the present one. With hundreds of
// components each gets fewer, because the search reads the tables of all components repeatedly.
constexpr std::int64_t most_counts = 1024, most_counts_of_all = 65'536, fewest_counts = 16;

std::int64_t counts_of_each(std::size_t components) {
    return std::clamp(most_counts_of_all / static_cast<std::int64_t>(components), fewest_counts, most_counts);
}

AllowedCounts counts_of(const std::string &name, std::int64_t present, std::int64_t threads, std::int64_t total,
                        std::int64_t most) {
    AllowedCounts allowed{name, {threads, present}};
    const std::int64_t each = (total / threads + most - 1) / most * threads;
    for (std::int64_t count = each; count <= total; count += each)
        allowed.counts.push_back(count);
    std::ranges::sort(allowed.counts);
    allowed.counts.erase(std::unique(allowed.counts.begin(), allowed.counts.end()), allowed.counts.end());
    return allowed;
}

std::vector<AllowedCounts> allowed_counts(const std::vector<std::string> &names, const std::vector<SplitUnit> &units,
                                          std::int64_t total) {
    std::vector<AllowedCounts> result;
    for (const SplitUnit &unit : units) {
        const std::string &name = names[unit.of.front()];
        const bool alone = unit.of.size() == 1;
        const std::int64_t present =
            alone ? unit.present : std::max(unit.present / unit.step(), std::int64_t{1}) * unit.step();
        result.push_back(unit.keeps ? AllowedCounts{name, {unit.present}}
                                    : counts_of(name, present, unit.step(), total, counts_of_each(units.size())));
    }
    return result;
}

// By component, from the computing times of the units.
std::vector<double> factors_of(const MeasuredGraph &run, const std::vector<SplitUnit> &units,
                               const std::vector<double> &seconds) {
    std::vector<double> result(run.processes.size(), 1.0);
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].keeps || !(units[u].work_s > 0)) continue;
        const double each = units[u].work_s / seconds[u]; // cores
        for (const std::size_t c : units[u].of)
            result[c] = static_cast<double>(run.processes[c]) / each;
    }
    return result;
}

// The graph ends with the component that ends its loop first. Factors by which the components last longer at their
// own pace: a component that sends and goes on counts less than those that still work on what it sent. They multiply
// the end of the graph.
class WholeRun {
public:
    WholeRun(const MeasuredGraph &run, const std::vector<bool> &keeps) : run_(run), graph_(*run.graph) {
        const std::vector<double> ones(graph_.components(), 1.0);
        const double length_s = graph_.length_s(ones);
        const Replay now = run.replay(ones);
        for (const bool k : keeps)
            longer_.push_back(k ? 0 : 1); // a component that exchanges too rarely for a pace ends with the graph
        for (const Pace &pace : run.paces) {
            const double between = now.leave_s[graph_.flat(pace.to)] - now.leave_s[graph_.flat(pace.from)];
            longer_[pace.to.component] = pace.times * between / length_s;
        }
    }

    [[nodiscard]] double length_s(const std::vector<double> &factors) const {
        const Schedule schedule = graph_.schedule(factors);
        const std::size_t c = slowest(schedule);
        return std::max(longer_[c] * schedule.leave_s[end_of(c)], busiest(factors).seconds);
    }
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &factors,
                                                  const std::vector<double> &computing_s) const {
        const Schedule schedule = graph_.schedule(factors);
        const std::size_t of = slowest(schedule);
        const Busiest busiest_one = busiest(factors);
        std::vector<double> shares(factors.size());
        if (busiest_one.seconds > longer_[of] * schedule.leave_s[end_of(of)]) {
            shares[busiest_one.component] = busiest_one.seconds;
        } else {
            shares = graph_.path_to(end_of(of), schedule, factors).seconds;
            for (double &share : shares)
                share *= longer_[of];
        }
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] = shares[c] > 0 ? shares[c] / computing_s[c] : 0;
        return shares;
    }

private:
    struct Busiest {
        std::size_t component = 0;
        double seconds = 0;
    };
    [[nodiscard]] Busiest busiest(const std::vector<double> &factors) const {
        Busiest busiest;
        for (std::size_t c = 0; c < run_.busiest_s.size(); ++c)
            if (const double s = run_.busiest_s[c] * factors[c]; s > busiest.seconds) busiest = {c, s};
        return busiest;
    }
    [[nodiscard]] std::size_t end_of(std::size_t component) const { return graph_.flat({component + 1, 0}) - 1; }
    [[nodiscard]] std::size_t slowest(const Schedule &schedule) const {
        std::size_t slow = 0;
        for (std::size_t c = 1; c < longer_.size(); ++c)
            if (longer_[c] * schedule.leave_s[end_of(c)] > longer_[slow] * schedule.leave_s[end_of(slow)]) slow = c;
        return slow;
    }

    const MeasuredGraph &run_;
    const CouplingGraph &graph_;
    std::vector<double> longer_; // by component; 0: its end does not count
};

// d length / d computing time, by unit, from that of the components.
std::vector<double> shares_of(const MeasuredGraph &run, const WholeRun &whole, const std::vector<SplitUnit> &units,
                              const std::vector<double> &seconds) {
    const std::vector<double> factors = factors_of(run, units, seconds);
    std::vector<double> computing_s = run.graph->computing_s();
    for (std::size_t c = 0; c < computing_s.size(); ++c)
        computing_s[c] *= factors[c];
    const std::vector<double> of_components = whole.path_shares(factors, computing_s);
    std::vector<double> result(units.size());
    for (std::size_t u = 0; u < units.size(); ++u)
        for (const std::size_t c : units[u].of)
            if (seconds[u] > 0) result[u] += of_components[c] * computing_s[c] / seconds[u];
    return result;
}

} // namespace

std::vector<SplitUnit> split_units(const std::vector<ComponentToSplit> &components, const AlikeComponents &alike) {
    std::vector<SplitUnit> units;
    units.reserve(components.size());
    for (std::size_t c = 0; c < components.size(); ++c) {
        const auto group = std::ranges::find_if(
            alike, [&](const std::vector<std::size_t> &one) { return std::ranges::find(one, c) != one.end(); });
        if (group == alike.end()) {
            units.push_back({{c}});
        } else if (*std::min_element(group->begin(), group->end()) == c) {
            units.push_back({*group});
        }
    }
    for (SplitUnit &unit : units) {
        for (const std::size_t c : unit.of) {
            const ComponentToSplit &one = components[c];
            unit.work_s += one.computing_s * static_cast<double>(one.cores) / static_cast<double>(unit.of.size());
            unit.present += one.cores;
            unit.threads = std::max(unit.threads, one.threads);
            unit.keeps = unit.keeps || one.keeps;
        }
    }
    return units;
}

ProcessorPool pool_of_units(const ProcessorPool &pool, const std::vector<SplitUnit> &units) {
    UnitOfComponent unit_of;
    for (std::size_t u = 0; u < units.size(); ++u)
        for (const std::size_t c : units[u].of)
            unit_of.emplace(c, u);
    return with_units(pool, unit_of, units);
}

BestSplit best_split(const MeasuredGraph &run, const WhoSplits &who, std::int64_t boxes, const Budget &budget) {
    check_answerable(run);
    const WholeRun whole(run, who.keeps);
    const std::vector<double> &measured = run.graph->computing_s();
    std::vector<ComponentToSplit> components;
    for (std::size_t c = 0; c < measured.size(); ++c)
        components.push_back({measured[c], run.processes[c], who.threads[c], who.keeps[c]});
    const std::vector<SplitUnit> units = split_units(components, who.alike);
    std::vector<double> present;
    present.reserve(units.size());
    for (const SplitUnit &unit : units)
        present.push_back(static_cast<double>(unit.present));
    BalanceProblem problem;
    problem.pool = pool_of_units(run.pool, units);
    problem.total = static_cast<std::int64_t>(problem.pool.of_all(present));
    problem.long_loop = run.graph->points() > long_loop_points;
    problem.allowed = allowed_counts(run.graph->names(), units, problem.total);
    problem.computing_s = [&](std::size_t u, std::int64_t count) { return units[u].computing_s(count); };
    problem.length_s = [&](const std::vector<double> &seconds) {
        budget.check();
        return whole.length_s(factors_of(run, units, seconds));
    };
    problem.path_shares = [&](const std::vector<double> &seconds) { return shares_of(run, whole, units, seconds); };
    const std::vector<std::int64_t> counts = balance(problem, Objective::time, boxes).counts;
    BestSplit best{1, run.processes};
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].keeps) continue;
        for (const std::size_t c : units[u].of)
            best.cores[c] = counts[u] / static_cast<std::int64_t>(units[u].of.size());
    }
    best.pace = pace(run, factors_of(run, units, computing_of(problem, counts)));
    if (best.pace < 1) return best;
    return {1, run.processes};
}

} // namespace cpl_lb
