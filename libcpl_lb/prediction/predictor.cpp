// The dependency graph with other computing times.
#include "prediction/predictor.hpp"

#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

std::vector<double> cycle_lengths(const CouplingCycle &cycle, const Schedule &schedule, double alpha) {
    std::vector<double> lengths;
    for (std::size_t n = 1; n < cycle.cuts.size(); ++n)
        lengths.push_back(alpha * (schedule.leave_s[cycle.cuts[n]] - schedule.leave_s[cycle.cuts[n - 1]]));
    return lengths;
}

double root_mean_square(const std::vector<double> &a, const std::vector<double> &b) {
    if (a.empty()) return unknown;
    double sum = 0;
    for (std::size_t n = 0; n < a.size(); ++n)
        sum += (a[n] - b[n]) * (a[n] - b[n]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

// The mean of the later half: the stretch begins with what each component had left to do with the measured counts,
// and with others some cycles pass until they wait for each other as they will go on to.
double settled_cycle(const std::vector<double> &cycles) {
    const std::size_t first = cycles.size() < 4 ? 0 : cycles.size() / 2;
    return mean({cycles.begin() + static_cast<std::ptrdiff_t>(first), cycles.end()});
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

Prediction predict(const MeasuredGraph &measured, const std::vector<double> &factors) {
    const CouplingGraph &graph = *measured.graph;
    const Schedule as_measured = graph.schedule(std::vector<double>(graph.components(), 1.0));
    if (!(as_measured.length_s > 0))
        throw PredictionError("nobody computes in the coupling loop: nothing to predict");
    const Schedule schedule = graph.schedule(factors);
    Prediction p;
    p.measured_s = measured.measured_s();
    p.model_s = as_measured.length_s;
    p.alpha = p.measured_s / p.model_s;
    p.factors = factors;
    p.path = graph.critical_path(schedule, factors);
    p.cycles_s = cycle_lengths(measured.cycle, schedule, p.alpha);
    const std::vector<double> before = cycle_lengths(measured.cycle, as_measured, p.alpha);
    const double ratio = settled_cycle(p.cycles_s) / settled_cycle(before);
    p.predicted_s = is_known(ratio) ? p.measured_s * ratio : p.alpha * schedule.length_s;
    p.cycle_mean_s = mean(measured.cycle.measured_s) * ratio;
    p.cycle_spread_s = standard_deviation(p.cycles_s);
    p.residual_s = root_mean_square(before, measured.cycle.measured_s);
    return p;
}

} // namespace cpl_lb
