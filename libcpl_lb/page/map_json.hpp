// The map: what each process of a component did, as blocks of the page, and where its part of the grid lies.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "page/page_file.hpp"

namespace cpl_lb {

// Writes the blocks and returns what the scripts need to know about them, one entry for each component
// (libcpl_lb/page/README.md).
[[nodiscard]] JsonTree write_maps(PageFile &file, const CoupledRun &run);

} // namespace cpl_lb
