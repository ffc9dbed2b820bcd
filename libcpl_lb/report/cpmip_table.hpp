// The rows of the CPMIP table (Balaji et al. 2017, section 3) with units, and the reason if a row is n/a.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct CpmipRow {
    const char *label;
    const char *unit;
    double value;        // NaN: n/a
    std::string why_not; // in words, where the value is n/a
    bool is_count = false;
};

[[nodiscard]] std::vector<CpmipRow> cpmip_rows(const CoupledRun &run);
// Numbers come first, then the rows that are n/a, each reason once.
[[nodiscard]] std::string cpmip_text(const CoupledRun &run);

} // namespace cpl_lb
