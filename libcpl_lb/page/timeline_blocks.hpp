// The timelines as blocks of the page: bins of all processes, exact events of as many as fit.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "io/json/json_tree.hpp"
#include "page/page.hpp"
#include "page/page_file.hpp"

#include <optional>

namespace cpl_lb {

// Writes the blocks and returns what the browser must know of them (docs/report.md, "The data of the page"). With a
// guest only if all rows of all components are read here, by several threads; else nothing is written or returned.
[[nodiscard]] std::optional<JsonTree> write_timeline_blocks(PageFile &file, const CoupledRun &run,
                                                            const PageSources &sources,
                                                            const RowGuest *guest = nullptr);

} // namespace cpl_lb
