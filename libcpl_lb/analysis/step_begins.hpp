// Which occurrences of the reference of the coupling loop begin a step (docs/definitions.md, section 2, "Bursts").
#pragma once

#include "data/events.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace cpl_lb {

// One occurrence of the reference: its place in the table. With its S it would take four times as much memory.
using Occurrence = std::uint32_t;

// Whether some exchange of the component occurred so often, give or take two.
using Occurs = std::function<bool(std::int64_t times)>;

// `occurrences`: in the order of their S.
void leave_step_begins(std::vector<Occurrence> &occurrences, const EventTable &events, const Occurs &occurs);

} // namespace cpl_lb
