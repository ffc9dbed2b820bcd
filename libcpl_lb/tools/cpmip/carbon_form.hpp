// The energy and the CO2e of an experiment, as CMIP7 asks modelling centres for them: figures of the computing
// centre, given with their sources, and figures of the run.
#pragma once

#include "analysis/energy.hpp"
#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct JobLogFigures;

struct SourcedFigure : GivenFigure {
    std::string source;
};
struct CentreFacts {
    std::string location, location_source;
    SourcedFigure pue, emission_factor; // kg/kWh
    SourcedFigure energy;               // kWh, of the whole experiment
    struct Share {
        std::string carrier, source;
        double per_cent = 0;
    };
    std::vector<Share> mix;
};
// CSV with the columns quantity, value, unit, source and, for intervals, low and high. Quantities: location, pue,
// emission_factor, energy, "mix NAME". Throws FileError with line and column.
[[nodiscard]] CentreFacts read_centre_facts(const std::string &path);

struct CarbonForm {
    CentreFacts centre;
    double years = unknown, core_hours = unknown;
    SourcedFigure energy_kWh;
    bool has_building = false; // the energy is the platform's, with cooling: PUE is in it
    CarbonFootprint footprint;
    std::string why_no_co2e;
    std::vector<std::string> remarks;
};
[[nodiscard]] CarbonForm carbon_form(const CentreFacts &centre, const CoupledRun &run, const JobLogFigures *log);

[[nodiscard]] std::string carbon_text(const CarbonForm &form);
[[nodiscard]] JsonTree carbon_json(const CarbonForm &form);

} // namespace cpl_lb
