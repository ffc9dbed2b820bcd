// The CPMIP metrics of Balaji et al. 2017 (doi:10.5194/gmd-10-19-2017; docs/definitions.md, section 3) of a run.
// Unknown values are NaN, and so is every figure that needs them. Also how fast the coupling loop alone is, and what
// a long run would take.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <functional>

namespace cpl_lb {

// Simulated years, of year_days days. NaN if nothing was simulated.
[[nodiscard]] double simulated_years(double simulated_s, double year_days);
// Simulated years per wall-clock day.
[[nodiscard]] double sypd(double simulated_s, double wall_s, double year_days);
// Core hours per simulated year.
[[nodiscard]] double chsy(double cores, double wall_s, double simulated_s, double year_days);
// The same for one component: its own cores and its own wall time.
[[nodiscard]] double component_chsy(const CoupledRun &run, const Component &component);

// Totals of some components. A process that runs several of them in turn counts once, with the most of each.
struct Held {
    double cores = 0, chsy = 0;
};
[[nodiscard]] Held held_by(const CoupledRun &run, const std::function<bool(const Component &)> &counted);

// Processor cores of all components, P_M.
[[nodiscard]] double component_cores(const CoupledRun &run);

[[nodiscard]] double grid_points(const ComponentProperties &given);          // G_c = NH NZ
[[nodiscard]] double prognostic_variables(const ComponentProperties &given); // V_c as given, else S_c / G_c / 8

// Equation 7, a fraction: C = (T_M P_M - sum_c T_c P_c) / (T_M P_M). T_c is the component's wall time less its
// waiting over the whole run, and less its time inside other components of the same processes; with operations
// less those of the coupler (MAP, OUT, READ, RST, TRN) too.
[[nodiscard]] double coupling_cost(const CoupledRun &run, bool with_operations);

// Equation 5, years per day: N / (t_N - t_0), from the first submission to the last result [s since 1970].
[[nodiscard]] double asypd(double simulated_years, double submitted_s, double last_result_s);
inline constexpr double clocks_apart_s = 60; // of the machines where a job was submitted and where it ran
// Puts ASYPD into the run's table, from its times [s since 1970; NaN: not known]. If the submission lies after the
// start, it cannot be right: then ASYPD is n/a, with the reason.
struct JobTimes {
    double submitted_s = unknown, started_s = unknown, ended_s = unknown;
};
void enter_asypd(CoupledRun &run, const JobTimes &times);
// Equation 6, joules per simulated year: CHSY E / A, with the energy E and the core hours A of the whole platform
// over the same time.
[[nodiscard]] double jpsy(double chsy, double platform_J, double platform_core_hours);
// Equation 10, a fraction: from a run with output and one without.
[[nodiscard]] double data_output_cost(double chsy, double chsy_without_output);
// The cores in whole nodes, as they are allocated. cores_per_node 0: not known, and nothing is rounded.
[[nodiscard]] double in_whole_nodes(double cores, std::int64_t cores_per_node);
// Equation 11 as the paper's text words it: P_IO / P_M, the allocation fraction of the components that called
// cpl_lb_set_io_server. NaN if there are none. With cores_per_node P_M counts whole nodes, and so do servers that
// have nodes to themselves, if processes fill the nodes in the order of their ranks. Servers that share a node cost
// their cores, and so do all servers if the run had more nodes than that.
[[nodiscard]] double io_server_cost(const CoupledRun &run, std::int64_t cores_per_node = 0);

// Fills every row that follows from the run's data. Rows that need meters, several runs or a job history stay NaN.
[[nodiscard]] Cpmip cpmip_of(const CoupledRun &run);

// What takes most of a start-up.
enum class StartupWork : std::uint8_t { not_known, setup, files, exchanges };

// With fewer steps nobody can tell how long the next ones are. Without dates it is not known how much simulated time
// lies before the first exchange and after the last: up to a step.
inline constexpr std::int64_t least_steps_of_long_run = 10, least_steps_without_dates = 30;

// Seconds; NaN: not known.
struct LongRun {
    double startup_s = unknown;  // from the first cpl_lb_init until the last component is in its coupling loop
    double shutdown_s = unknown; // from the end of the last coupling loop to the last cpl_lb_terminate
    std::int32_t last = 0;       // id of the component that begins its loop last
    StartupWork work = StartupWork::not_known; // of its start-up, if it takes half of it or more
    double work_s = unknown;
    double mpi_s = unknown; // of its start-up in MPI inside it, mean of its processes, if half of it or more
    // Unknown if a component's computing changes for good, or if there are few steps.
    double loop_sypd = unknown; // of the coupling loop alone
    double year_s = unknown;    // of one job that simulates a year: start-up, loop, shut-down
};

[[nodiscard]] LongRun long_run_of(const CoupledRun &run);

} // namespace cpl_lb
