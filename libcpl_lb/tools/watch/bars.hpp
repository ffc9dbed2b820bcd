// The balance as bars of characters, for a terminal.
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <string>

namespace cpl_lb {

// One line for each component with a coupling loop: name, bar, per cent of the loop that it waits, and for whom most.
// Bars of computing are '=' and of waiting '.', so that they read without colour; what an I/O server idles is blank;
// at most `most` components, those with the most core time.
[[nodiscard]] std::string balance_bars(const CoupledRun &run, std::size_t columns, bool colour,
                                       std::size_t most = 20);

// Whether standard output is a terminal that wants colour: NO_COLOR (no-color.org) and TERM=dumb say no.
[[nodiscard]] bool terminal_has_colour();

} // namespace cpl_lb
