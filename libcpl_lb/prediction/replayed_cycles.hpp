// Some cycles of a recorded run and of the same run with changes, each as it was replayed, for a picture of both.
#pragma once

#include "prediction/measured_graph.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace cpl_lb {

// When a component computes. In between it waits.
struct ComputingTime {
    double from_s = 0, to_s = 0; // since the first of the cycles began
};
struct ReplayedCycles {
    std::vector<std::vector<ComputingTime>> computing; // by component
    std::vector<double> begin_s;                       // of the cycles, and the end of the last one
};
struct BothCycles {
    std::size_t first_cycle = 0; // from 1
    double recorded_s = unknown; // how long these cycles took
    ReplayedCycles measured, changed;
};

// Cycles from the middle of the loop: `of_change` of them (Changes::longer_cycle), or as many times that number as
// give about `most` exchanges. `factors`: of the changed run's computing (WhatIf::factors). Empty if the run has no
// cycles, or its graph has several parts.
[[nodiscard]] std::optional<BothCycles> replayed_cycles(const MeasuredGraph &measured, const MeasuredGraph &changed,
                                                        const std::vector<double> &factors, std::size_t of_change,
                                                        std::size_t most = 120);

} // namespace cpl_lb
