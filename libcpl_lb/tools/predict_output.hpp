// What cpl-lb predict prints.
#pragma once

#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"
#include "tools/curve_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct PredictOutput {
    const CoupledPart &part;
    const MeasuredGraph &measured;
    bool other_counts = false;           // --pes was given
    std::vector<std::int64_t> processes; // by component
    Prediction fit, linear;              // by the two forms of the scaling curves
    std::vector<ScalingCurve> curves;    // by component
};

[[nodiscard]] std::string predict_as_text(const PredictOutput &output);
[[nodiscard]] std::string predict_as_json(const PredictOutput &output);

} // namespace cpl_lb
