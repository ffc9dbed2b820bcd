// Predicts with the dependency graph and other computing times, and finds the best split of the same cores.
#include "prediction/predictor.hpp"

#include "analysis/mean_error.hpp"
#include "prediction/optimiser.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

std::vector<double> cycle_lengths(const CouplingCycle &cycle, const Replay &replay, double alpha) {
    std::vector<double> lengths;
    for (std::size_t n = 1; n < cycle.cuts.size(); ++n)
        lengths.push_back(alpha * (replay.leave_s[cycle.cuts[n]] - replay.leave_s[cycle.cuts[n - 1]]));
    return lengths;
}

double root_mean_square(const std::vector<double> &a, const std::vector<double> &b) {
    if (a.empty()) return unknown;
    double sum = 0;
    for (std::size_t n = 0; n < a.size(); ++n)
        sum += (a[n] - b[n]) * (a[n] - b[n]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

} // namespace

double mean(const std::vector<double> &values) {
    if (values.empty()) return unknown;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(const std::vector<double> &values) {
    if (values.size() < 2) return unknown;
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - middle) * (value - middle);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

void check_clocks(const MeasuredGraph &measured) {
    constexpr std::int64_t one_of = 100; // for one of so many, pairs may be out of order
    std::int64_t pairs = 0, wrong = 0;
    for (const MatchedExchange &m : measured.exchanges) {
        pairs += static_cast<std::int64_t>(m.pairs.size());
        wrong += m.exchange.violations;
    }
    if (wrong > 0 && one_of * wrong > pairs)
        throw PredictionError("the clocks are off by more than their bound: " + std::to_string(wrong) + " of " +
                              counted(pairs, "field") + " arrived before they were sent, so nobody knows who waits");
}

void check_answerable(const MeasuredGraph &measured) {
    constexpr double too_little = 0.01; // of the loop
    const double model_s = measured.graph->length_s(std::vector<double>(measured.graph->components(), 1.0));
    if (!(model_s > 0)) throw PredictionError("nobody computes in the coupling loop: nothing to predict");
    if (model_s < too_little * measured.examined_s()) {
        throw PredictionError(
            "the components compute for less than 1 % of the coupling loop: what decides how long it "
            "takes is not known");
    }
    check_clocks(measured);
}

double pace(const MeasuredGraph &measured, const std::vector<double> &factors) {
    const double before = measured.replay(std::vector<double>(factors.size(), 1.0)).slowest_s;
    return before > 0 ? measured.replay(factors).slowest_s / before : unknown;
}

Prediction predict(const MeasuredGraph &measured, const std::vector<double> &factors) {
    const CouplingGraph &graph = *measured.graph;
    const std::vector<double> ones(graph.components(), 1.0);
    Prediction p;
    p.model_s = graph.length_s(ones);
    check_answerable(measured);
    const Schedule schedule = graph.schedule(factors);
    const Replay now = measured.replay(ones), then = measured.replay(factors);
    p.measured_s = measured.measured_s();
    p.alpha = p.measured_s / p.model_s;
    p.factors = factors;
    p.path = graph.critical_path(schedule, factors);
    p.cycles_s = cycle_lengths(measured.cycle, then, p.alpha);
    const double ratio = now.slowest_s > 0 ? then.slowest_s / now.slowest_s : schedule.length_s / p.model_s;
    p.predicted_s = p.measured_s * ratio;
    p.cycle_mean_s = mean(measured.cycle.measured_s) * ratio;
    p.cycle_spread_s = standard_deviation(p.cycles_s);
    p.residual_s = root_mean_square(cycle_lengths(measured.cycle, now, p.alpha), measured.cycle.measured_s);
    return p;
}

namespace {

// Ratios of the times of blocks of cycles, changed / measured. With fewer blocks than cycles, what one cycle leaves
// to the next matters less.
double error_of_ratio(const CouplingCycle &cycle, const Replay &before, const Replay &after) {
    constexpr std::size_t blocks = 8, fewest_in_block = 2;
    const std::size_t cycles = cycle.cuts.empty() ? 0 : cycle.cuts.size() - 1;
    if (cycles < blocks * fewest_in_block) return unknown;
    std::vector<double> ratios;
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t from = cycle.cuts[b * cycles / blocks], to = cycle.cuts[(b + 1) * cycles / blocks];
        const double measured_s = before.leave_s[to] - before.leave_s[from];
        if (!(measured_s > 0)) return unknown;
        ratios.push_back((after.leave_s[to] - after.leave_s[from]) / measured_s);
    }
    return students_t(blocks - 1.0) * standard_deviation(ratios) / std::sqrt(static_cast<double>(blocks));
}

} // namespace

WhatIf what_if(const MeasuredGraph &measured, const MeasuredGraph &changed, const std::vector<double> &factors) {
    check_answerable(measured);
    const std::vector<double> ones(measured.graph->components(), 1.0);
    WhatIf answer;
    answer.factors = factors.empty() ? ones : factors;
    const bool rehearsed = measured.rehearsal && changed.rehearsal; // otherwise the two begin in different ways
    const Replay now = measured.replay(ones, rehearsed), then = changed.replay(answer.factors, rehearsed);
    const double before = now.slowest_s, after = then.slowest_s;
    const Schedule measured_schedule = measured.graph->schedule(ones);
    const Schedule schedule = changed.graph->schedule(answer.factors);
    answer.ratio = before > 0 ? after / before : schedule.length_s / measured_schedule.length_s;
    answer.measured_s = measured.measured_s();
    answer.predicted_s = answer.measured_s * answer.ratio;
    answer.ratio_error = error_of_ratio(measured.cycle, now, then);
    answer.measured_path = measured.graph->critical_path(measured_schedule, ones);
    answer.path = changed.graph->critical_path(schedule, answer.factors);
    return answer;
}

std::optional<MeasuredGraph> with_transfers(const CoupledRun &run, const MeasuredGraph &measured,
                                            const Changes &changes) {
    if (!changes.transfer) return {};
    Changes as_they_are;
    as_they_are.transfer = 1;
    return changed_graph(run, measured, as_they_are);
}

WhatIf what_if(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes) {
    const MeasuredGraph changed = changed_graph(run, measured, changes);
    const std::optional<MeasuredGraph> counted = with_transfers(run, measured, changes);
    return what_if(counted ? *counted : measured, changed);
}

namespace {

// On large machines not every count is tried, only evenly spread ones and the present one. With hundreds of
// components each gets fewer, because the search reads the tables of all components repeatedly.
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

} // namespace

namespace {

// Components of which one count for each is looked for, as the optimiser takes them.
class UnitsOfRun {
public:
    UnitsOfRun(const MeasuredGraph &run, const WhoSplits &who) : run_(run) {
        const std::vector<double> &measured = run.graph->computing_s();
        std::vector<ComponentToSplit> components;
        components.reserve(measured.size());
        for (std::size_t c = 0; c < measured.size(); ++c)
            components.push_back({measured[c], run.processes[c], who.threads[c], who.keeps[c]});
        units_ = split_units(components, who.alike);
    }

    [[nodiscard]] const std::vector<SplitUnit> &all() const { return units_; }
    [[nodiscard]] std::vector<AllowedCounts> allowed(std::int64_t total) const {
        std::vector<AllowedCounts> result;
        result.reserve(units_.size());
        for (const SplitUnit &unit : units_) {
            const std::string &name = run_.graph->names()[unit.of.front()];
            const bool alone = unit.of.size() == 1;
            const std::int64_t present =
                alone ? unit.present : std::max(unit.present / unit.step(), std::int64_t{1}) * unit.step();
            result.push_back(unit.keeps
                                 ? AllowedCounts{name, {unit.present}}
                                 : counts_of(name, present, unit.step(), total, counts_of_each(units_.size())));
        }
        return result;
    }
    // By component, from the computing times of the units.
    [[nodiscard]] std::vector<double> factors(const std::vector<double> &seconds) const {
        std::vector<double> result(run_.processes.size(), 1.0);
        for (std::size_t u = 0; u < units_.size(); ++u) {
            if (units_[u].keeps || !(units_[u].work_s > 0)) continue;
            const double each = units_[u].work_s / seconds[u]; // cores
            for (const std::size_t c : units_[u].of)
                result[c] = static_cast<double>(run_.processes[c]) / each;
        }
        return result;
    }
    // d length / d computing time, by unit, from that of the components.
    [[nodiscard]] std::vector<double> shares(const WholeRun &whole, const std::vector<double> &seconds) const {
        const std::vector<double> factor = factors(seconds);
        std::vector<double> computing_s = run_.graph->computing_s();
        for (std::size_t c = 0; c < computing_s.size(); ++c)
            computing_s[c] *= factor[c];
        const std::vector<double> of_components = whole.path_shares(factor, computing_s);
        std::vector<double> result(units_.size());
        for (std::size_t u = 0; u < units_.size(); ++u)
            for (const std::size_t c : units_[u].of)
                if (seconds[u] > 0) result[u] += of_components[c] * computing_s[c] / seconds[u];
        return result;
    }

private:
    const MeasuredGraph &run_;
    std::vector<SplitUnit> units_;
};

} // namespace

BestSplit best_split(const MeasuredGraph &run, const WhoSplits &who, std::int64_t boxes, const Budget &budget) {
    check_answerable(run);
    const WholeRun whole(run, who.keeps);
    const UnitsOfRun of_run(run, who);
    const std::vector<SplitUnit> &units = of_run.all();
    std::vector<double> present;
    present.reserve(units.size());
    for (const SplitUnit &unit : units)
        present.push_back(static_cast<double>(unit.present));
    BalanceProblem problem;
    problem.pool = pool_of_units(run.pool, units);
    problem.total = static_cast<std::int64_t>(problem.pool.of_all(present));
    problem.long_loop = run.graph->points() > long_loop_points;
    problem.allowed = of_run.allowed(problem.total);
    problem.computing_s = [&](std::size_t u, std::int64_t count) { return units[u].computing_s(count); };
    problem.length_s = [&](const std::vector<double> &seconds) {
        budget.check();
        return whole.length_s(of_run.factors(seconds));
    };
    problem.path_shares = [&](const std::vector<double> &seconds) { return of_run.shares(whole, seconds); };
    const std::vector<std::int64_t> counts = balance(problem, Objective::time, boxes).counts;
    BestSplit best{1, run.processes};
    std::vector<double> seconds;
    for (std::size_t u = 0; u < units.size(); ++u) {
        seconds.push_back(problem.computing_s(u, counts[u]));
        if (units[u].keeps) continue;
        for (const std::size_t c : units[u].of)
            best.cores[c] = counts[u] / static_cast<std::int64_t>(units[u].of.size());
    }
    best.pace = pace(run, of_run.factors(seconds));
    if (best.pace < 1) return best;
    return {1, run.processes};
}

} // namespace cpl_lb
