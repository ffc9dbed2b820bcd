// Says on which measurements an answer about other processor counts rests: the first line of the answer.
#pragma once

#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct AnswerBasis {
    std::vector<std::string> ideal;        // components measured with one count only, and asked for another
    std::vector<std::string> extrapolated; // those and the ones whose count lies outside of the measured ones

    // One line that ends in a newline; empty if all lies between measured counts.
    std::string text;
};

// `counts`: of the answer, by component.
[[nodiscard]] AnswerBasis answer_basis(const std::vector<std::string> &names, const std::vector<ScalingCurve> &curves,
                                       const std::vector<std::int64_t> &counts);

} // namespace cpl_lb
