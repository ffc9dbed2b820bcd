// Results of the load balance analysis of one component (docs/definitions.md, section 2). Seconds; NaN: not known.
#pragma once

#include "data/imbalance.hpp"
#include "data/kinds.hpp"
#include "data/meters.hpp"
#include "data/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A component that waits less than this share of its time counts as not waiting.
inline constexpr double balanced_below = 0.02;

// The coupling loop: steps.front() = t0 = S of the second reference event, steps.back() = t1 = S of the last;
// step j is [steps[j], steps[j + 1]].
struct Window {
    std::vector<Nanoseconds> steps;
    std::vector<std::int64_t> dates;  // model date at the start of each step; empty without dates
    Kind reference_kind = Kind::undf; // the reference: the most frequent (kind, field, counterpart)
    std::int32_t reference_field = 0;
    std::int32_t reference_counterpart = 0;
    std::int64_t occurrences = 0; // of the reference
    std::string why_not;          // empty when there is a window, else the reason in words

    [[nodiscard]] bool known() const { return steps.size() >= 2; }
    [[nodiscard]] Interval interval() const { return {steps.front(), steps.back()}; }
};

struct WaitingFor {
    std::int32_t component = 0; // id; 0: counterpart not known
    double get_s = 0;           // in GET and SYNC; get_s + put_s is all waiting
    double put_s = 0;
    double sync_s = 0; // the part of get_s in SYNC
};

// Start-up (init to t0) or shut-down (t1 to terminate).
struct Phase {
    double length_s = unknown;
    double waiting_s = unknown;
    double output_s = unknown;
    double restart_s = unknown;
    double setup_s =
        unknown; // the coupler's set-up: PART and ENDF, from the first process's begin to the last one's end
};

// A step of the coupling loop, or in long runs the sum of a few consecutive steps.
struct Step {
    double start_s = 0; // on the common clock, of the first
    double length_s = 0;
    double waiting_s = 0;
    double computing_s = 0;
    double jitter_s = 0;
    std::int64_t date = 0;  // of the first; valid when the component has dates
    std::int64_t steps = 1; // number of steps: the seconds above are their sums
};

// The largest and the least single step of a group of steps; summaries of older versions have no least.
struct StepExtremes {
    double max_computing_s = unknown;
    double max_waiting_s = unknown;
    double max_jitter_s = unknown;
    double min_computing_s = unknown;
    double min_waiting_s = unknown;
    double min_jitter_s = unknown;
};

// The time of a step, or of a group of steps, in which some process is in a mapping, reads or writes, or writes a
// restart (analysis/balance.cpp).
struct StepWork {
    double mapping_s = 0, output_s = 0, restart_s = 0;
};

// If there are more steps than this, they are listed in groups of equal size (the last may be smaller), so that the
// table of a run with a million coupling steps can still be read. The figures of the whole loop and the spread below
// come from the single steps in any case.
inline constexpr std::size_t most_listed_steps = 10'000;
[[nodiscard]] constexpr std::size_t steps_in_a_group(std::size_t steps) {
    return (steps + most_listed_steps - 1) / most_listed_steps;
}

// Least, median and largest over the single steps.
struct StepRange {
    double min_s = unknown;
    double median_s = unknown;
    double max_s = unknown;
};
struct StepRanges {
    StepRange computing, waiting, jitter;
};

struct ComponentBalance {
    std::string why_no_window;
    double loop_s = unknown;
    double computing_s = unknown;
    double waiting_s = unknown;
    double away_s = unknown;
    Spread process_waiting_s;            // each process's own waiting: analysis/process_waiting.hpp
    std::vector<WaitingFor> waiting_for; // ascending component id, only those with any exchange in the window
    double jitter_s = unknown;
    double imbalance_s = unknown;
    ImbalanceParts imbalance_parts;
    double coupling_cost = unknown;                 // fraction of the loop
    double coupling_cost_with_operations = unknown; // fraction of the loop
    double mapping_s = unknown, mapping_spread_s = unknown;
    double output_s = unknown, output_spread_s = unknown;   // OUT, READ, RST, TRN
    double restart_s = unknown, restart_spread_s = unknown; // RST, TRN
    Phase startup, shutdown;
    std::vector<Step> steps;                 // at most most_listed_steps
    std::vector<StepExtremes> step_extremes; // of each group of steps; empty if these are single steps
    std::vector<StepWork> step_work;         // as steps; empty: there are no such operations
    std::int64_t step_count = 0;             // single steps
    StepRanges step_spread;                  // known if there are steps
    bool has_dates = false;
    double critical_share = unknown; // of the common coupling loop: its computing on the critical path
    bool is_io_server = false;       // it said so, or it only receives
    double idle_s = unknown;         // an I/O server's waiting for data, a part of waiting_s
    // Over the whole run, for the coupling cost of CPMIP equation 7.
    double whole_waiting_s = unknown;
    double whole_waiting_and_operations_s = unknown;
    double whole_away_s = unknown;
};

// A stretch of the critical path in one component. At `time.stop` it goes to another component.
struct PathStretch {
    std::int32_t component = 0; // id
    Interval time;
    bool is_first = false; // first of its part of the loop: in long runs the path is followed in several parts
};

// Consecutive steps of the loop in which a component computes alike (docs/definitions.md, section 2).
struct ComputingPart {
    std::int64_t first_step = 0, last_step = 0; // of its loop, from 1
    double start_s = unknown, stop_s = unknown; // on the common clock
    double computing_s = unknown;               // of a step: the median
};

// In every `period` steps, `heavy_steps` in a row compute longer than the others.
struct ComputingPattern {
    std::int64_t period = 0; // 0: none
    std::int64_t heavy_steps = 0;
    double heavy_s = unknown, other_s = unknown; // of a step
};

// A component whose steps do not all compute alike.
struct ComputingChange {
    std::int32_t component = 0;       // id
    std::vector<ComputingPart> parts; // two or more, or none if there is only a pattern
    ComputingPattern pattern;
};

// The best split for the time after the last change, as if the run began there.
struct LaterPart {
    double start_s = unknown; // on the common clock; unknown: nothing changes, or too little time is left
    double loop_s = unknown, best_s = unknown;
    std::vector<std::int64_t> best_cores; // as RunBalance::best_cores
};

// Figures of all components together (docs/definitions.md, section 2, "Who is slow, and what could be gained").
struct RunBalance {
    std::string why_no_path;           // empty: the critical path is known
    double loop_s = unknown;           // the common coupling loop: all components are in theirs
    double on_path_s = unknown;        // computing on the critical path, of all components; the rest are transfers
    std::int64_t changes = 0;          // of component along the path
    double examined = 1;               // share of the common loop in which the path was followed
    std::vector<PathStretch> path;     // its stretches, in the order of time
    std::vector<std::string> left_out; // components that exchange nothing
    std::int32_t slow_side = 0;        // id; 0: not known, or the path changes between some
    std::vector<std::int32_t> equally_slow; // ids of two or more, the largest share of the path first
    double waiting_share = unknown;         // of the cores' time in the loops
    std::string why_no_gain;                // empty: the next three are known
    double best_s = unknown;                // the common loop with the best split of the same cores, by the model
    double gain_s = unknown;                // loop_s - best_s, not negative
    std::vector<std::int64_t> best_cores; // of each component for best_s, as CoupledRun::components; 0: takes no part
    std::vector<ComputingChange> computing_changes;
    LaterPart later;
};

} // namespace cpl_lb
