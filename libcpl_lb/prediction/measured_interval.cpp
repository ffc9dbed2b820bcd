// The model of a cycle from its coupling graph, and alpha, measured over modelled.
#include "prediction/measured_interval.hpp"

#include <memory>

namespace cpl_lb {
IterationModel iteration_model(const CouplingGraph &graph) {
    const auto kept = std::make_shared<const CouplingGraph>(graph);
    return {[kept](const std::vector<double> &s) { return kept->length_s(kept->factors_of(s)); },
            [kept](const std::vector<double> &s) { return kept->path_shares(s); }};
}

double MeasuredInterval::alpha() const {
    const double model_s = model.length_s(computing_s);
    return cycle_s > 0 && model_s > 0 ? cycle_s / model_s : 1;
}

} // namespace cpl_lb
