// The CPMIP table as json: under the names of load_balancing_info.json, and under those of ES-DOC, the model
// documentation of CMIP.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] JsonTree cpmip_json(const Cpmip &rows);
[[nodiscard]] JsonTree platform_json(const Platform &platform);

// Members of the class Performance of the Common Information Model 2 (ES-DOC/esdoc-cim-v2-schema). Its percentages:
// coupler_load is the coupler's own operations, load_imbalance the waiting (together equation 7 with operations),
// io_load equations 10 and 11, memory_bloat the memory beyond the model's state. What is not known is null.
[[nodiscard]] std::string es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes);

} // namespace cpl_lb
