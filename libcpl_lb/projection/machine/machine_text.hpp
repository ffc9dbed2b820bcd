// A machine as tables for the screen.
#pragma once

#include "projection/machine/machine.hpp"

namespace cpl_lb {

// Rates at the machine's usual clock; the file has those at other clocks.
[[nodiscard]] std::string machine_as_text(const Machine &machine);

} // namespace cpl_lb
