// Compares what a model's author says of its regions with what was measured there (paper 003, section 3.4).
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Fills in what was measured of each annotation, with its counters or the clock, and why it was not.
void check_annotations(CoupledRun &run);
void check_annotations(RegionSummary &region);

// In words, once each: expressions without a value, parts larger than the whole, parameters that differ.
[[nodiscard]] std::vector<std::string> annotation_remarks(const CoupledRun &run);

[[nodiscard]] const Annotation *annotation_of(const RegionSummary &region, std::string_view quantity);

} // namespace cpl_lb
