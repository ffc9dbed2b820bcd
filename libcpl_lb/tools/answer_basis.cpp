// Ideal scaling and extrapolation in words.
#include "tools/answer_basis.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

namespace cpl_lb {
namespace {

std::string with_counts(const std::string &name, const ScalingCurve &curve, std::int64_t count) {
    const std::vector<ScalingSample> &samples = curve.samples();
    const std::string measured =
        samples.size() == 1 ? fmt::format("{:.0f}", samples.front().processes)
                            : fmt::format("{:.0f} to {:.0f}", samples.front().processes, samples.back().processes);
    return say(Sentence::part_extrapolated, {{"name", safe_name(name)},
                                             {"measured", measured},
                                             {"cores", measured == "1" ? "core" : "cores"},
                                             {"here", std::to_string(count)}});
}

void append(std::string &list, const std::string &word) {
    list += (list.empty() ? "" : ", ") + word;
}

} // namespace

AnswerBasis answer_basis(const std::vector<std::string> &names, const std::vector<ScalingCurve> &curves,
                         const std::vector<std::int64_t> &counts) {
    AnswerBasis basis;
    std::string ideal, beyond;
    bool serial = false;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        if (curves[c].measured_range_holds(static_cast<double>(counts[c]))) continue;
        const bool one = curves[c].samples().size() == 1;
        append(one ? ideal : beyond, with_counts(names[c], curves[c], counts[c]));
        if (one) basis.ideal.push_back(names[c]);
        basis.extrapolated.push_back(names[c]);
        serial = serial || curves[c].has_serial_part();
    }
    if (!ideal.empty())
        basis.text = say(Sentence::by_ideal_scaling,
                         {{"serial", serial ? ", except for what --serial says" : ""}, {"names", ideal}});
    if (!beyond.empty())
        basis.text += (ideal.empty() ? "" : " ") + say(Sentence::beyond_measured, {{"names", beyond}});
    if (!basis.text.empty()) basis.text += "\n";
    return basis;
}

} // namespace cpl_lb
