// Mapping, output and restart in each coupling step (docs/definitions.md, section 2).
#pragma once

#include "data/balance.hpp"
#include "data/events.hpp"

#include <vector>

namespace cpl_lb {

// By step of the window: the time in which some process is in such an operation, from the first begin to the last
// end. Overlaps count once. An operation belongs to the step in which it begins. Empty: there are no such operations.
struct StepOperations {
    std::vector<Nanoseconds> mapping, output, restart;
};
[[nodiscard]] StepOperations operations_by_step(const EventTable &events, const Window &window);

} // namespace cpl_lb
