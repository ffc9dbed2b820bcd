// One row of an intercomparison in the form of table 1 of Balaji et al. 2017.
#pragma once

#include "data/time.hpp"

#include <string>

namespace cpl_lb {

struct ModelRow {
    std::string model;
    char mode = ' ';             // 'S' speed, 'T' throughput (section 4.1), ' ' not said
    double resolution = unknown; // grid points
    double complexity = unknown; // prognostic variables
    double sypd = unknown, chsy = unknown;
    double coupling_cost = unknown, data_output_cost = unknown; // fractions
    double data_intensity = unknown;                            // GB / core hour
    double memory_bloat = unknown;
    double asypd = unknown;
    std::string platform;
};

} // namespace cpl_lb
