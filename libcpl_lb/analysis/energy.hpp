// The energy of a run: its division among the components of each node, and the emissions of an experiment.
#pragma once

#include "data/coupled_run.hpp"
#include "data/time.hpp"

#include <span>
#include <string>

namespace cpl_lb {

// Energy is measured for whole nodes. A component that has its nodes for itself gets all of it, idle cores included,
// because they are allocated for it. A shared node's energy goes to its components by their cores there, and is
// called an estimate. A process that runs several components in turn counts for the one with the lowest id. If one
// node of a component could not be measured, the component has no figure, and neither has the run. node_of_rank:
// index in run.meters.nodes of each rank of comm. Also fills in the processes and cores of the nodes.
void share_energy(CoupledRun &run, std::span<const std::int32_t> node_of_rank);

// The emissions of an experiment: CO2e = energy x PUE x emission factor, with intervals (docs/definitions.md, section
// 3). The user gives the last two, with their source; nothing is assumed.
struct GivenFigure {
    double value = unknown;
    double low = unknown, high = unknown; // its interval; NaN: none was given
};

struct CarbonFootprint {
    GivenFigure building_kWh; // with cooling and the rest of the building
    GivenFigure co2e_kg;
    // Factors of co2e_kg without an interval ("the energy, the PUE"): the interval of co2e_kg is then too narrow.
    std::string without_interval;
};

// emission factor in kg/kWh. Without a factor, figures that need it are unknown. The intervals of the factors are
// taken as independent and of one level; their relative half widths add up in squares, below and above separately.
[[nodiscard]] CarbonFootprint carbon_footprint(const GivenFigure &energy_kWh, const GivenFigure &pue,
                                               const GivenFigure &emission_factor);

} // namespace cpl_lb
