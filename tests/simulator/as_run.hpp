// A simulated run as the library gets to see it: only events and their times cross over.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <string>

namespace cpl_lb::simulator {

// With all figures of the components' loops (docs/definitions.md, section 2). The simulated processes stand for all,
// each for as many of them.
[[nodiscard]] CoupledRun as_coupled_run(const Run &run);

// timeline_<component>.nc of each component, as the library writes them, and load_balancing_info.json where a
// component is an I/O server. The directory must be there.
void write_timelines(const std::string &directory, const Run &run);

} // namespace cpl_lb::simulator
