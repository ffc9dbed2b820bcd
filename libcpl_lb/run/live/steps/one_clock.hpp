// Steps 2 and 3 of cpl_lb_terminate: who came, one clock for the run, and the times that all need.
#pragma once

#include "mpi/clock_sync.hpp"
#include "mpi/group.hpp"
#include "mpi/meeting.hpp"
#include "run/live/process_record.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct RunClock {
    CommonClock clock;
    Nanoseconds zero = 0;              // earliest cpl_lb_init on the common clock
    std::int64_t zero_realtime_ns = 0; // the same by the clock of day of the leader's node
    Nanoseconds latest_arrival = 0;    // in run time, as all below
    Nanoseconds first_init = 0;        // of this process
    Nanoseconds arrival = 0;           // of this process
    std::int64_t bound_ns = 0;         // of all processes
    std::int64_t own_bound_ns = 0;
    double simulated_s = 0; // the longest length that a process gave, else that of the settings

    [[nodiscard]] Nanoseconds to_run_time(Nanoseconds local) const { return clock.to_common(local) - zero; }
};

// Collective over the present processes.
[[nodiscard]] RunClock agree_on_clock(Group &present, const ProcessRecord &record, ProblemList &problems);

// Collective; the leader gets the bound of each process [s], in the order of the group.
[[nodiscard]] std::vector<double> gather_clock_bounds(Group &group, std::int64_t own_bound_ns);

// Step 2 of cpl_lb_terminate: finds out who came, and prints who did not. present is empty if the others went on
// without this process, or none came: then terminate ends here, with a message.
[[nodiscard]] Meeting take_part(const ProcessRecord &record, ProblemList &problems);

} // namespace cpl_lb
