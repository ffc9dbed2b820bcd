// The waist of the library: a coupled run as plain data. A live run, timeline files and a literal in a test
// each make one. Everything after it is a pure function of it.
#pragma once

#include "data/annotations.hpp"
#include "data/balance.hpp"
#include "data/events.hpp"
#include "data/grid_part.hpp"
#include "data/hardware.hpp"
#include "data/inside.hpp"
#include "data/meters.hpp"
#include "data/time.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cpl_lb {

// Given by the model through cpl_lb_set_...; NaN or negative: not given.
struct ComponentProperties {
    std::int64_t horizontal_points = -1; // NH
    std::int32_t levels = -1;            // NZ
    double dx_km = unknown;
    double dz_km = unknown;
    double complexity = unknown; // V_c
    double state_B = unknown;    // S_c
    double output_B = unknown;   // sum over the processes
    bool is_io_server = false;
};

// A region in a step of the coupling loop, or in a group of steps, over all processes of the component: a process
// that does not enter it counts 0. NaN: not known. Sent: no padding.
struct RegionInStep {
    double mean_s = unknown, min_s = unknown, max_s = unknown;
    std::int64_t slowest = -1; // the process of max_s, the first of equal ones: its place in Component::ranks
};

struct RegionSummary {
    std::string name;
    std::int64_t calls = 0;                                    // sum over the processes
    std::int32_t processes = 0;                                // processes that entered the region
    double min_s = unknown, mean_s = unknown, max_s = unknown; // inclusive time of one process
    // The process of max_s: its place in Component::ranks, while it is gathered its rank; negative: not known.
    std::int32_t slowest = -1;
    RegionMeters meters{};
    std::vector<Annotation> annotations{};
    std::vector<RegionInStep> steps{}; // as ComponentBalance::steps; empty: not known, or the region is short

    // The distance of the mean from the slowest process's time, as a share of that time.
    [[nodiscard]] double imbalance() const { return max_s > 0 ? (max_s - mean_s) / max_s : unknown; }
};

struct Component {
    std::string name;
    std::int32_t id = 0;                          // from 1, in the order of the lowest rank in comm
    std::vector<std::int32_t> ranks;              // in comm, ascending
    std::vector<double> clock_error_bounds_s;     // of each process against the run's clock, as ranks; or empty
    std::int32_t threads = 1;                     // of each process; where they differ, the least
    std::int32_t most_threads = 0;                // of a process, where they differ; else 0
    std::int64_t own_cores = 0;                   // of all its processes together; 0: processes x threads
    std::int32_t nodes = 0;                       // on which its processes are; 0: not known
    std::vector<std::int32_t> on_nodes;           // their places in RunMeters::nodes, ascending; empty: not known
    std::vector<std::int32_t> processes_on_nodes; // how many are on each of these; empty: not known
    ComponentGpus gpus;
    Nanoseconds first_init = 0;         // earliest entry into cpl_lb_init
    Nanoseconds last_terminate = 0;     // latest entry into cpl_lb_terminate
    std::int64_t events = 0;            // coupling events in the timeline
    std::int64_t dropped_events = 0;    // sum over the processes
    std::int64_t missing_processes = 0; // known processes of it that have no record
    // Where the coupling loop may lie: inside the slice, not after the first dropped event.
    Nanoseconds window_first = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds window_last = std::numeric_limits<Nanoseconds>::max();
    ComponentProperties properties;
    std::vector<RegionSummary> regions;
    std::vector<AssertedParameter> parameters; // of the regions' expressions
    std::vector<RegionEntry> control_flow;     // of annotated regions
    ComponentMeters meters;
    NoProcessor no_processor;
    EventTable table;
    bool table_left_out = false; // there was no memory for all its events
    ComponentBalance balance;
    ComponentInside inside;
    std::vector<FieldTraffic> fields; // if MPI was recorded
    ProcessFigures figures;
    // Times inside other components of the same processes: each from the last process's leaving to the last process's
    // return, over the processes that have any.
    std::vector<Interval> away;
    bool away_differs = false; // these processes have different numbers of them: then `away` means nothing

    // NaN for a component of timers that do not tell.
    [[nodiscard]] double wall_s() const {
        return last_terminate > first_init ? to_seconds(last_terminate - first_init) : unknown;
    }
    [[nodiscard]] std::int64_t cores() const {
        return own_cores > 0 ? own_cores : static_cast<std::int64_t>(ranks.size()) * threads;
    }
    // Cores of a process; the mean if they differ.
    [[nodiscard]] double cores_of_process() const {
        return ranks.empty() ? threads : static_cast<double>(cores()) / static_cast<double>(ranks.size());
    }
};

// CPMIP's description of the machine (Balaji et al. 2017, section 3.1 and table 4).
struct Platform {
    std::string machine, chip;
    std::int64_t cores = 0;          // of the whole machine; 0: not known
    double clock_GHz = unknown;      // of one core
    double flop_per_cycle = unknown; // double-precision operations of one core
};

