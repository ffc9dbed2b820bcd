// Every change of a usual size to a coupled model, one at a time, and its gain (docs/predict.md, "What if").
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/changes.hpp"
#include "prediction/measured_graph.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct SingleChange {
    enum class Kind : std::uint8_t { faster, twice, lag, every, no_output, best_split, balanced, transfer };
    Kind kind = Kind::faster;
    std::string component{}, region{}, field{}; // what it is about; empty: nothing of the kind
    std::int64_t lag = 0;                       // for a change of lag: the new one
    double gain = unknown;       // share of the run's time that it saves; below 0: the run would take longer
    double gain_error = unknown; // WhatIf::ratio_error
    std::string why_not{};       // in words, if the run cannot tell
};

// The largest gain first; unknown ones last. Components whose end does not count (I/O servers) and fields of set-ups
// are left out. best_pace: of the best split of the same cores (RunBalance); NaN: not known.
[[nodiscard]] std::vector<SingleChange> single_changes(const CoupledRun &run, const MeasuredGraph &measured,
                                                       double best_pace, const Budget &budget = {});

} // namespace cpl_lb
