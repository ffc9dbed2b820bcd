// load_balancing_info.json: everything that is known of a run, for programs (schema "cpl_lb/1", see
// docs/load_balancing_info.md), and back as far as `cpl-lb` needs it beside the timelines.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace cpl_lb {

// Names that are not UTF-8 get U+FFFD for each wrong byte; NaN and infinity become null.
// figures: without what grows with the run, the ranks and the steps of each component.
enum class InfoDetail : std::uint8_t { all, figures };
[[nodiscard]] std::string info_json(const CoupledRun &run, InfoDetail detail = InfoDetail::all);
[[nodiscard]] JsonTree info_tree(const CoupledRun &run, InfoDetail detail);

// The run as the json tells it: all figures, and for the components everything but the events.
// Members that are missing or of another type stay at their defaults. Throws FileError (naming `path`) when the
// text is no JSON object or has another schema.
[[nodiscard]] CoupledRun run_from_json(const std::string &path, std::string_view text);

// The CPMIP table as json: under the names of load_balancing_info.json, and under those of ES-DOC, the model
// documentation of CMIP.
[[nodiscard]] JsonTree cpmip_json(const Cpmip &rows);
[[nodiscard]] JsonTree platform_json(const Platform &platform);

// Members of the class Performance of the Common Information Model 2.2 (ES-DOC/esdoc-cim-v2-schema), and those of its
// form before August 2016, in percentages: coupler_load is the coupler's own operations, load_imbalance the waiting
// (together equation 7 with operations), io_load equations 10 and 11, memory_bloat the memory beyond the model's
// state. What is not known is null.
[[nodiscard]] JsonTree es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes);

} // namespace cpl_lb
