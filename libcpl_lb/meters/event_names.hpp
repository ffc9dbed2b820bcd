// The list of events in cn_counters.
#pragma once

#include "meters/reader.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// "PAPI_TOT_INS, perf::PAGE-FAULTS" -> its names, in order, each once, blanks dropped.
[[nodiscard]] std::vector<std::string> split_event_names(std::string_view list);

// The status of several events: it works if one of them does. One line says which others are missing.
[[nodiscard]] Availability availability_of(std::span<const Quantity> quantities, const std::string &remedy);

// A context switch or migration happens inside the kernel: counted in user mode only, it is always 0.
[[nodiscard]] bool happens_in_kernel(std::string_view event_name);

} // namespace cpl_lb
