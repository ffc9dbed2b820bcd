// The dependency graph with other computing times.
#include "prediction/predictor.hpp"

#include "support/counted.hpp"

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
    constexpr std::int64_t one_of = 100; // pairs may be out of order
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

} // namespace cpl_lb
