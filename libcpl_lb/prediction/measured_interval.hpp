// The measurements that a run-time manager gets at the end of a load-balance interval.
#pragma once

#include "prediction/coupling_graph.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace cpl_lb {

// The time of a coupling cycle from the computing times tau_i^comp of its components, in seconds. Both functions
// have the form that BalanceProblem needs.
struct IterationModel {
    std::function<double(const std::vector<double> &computing_s)> length_s;
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
};

// xi of equation 9, with the graph's shares theta of each component's computing time.
[[nodiscard]] IterationModel iteration_model(const CouplingGraph &graph);

struct MeasuredInterval {
    std::vector<std::int64_t> counts; // processes of each component
    std::vector<double> computing_s;  // tau_i^comp; > 0
    double cycle_s = 0;               // tau_G; not positive or NaN: not measured
    IterationModel model;

    // alpha of equation 10: measured / modelled; 1 if the cycle was not measured.
    [[nodiscard]] double alpha() const;
};

} // namespace cpl_lb
