// The words and figures of the page as JSON for its scripts. Its size is bounded, however large the run is.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "page/page.hpp"

#include <optional>
#include <string_view>

namespace cpl_lb {

// load_balancing_info.json without ranks, and the steps thinned; plain words; the CPMIP table with meanings.
[[nodiscard]] JsonTree page_json(const CoupledRun &run);

[[nodiscard]] JsonTree roofline_page_json(const std::optional<PageRoofline> &roofline);

// The meaning of a row of the CPMIP table (report/cpmip_table.hpp), in a sentence; empty for an unknown label.
[[nodiscard]] std::string_view cpmip_meaning(std::string_view label);

} // namespace cpl_lb
