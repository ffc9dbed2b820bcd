// The library's advice on simulated runs, beside the truth.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb::simulator {

// What one random model gave.
struct Trial {
    std::uint64_t seed = 0;
    std::string why_not;        // the library refused; empty: it answered
    std::size_t measured = 0;   // runs, each with other counts
    bool in_blocks = false;     // a component's work is in whole blocks
    double regret = 0;          // of the recommended counts
    double predicted_error = 0; // of the time predicted for some other counts between the measured ones, as a share
    double stated = 0;          // what the library said that this may be, as a share
    double best_error = 0, best_stated = 0; // the same of the recommended counts
    double slower = 0;          // of what is recommended for the cores of the first run, against that run, as a share
    double expected = 0;        // the same by the library
    double uncertain = 0;       // what it says that this may be off by, as a share
    double withheld = 0;        // gain of what is not recommended because its uncertainty hides it, as a share
    bool may_be_slower = false; // so it says: the gain is less than what is uncertain
    Counts recommended, best, others; // others: those of predicted_error
};

struct TrialSettings {
    RandomSettings random;
    std::int64_t least_runs = 4, most_runs = 9;
    std::int64_t steps = 72; // of a run at least, where it does not change
};

// Some runs of a random model with different counts, through match, graph, curves, prediction and balance.
[[nodiscard]] Trial trial(std::uint64_t seed, const TrialSettings &settings = {});

// What balance finds for the cores of one run, as a share of its loop, and what predict says of these counts.
struct AdvisedGain {
    double balance = 0, predict = 0;
};
[[nodiscard]] AdvisedGain advised_gain(const CoupledRun &run);

// The value that a share `share` of the values do not exceed; they need not be sorted.
[[nodiscard]] double quantile(std::vector<double> values, double share);

} // namespace cpl_lb::simulator