// The source of the figures: the run's own end, files that outlived it, or the trace of another tool.
enum class Origin : std::uint8_t { recorded, recovered, imported };
inline constexpr std::array<const char *, 3> origin_names = {"recorded", "recovered", "imported"};

// The most missing ranks that are named.
inline constexpr std::size_t most_missing_named = 1000;

// When the run's clock was 0.
struct RunZero {
    std::string time; // by the clock of day, ISO 8601 UTC with nanoseconds; empty: not known
};

struct RunInfo {
    std::string id;
    std::string submitted, started, ended; // ISO 8601 UTC; empty: not known
    double wall_s = unknown;
    double simulated_s = unknown;
    // The time behind SYPD and CHSY, if timers of a model leave start-up and shut-down out of it; otherwise wall_s
    // counts.
    double speed_over_s = unknown;
    double year_days = 365.0;
    std::int64_t cores = 0;           // NP
    std::string cores_from;           // "nn_cores", "SLURM_...", "processes x threads"
    std::int64_t processes = 0;       // of all components
    std::int64_t elsewhere_calls = 0; // calls of MPI on threads that are not recorded, all processes
    double elsewhere_s = unknown;
    std::string coupler; // "OASIS3-MCT", as the adapter of the first process says; empty: not known
    // Who computes beside whom, where the rules of a model say it: max(max(ice,lnd)+atm,ocn). Empty: not known.
    std::string layout;
    Origin origin = Origin::recorded;
    std::vector<std::int32_t> missing; // ranks of the model without figures, ascending; only the first ones
    std::int64_t missing_count = 0;    // the number of all missing ranks
    std::string platform;              // machine, chip, cores, clock; empty: not known
    Platform platform_facts;
    std::string members; // cn_members or --members: "atmosphere_*", "none"; empty: guessed from the names
    RunZero zero;
};

struct ClockInfo {
    double error_bound_s = unknown;
    std::int64_t order_violations = 0; // negative: not known
    std::string source;                // "tsc" or "clock_gettime"
    std::int32_t nodes = 1;
    // cpl_lb 0.3 made one run of several. Why their times cannot be compared, in words; empty: all are of one clock.
    std::string why_not_comparable;
};

struct Cpmip {
    double resolution = unknown, complexity = unknown, degrees_of_freedom = unknown;
    double sypd = unknown, asypd = unknown, chsy = unknown;
    double parallelization = unknown;
    std::string why_no_asypd; // in words, if the given time of submission is impossible
    double jpsy = unknown, ajpsy = unknown;
    double coupling_cost = unknown, coupling_cost_with_operations = unknown; // fractions
    double node_hours = unknown, gpu_hours = unknown;                        // of a simulated year
    double memory_bloat = unknown, data_output_cost = unknown, data_intensity = unknown;
    std::string platform;
};

// One field on its way from one component to another.
struct Exchange {
    std::int32_t field = 0;
    std::int32_t source = 0; // component id of the PUTs
    std::int32_t target = 0; // component id of the GETs
    std::int64_t puts = 0, gets = 0;
    std::int64_t lag = 0;        // PUT n matches GET n + lag
    std::int64_t matched = 0;    // pairs; the ends may have unequal numbers
    std::int64_t violations = 0; // pairs whose GET ends before their PUT began by more than the clock bound
    bool sync = false;           // no PUT and GET: both ends are the SYNC events of a collective operation
    bool only_seen = false;      // of SYNCs: the target goes on without the source, unless it was seen to wait
};

// A figure of a run that was made from timers, by its place in the json, and the timer that told it.
struct FigureSource {
    std::string figure, from;
};

struct CoupledRun {
    RunInfo run;
    std::vector<std::string> component_names; // by id - 1; instrumented components first, then known counterparts
    std::vector<std::string> field_names;     // by id - 1
    std::vector<Component> components;        // the instrumented ones, by id - 1
    std::vector<Exchange> exchanges;          // between them, once somebody looked for them
    bool exchanges_known = false;
    ClockInfo clock;
    RunBalance balance;
    Cpmip cpmip;
    RunMeters meters;
    double analysis_s = unknown;
    std::vector<FigureSource> sources; // only of a run from timers, which has no timelines
    std::vector<std::string> remarks;  // in words: dropped events, missing processes, why a figure is n/a

    [[nodiscard]] bool from_timers() const { return !sources.empty(); }
    [[nodiscard]] const std::string &component_name(std::int32_t id) const {
        static const std::string none = "(not known)";
        return id >= 1 && static_cast<std::size_t>(id) <= component_names.size()
                   ? component_names[static_cast<std::size_t>(id) - 1]
                   : none;
    }
};

} // namespace cpl_lb
