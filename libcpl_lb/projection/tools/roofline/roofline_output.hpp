// The roofline for programs, and for the page of a run.
#pragma once

#include "data/coupled_run.hpp"
#include "page/page.hpp"
#include "projection/roofline/roofline.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <string>

namespace cpl_lb {

// What cpl-lb roofline --json prints; NaN: null.
[[nodiscard]] std::string roofline_json(const Roofline &roofline);

// The regions of a run on a machine; where the run has none, why_not says so. Throws std::invalid_argument as
// roofline_of() does.
[[nodiscard]] PageRoofline page_roofline(const CoupledRun &run, const Machine &machine, RooflineSetting setting,
                                         const CoresAtWork &said);

} // namespace cpl_lb
