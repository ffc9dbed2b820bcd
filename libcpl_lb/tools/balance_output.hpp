// What cpl-lb balance prints.
#pragma once

#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceOutput {
    std::vector<std::string> names;
    std::vector<ScalingCurve> curves;
    std::vector<std::int64_t> measured_processes; // empty: only a table was given
    double measured_s = 0;                        // with measured_processes
    CurveForm form = CurveForm::fit;
    std::int64_t total = 0;
    BalanceAnswer answer;
    double other_form_s = 0;          // the same counts by the other form of the curves
    std::vector<double> measure_next; // by component; 0: nothing to gain
    std::vector<BalanceAnswer> front; // with --objective pareto
};

[[nodiscard]] std::string balance_as_text(const BalanceOutput &output);
[[nodiscard]] std::string balance_as_json(const BalanceOutput &output);

} // namespace cpl_lb
