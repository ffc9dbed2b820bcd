// Writes and reads the annotations of regions in load_balancing_info.json.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_object.hpp"
#include "io/json/json_tree.hpp"

namespace cpl_lb {

// "annotations" of a region, if it has any; "parameters" and "control_flow" of a component likewise.
void add_annotations(JsonTree &region, const RegionSummary &summary);
void add_annotations(JsonTree &component, const Component &c);
void read_annotations(const JsonObject &region, RegionSummary &summary);
void read_annotations(const JsonObject &component, Component &c);

} // namespace cpl_lb
