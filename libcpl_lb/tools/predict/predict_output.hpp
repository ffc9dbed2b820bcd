// What cpl-lb predict tells of a run and of other counts.
#pragma once

#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// The output of cpl-lb predict: the graph of a run, and its time with other counts.
struct PredictOutput {
    const CoupledPart &part;
    const MeasuredGraph &measured;
    bool other_counts = false; // --pes or --threads was given
    CurveForm form = CurveForm::measured;
    std::vector<std::int64_t> processes; // by component
    Prediction now;
    // With other counts:
    PredictedRange range;
    std::map<CurveForm, double> by_form; // predicted seconds
    std::vector<ScalingCurve> curves;    // by component
    std::vector<std::string> remarks;    // of all runs
};

[[nodiscard]] std::string predict_as_text(const PredictOutput &o);
[[nodiscard]] std::string predict_as_json(const PredictOutput &o);

} // namespace cpl_lb
