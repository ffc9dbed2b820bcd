// The model of a cycle from its coupling graph, and alpha, measured over modelled.
#include "prediction/measured_interval.hpp"

#include <memory>

namespace cpl_lb {
namespace {

// The factors of the graph's computing times. A component that computes nothing stays at nothing.
std::vector<double> factors_of(const CouplingGraph &graph, const std::vector<double> &computing_s) {
    std::vector<double> factors(computing_s);
    for (std::size_t c = 0; c < factors.size(); ++c)
        factors[c] = graph.computing_s()[c] > 0 ? computing_s[c] / graph.computing_s()[c] : 1;
    return factors;
}

} // namespace

IterationModel iteration_model(const CouplingGraph &graph) {
    const auto kept = std::make_shared<const CouplingGraph>(graph);
    return {[kept](const std::vector<double> &s) { return kept->length_s(factors_of(*kept, s)); },
            [kept](const std::vector<double> &s) {
                const std::vector<double> factors = factors_of(*kept, s);
                std::vector<double> shares = kept->critical_path(kept->schedule(factors), factors).seconds;
                for (std::size_t c = 0; c < shares.size(); ++c)
                    shares[c] = shares[c] > 0 ? shares[c] / s[c] : 0;
                return shares;
            }};
}

double MeasuredInterval::alpha() const {
    const double model_s = model.length_s(computing_s);
    return cycle_s > 0 && model_s > 0 ? cycle_s / model_s : 1;
}

} // namespace cpl_lb
