// The emissions of an experiment: CO2e = energy x PUE x emission factor, with intervals (docs/definitions.md, section
// 3). The user gives the last two, with their source; nothing is assumed.
#pragma once

#include "data/time.hpp"

#include <string>

namespace cpl_lb {

struct GivenFigure {
    double value = unknown;
    double low = unknown, high = unknown; // its interval; NaN: none was given
};

struct CarbonFootprint {
    GivenFigure building_kWh; // with cooling and the rest of the building
    GivenFigure co2e_kg;
    // Factors of co2e_kg that came without an interval ("the energy, the PUE"): its own interval is too narrow.
    std::string without_interval;
};

// emission factor in kg/kWh. Without a factor, figures that need it are unknown. The intervals of the factors are
// taken as independent and of one level; their relative half widths add up in squares, below and above separately.
[[nodiscard]] CarbonFootprint carbon_footprint(const GivenFigure &energy_kWh, const GivenFigure &pue,
                                               const GivenFigure &emission_factor);

} // namespace cpl_lb
