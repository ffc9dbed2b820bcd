// The output of cpl-lb balance --kinds: text and json.
#pragma once

#include "tools/balance/kind_samples.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct KindsOutput {
    KindsSource source;
    std::string objective, price_words; // price_words: "12 on gpu, 1 on cpu"; empty without --price
    std::vector<double> prices;         // by kind, of a node hour; empty without --price
    bool power_known = false;
    KindsAnswer answer;
    double measured_s = unknown; // of the first run; NaN: there is none
    KindsAnswer present;         // of the first run; without components: not known, or not possible here
    double present_J = 0;
    std::vector<double> computing_s, other_computing_s; // by component, by either form of the curves
    CurveForm other = CurveForm::hslb;
    double other_form_s = 0;
    double uncertainty = unknown;
    std::vector<std::int64_t> measure_next; // by component, nodes of the answer's kind; 0: nothing to gain
    std::vector<KindsAnswer> front;         // with --objective pareto
};

[[nodiscard]] std::string kinds_as_text(const KindsOutput &output);
[[nodiscard]] std::string kinds_as_json(const KindsOutput &output);

} // namespace cpl_lb
