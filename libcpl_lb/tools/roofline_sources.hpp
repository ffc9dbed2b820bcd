// W and Q of regions: from a run's json, or from a table.
#pragma once

#include "projection/roofline/roofline.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Columns region, flops, bytes, seconds; or bytes by level: L1_bytes, L2_bytes, L3_bytes, DRAM_bytes. `seconds` may
// be absent. Throws FileError with line and column.
[[nodiscard]] std::vector<RegionWork> work_in_table(const std::string &path);

// The regions of load_balancing_info.json, each as if it ran on `threads` cores at once: its counters, else what its
// author says of it (annotations). Regions without either come with no work. Throws FileError.
[[nodiscard]] std::vector<RegionWork> work_in_run(const std::string &path, int threads);
// The same from the text of such a file; `path` is for the errors.
[[nodiscard]] std::vector<RegionWork> work_in_json(const std::string &text, const std::string &path, int threads);

} // namespace cpl_lb
