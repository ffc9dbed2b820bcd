// The quantities that a model's author can put into an expression, the counters that measure them, and how both
// compare (Modeling Assertions, section 3.4).
#pragma once

#include "data/coupled_run.hpp"
#include "data/meters.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct AssertedQuantity {
    std::string_view name; // "flops"
    std::string_view unit; // "" or of one call
    std::string_view words;
    bool is_amount; // of one call: calls add up. Otherwise a property of the region.
};
[[nodiscard]] std::span<const AssertedQuantity> asserted_quantities();
[[nodiscard]] const AssertedQuantity *asserted_quantity(std::string_view name); // null: there is none
[[nodiscard]] std::string names_of_asserted_quantities();                       // "flops, loads, ..."

// From the counters of a region, mean over the processes: the first way for which all counters are there.
struct Measured {
    double value = unknown;
    std::string by;  // "PAPI_DP_OPS"
    std::string why; // where value is NaN
};
[[nodiscard]] Measured measured_by_counters(std::string_view quantity, const std::vector<NamedSpread> &counters);

// Compares what the author says about the work of regions with what was measured: fills in what the counters or the
// clock measured for each annotation, or why there is nothing.
void check_annotations(CoupledRun &run);
void check_annotations(RegionSummary &region);

// Remarks in words, each once: expressions without a value, parts larger than the whole, parameters that differ.
[[nodiscard]] std::vector<std::string> annotation_remarks(const CoupledRun &run);

[[nodiscard]] const Annotation *annotation_of(const RegionSummary &region, std::string_view quantity);

} // namespace cpl_lb
