// Results of the load balance analysis of one component (definitions, section 2). Seconds; NaN: not known.
#pragma once

#include "data/kinds.hpp"
#include "data/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

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
    double get_s = 0;
    double put_s = 0;
};

// Start-up (init to t0) or shut-down (t1 to terminate).
struct Phase {
    double length_s = unknown;
    double waiting_s = unknown;
    double output_s = unknown;
    double restart_s = unknown;
};

struct Step {
    double start_s = 0; // on the common clock
    double length_s = 0;
    double waiting_s = 0;
    double computing_s = 0;
    double jitter_s = 0;
    std::int64_t date = 0; // valid when the component has dates
};

struct ComponentBalance {
    std::string why_no_window;
    double loop_s = unknown;
    double computing_s = unknown;
    double waiting_s = unknown;
    double away_s = unknown;
    std::vector<WaitingFor> waiting_for; // ascending component id, only those with any exchange in the window
    double jitter_s = unknown;
    double imbalance_s = unknown;
    double coupling_cost = unknown;                 // fraction of the loop
    double coupling_cost_with_operations = unknown; // fraction of the loop
    double mapping_s = unknown, mapping_spread_s = unknown;
    double output_s = unknown, output_spread_s = unknown;   // OUT, READ, RST, TRN
    double restart_s = unknown, restart_spread_s = unknown; // RST, TRN
    Phase startup, shutdown;
    std::vector<Step> steps;
    bool has_dates = false;
    // Over the whole run, for the coupling cost of CPMIP equation 7.
    double whole_waiting_s = unknown;
    double whole_waiting_and_operations_s = unknown;
    double whole_away_s = unknown;
};

} // namespace cpl_lb
