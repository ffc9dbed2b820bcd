// Jobs in a machine room: first come first served, with backfill. This takes the place of the simulator that ESCAPE
// D3.5 used for whole systems.
#pragma once

#include "data/time.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct QueuedJob {
    std::string name;
    double submitted_s = 0;
    int nodes = 1;
    double seconds = unknown; // it asks for exactly the time that it takes
    double power_W = unknown; // of one node while it runs; NaN: not known
};

struct MachineRoom {
    int nodes = 1;
    double idle_W = unknown; // of one node; NaN: not known
};

struct JobStart {
    double start_s = unknown;
    bool backfilled = false; // it overtook a job that had come before
};

struct RoomSchedule {
    std::vector<JobStart> jobs;                 // in the order given
    double first_s = unknown, last_s = unknown; // first submission, last end
    double mean_wait_s = unknown, longest_wait_s = unknown;
    double use = unknown;                     // busy node seconds over nodes x (last_s - first_s)
    double job_J = unknown, idle_J = unknown; // NaN if a power is not known
};

// Jobs start in the order of their submission (equal ones in the order given). While the first in the queue waits for
// nodes, a later one starts ahead of it if it does not delay that first one (EASY backfill, Lifka 1995), or never
// without `backfill`. Throws ProjectionError for a job that is larger than the room, and without jobs.
[[nodiscard]] RoomSchedule schedule_jobs(const std::vector<QueuedJob> &jobs, const MachineRoom &room, bool backfill);

} // namespace cpl_lb
