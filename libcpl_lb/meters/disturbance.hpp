// Signs that somebody else uses this process's core, too.
#pragma once

#include <cstdint>

namespace cpl_lb {

// How often the kernel took the processor away from this process, all its threads; -1: not known.
[[nodiscard]] std::int64_t involuntary_switches();
// Processors of this node that work; 0: not known.
[[nodiscard]] std::int64_t processors_of_node();

} // namespace cpl_lb
