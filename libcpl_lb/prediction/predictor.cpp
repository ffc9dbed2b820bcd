// Predicts with the dependency graph and other computing times.
#include "prediction/predictor.hpp"

#include "analysis/mean_error.hpp"
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
    return changed_graph(run, measured, {.transfer = 1}); // as they are
}

WhatIf what_if(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes) {
    const MeasuredGraph changed = changed_graph(run, measured, changes);
    const std::optional<MeasuredGraph> counted = with_transfers(run, measured, changes);
    return what_if(counted ? *counted : measured, changed);
}

} // namespace cpl_lb
