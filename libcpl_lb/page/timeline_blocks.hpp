// The timelines as blocks of the page: bins of all processes, exact events of as many as fit.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "page/page.hpp"
#include "page/page_file.hpp"

namespace cpl_lb {

// Writes the blocks and returns what the browser must know of them (docs/report.md, "The data of the page").
[[nodiscard]] JsonTree write_timeline_blocks(PageFile &file, const CoupledRun &run, const PageSources &sources);

} // namespace cpl_lb
