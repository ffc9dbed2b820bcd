// When the last process of a component came to each exchange: what tells waiting from the component's own imbalance.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "page/page_file.hpp"

namespace cpl_lb {

// Whether they are few enough to be shown.
[[nodiscard]] bool shows_arrivals(const CoupledRun &run);

// Writes a block for each component and returns what the scripts have to know of them; null if the page needs
// none, because it holds all events of all processes, or if it is not known or would take too many bytes.
[[nodiscard]] JsonTree write_arrivals(PageFile &file, const CoupledRun &run);

} // namespace cpl_lb
