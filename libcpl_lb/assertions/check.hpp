// Compares what the author says about the work of regions with what was measured (Modeling Assertions, section 3.4).
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Fills in what the counters or the clock measured for each annotation, or why there is nothing.
void check_annotations(CoupledRun &run);
void check_annotations(RegionSummary &region);

// Remarks in words, each once: expressions without a value, parts larger than the whole, parameters that differ.
[[nodiscard]] std::vector<std::string> annotation_remarks(const CoupledRun &run);

[[nodiscard]] const Annotation *annotation_of(const RegionSummary &region, std::string_view quantity);

} // namespace cpl_lb
