// The beginning and the end of a run beside its loop: how fast the loop alone is, and what a long run would take
// (docs/definitions.md, section 3).
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>

namespace cpl_lb {

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
