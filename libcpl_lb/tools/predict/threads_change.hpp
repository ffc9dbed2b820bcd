// What a component computes with another number of threads, from runs in which it had them.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/changes.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct MeasuredRun {
    const CoupledRun &run;
    const MeasuredGraph &measured;
};

// Of a component that keeps its processes.
struct ThreadsChange {
    SpeedChange speed;
    std::size_t component = 0;
    std::int64_t cores = 0;       // with the new threads
    double uncertainty = unknown; // of its computing time, as a share
    bool extrapolated = false;    // it had these threads with other numbers of processes only
};

// `text`: "ocean=4,ice=2"; the first run is the one that is changed, the others are of the same model. Throws
// std::invalid_argument for what is no list of names and numbers, PredictionError if no run has these threads.
[[nodiscard]] std::vector<ThreadsChange> threads_changes(const std::string &text,
                                                         const std::vector<MeasuredRun> &runs, CurveForm form);

} // namespace cpl_lb
