// Finds out who came to terminate. Arrivals go up a tree of the ranks, and the verdict that all are there goes down
// it: no process sends or receives more than a few messages. If somebody is late by a quarter of rn_timeout, all who
// are there tell a few candidates directly. The first candidate (rank 0) starts the gathering as soon as all are
// there, or when the earliest has waited rn_timeout. If rank 0 itself does not come, the next candidate takes its
// place. A process that comes later is told that the others went on.
#pragma once

#include "mpi/process_map.hpp"
#include "mpi/transport.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct Meeting {
    bool held = false;  // false: nobody decided in time
    NumberList present; // ascending ranks; empty if this process came too late
    std::vector<int> missing;
    std::int64_t earliest_ns = 0; // arrivals, on the common clock
    std::int64_t latest_ns = 0;
    bool includes_me = false;
};

// arrival_ns: this process's arrival on the common clock; offset_ns: common - CLOCK_MONOTONIC.
[[nodiscard]] Meeting meet(Transport &transport, const ProcessMap &process_map, std::int64_t arrival_ns,
                           std::int64_t offset_ns);

} // namespace cpl_lb
