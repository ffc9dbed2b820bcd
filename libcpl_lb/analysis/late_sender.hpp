// The process of a component for whose messages its others wait again and again, and what the messages between its
// processes come to in a coupling step (docs/definitions.md, "Who talks to whom inside a component").
#pragma once

#include "data/coupled_run.hpp"

namespace cpl_lb {

// The share in the component's core time in its loop; without a loop, in its run. NaN: the length is not known.
[[nodiscard]] double share_of_core_time(const Component &component, double seconds);

// Null if there is none, or if it is not known.
[[nodiscard]] const WaitedFor *late_sender(const Component &component);

// The share of the core time that certainly goes into waits for that process; 0: no process is late again and again;
// NaN: not known.
[[nodiscard]] double late_sender_share(const Component &component);

// Messages and bytes of the whole run, start-up and end included, divided by the steps of the loop. NaN: not known.
struct StepTraffic {
    double messages = unknown, bytes = unknown;
};
[[nodiscard]] StepTraffic traffic_of_step(const Component &component);

} // namespace cpl_lb
