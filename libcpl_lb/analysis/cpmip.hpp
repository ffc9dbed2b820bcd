// The CPMIP metrics of Balaji et al. 2017 (definitions, section 3) from what the run holds.
#pragma once

#include "data/coupled_run.hpp"

namespace cpl_lb {

// Simulated years per wall-clock day. NaN when simulated_s is not known or wall_s is not above 0.
[[nodiscard]] double sypd(double simulated_s, double wall_s, double year_days);
// Core hours per simulated year.
[[nodiscard]] double chsy(double cores, double wall_s, double simulated_s, double year_days);
// Equation 7 from the components' wall times and their waiting over the whole run.
[[nodiscard]] double coupling_cost(const CoupledRun &run, bool with_operations);

// Every row that the run's own data gives; the others stay NaN.
[[nodiscard]] Cpmip cpmip_of(const CoupledRun &run);

} // namespace cpl_lb
