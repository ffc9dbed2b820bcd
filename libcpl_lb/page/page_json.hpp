// What the page tells its scripts: words and figures as JSON, timelines and arrivals as blocks of bytes. Its size is
// bounded, however large the run is.
#pragma once

#include "data/balance.hpp"
#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "io/json/json_tree.hpp"
#include "page/page.hpp"
#include "page/page_file.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// load_balancing_info.json without ranks, and the steps thinned; plain words; the CPMIP table with meanings.
[[nodiscard]] JsonTree page_json(const CoupledRun &run);

// Groups of nodes with the same processes: how many nodes, their names, and the number of processes of each component
// (by place in the run) on each; null if it is not known. Or why nothing is known.
[[nodiscard]] JsonTree layout_json(const CoupledRun &run);
// "nid0001 to nid0012" for three names or more that count up.
[[nodiscard]] std::vector<std::string> ranges_of_names(const std::vector<std::string> &names);

// Fields by source and target, the longest first: times of the whole run, from the arrival of the last process until
// the last one leaves, and the messages and bytes of the sender; null: not known.
[[nodiscard]] JsonTree fields_json(const CoupledRun &run);

// Writes the map's blocks, what each process of a component did and where its part of the grid lies, and returns what
// the scripts need to know about them, one entry for each component (libcpl_lb/page/README.md).
[[nodiscard]] JsonTree write_maps(PageFile &file, const CoupledRun &run);

[[nodiscard]] JsonTree roofline_page_json(const std::optional<PageRoofline> &roofline);

// The meaning of a row of the CPMIP table (report/text_sections.hpp), in a sentence; empty for an unknown label.
[[nodiscard]] std::string_view cpmip_meaning(std::string_view label);

// At most `most_points` groups of equally many steps, with their means; the distribution of each figure (of the means
// of groups, if the run lists its steps in groups); and the steps that differ most from the others.
[[nodiscard]] JsonTree page_steps(const ComponentBalance &balance, std::size_t most_points);

// Writes the blocks and returns what the browser must know about them (libcpl_lb/page/README.md).
[[nodiscard]] JsonTree write_timeline_blocks(PageFile &file, const CoupledRun &run, const PageSources &sources);

// Whether arrivals are few enough to be shown. An arrival is when the last process of a component came to an
// exchange: it separates waiting from the component's own imbalance.
[[nodiscard]] bool shows_arrivals(const CoupledRun &run);

// Writes a block for each component and returns what the scripts need to know about them. Null if the page needs
// none, because it holds all events of all processes, or if arrivals are not known or would take too many bytes.
[[nodiscard]] JsonTree write_arrivals(PageFile &file, const CoupledRun &run);

} // namespace cpl_lb
