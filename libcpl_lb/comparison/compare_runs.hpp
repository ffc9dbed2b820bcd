// Two runs of a model, or several runs of each of two states: what became faster or slower (docs/compare.md, "What is
// compared").
#pragma once

#include "comparison/difference.hpp"
#include "data/coupled_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// Seconds; in long runs each value is the mean of a few consecutive steps. All empty without a loop.
struct StepSeries {
    StepValues length, computing, waiting;
    std::int64_t steps_in_value = 1;
    std::vector<std::int64_t> dates; // of the model at the start of each value; empty: none
    double simulated_s = unknown;    // of the model in one step, by the dates
};

// Why its processes wait for each other (ImbalanceParts): shares of the coupling loop, means over the runs.
struct ImbalanceShares {
    double processes = unknown, nodes = unknown, random = unknown; // random: the rest
};

// One figure of the runs of a state; all unknown if one of the runs does not have it.
struct RangeOfRuns {
    double mean = unknown, least = unknown, most = unknown;

    // Whether each value of one state lies above each value of the other.
    [[nodiscard]] bool is_apart(const RangeOfRuns &other) const { return least > other.most || most < other.least; }
};

// Messages between the processes of a component (analysis/waiting_share.hpp), over the runs of a state.
struct InsideMessages {
    RangeOfRuns messages, bytes; // of all processes, in a step or a day
    std::int64_t processes = 0;  // of the run with the most
    bool of_whole_run = false;   // the shares: there is no coupling loop
    std::int32_t late = -1; // the process that is late again and again in all runs; negative: not the same one in all
    RangeOfRuns late_share; // of the core time; 0 in a run without such a process

    [[nodiscard]] bool nobody_is_late() const { return late_share.most <= 0; }
};

struct ComparedComponent {
    std::string name;
    bool is_io_server = false;
    std::int64_t cores_before = 0, cores_after = 0;
    Difference length, computing, waiting; // of a coupling step, in seconds; or of a day of the model
    std::string waits_more_for; // the component to which most of the change in waiting is due; empty: not known
    Efficiency efficiency_before, efficiency_after; // means over the runs
    ImbalanceShares imbalance_before, imbalance_after;
    InsideMessages inside_before, inside_after;
    std::vector<StepSeries> before, after; // by run
};

// Runs of a state that the machine disturbed, and by how much the first of them (analysis/waiting_share.hpp).
struct DisturbedRuns {
    std::size_t count = 0;
    std::string component;
    double seconds = unknown, share = unknown; // without a processor, of its process with the most; of its loop
    std::int32_t process = -1;
};

struct Comparison {
    std::size_t runs_before = 0, runs_after = 0;
    // The component whose steps are the run's steps: it has the most core time and is no I/O server.
    std::string steps_of;
    Difference length, sypd, chsy;
    bool of_model_days = false; // the steps are of different length in the model: seconds for a day of the model
    bool from_timers = false;   // a run has no steps at all; of_model_days then
    Efficiency efficiency_before, efficiency_after;
    std::vector<ComparedComponent> components; // in both, in the order of the first run
    std::vector<std::string> gone, added;      // in no run of the other state; names
    DisturbedRuns disturbed_before, disturbed_after;
    std::vector<std::string> notes; // other differences, in words
};

// Each state has at least one run.
[[nodiscard]] Comparison compare_runs(const std::vector<CoupledRun> &before, const std::vector<CoupledRun> &after);

} // namespace cpl_lb
