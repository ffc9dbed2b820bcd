// All components slower, or all faster, by what their curves are uncertain by.
#include "prediction/predicted_range.hpp"

#include "analysis/step_noise.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

std::vector<double> factors_of(const MeasuredGraph &measured, const std::vector<ScalingCurve> &curves,
                               const std::vector<std::int64_t> &processes, CurveForm form) {
    std::vector<double> factors;
    for (std::size_t c = 0; c < curves.size(); ++c)
        factors.push_back(curves[c].seconds(static_cast<double>(processes[c]), form) /
                          curves[c].seconds(static_cast<double>(measured.processes[c]), form));
    return factors;
}

double factor_uncertainty(const ScalingCurve &curve, double from, double to) {
    return from == to ? 0 : std::hypot(curve.uncertainty(from), curve.uncertainty(to));
}

// Two standard errors of the cycles' mean hold 95 of 100 cases. Another run's loop may begin and end elsewhere in a
// cycle: half of one at each end, which do not depend on each other.
double run_uncertainty(const MeasuredGraph &measured) {
    constexpr double of_cycle = 0.7071; // 0.5 x square root of 2
    const std::vector<double> &cycles = measured.cycle.measured_s;
    const double error = share_of_error(cycles);
    return is_known(error) ? 2 * error + of_cycle / static_cast<double>(cycles.size()) : 0;
}

double PredictedRange::uncertainty_s(double predicted_s) const {
    if (!is_known(least_s)) return unknown;
    return std::max({0.0, predicted_s - least_s, most_s - predicted_s});
}

PredictedRange predicted_range(const MeasuredGraph &measured, const std::vector<ScalingCurve> &curves,
                               const std::vector<std::int64_t> &processes, CurveForm form) {
    std::vector<double> slower = factors_of(measured, curves, processes, form);
    std::vector<double> faster = slower;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const double off = 1 + factor_uncertainty(curves[c], static_cast<double>(measured.processes[c]),
                                                  static_cast<double>(processes[c]));
        if (!is_known(off)) return {};
        slower[c] *= off;
        faster[c] /= off;
    }
    const double run = 1 + run_uncertainty(measured);
    return {predict(measured, faster).predicted_s / run, predict(measured, slower).predicted_s * run};
}

} // namespace cpl_lb
