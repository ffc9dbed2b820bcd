// The part of load_balancing_info.json that meters fill, both ways (docs/load_balancing_info.md).
#pragma once

#include "data/coupled_run.hpp"
#include "io/json_object.hpp"
#include "io/json_tree.hpp"

namespace cpl_lb {

[[nodiscard]] JsonTree run_meters_json(const RunMeters &meters);
[[nodiscard]] JsonTree platform_json(const Platform &platform);
void add_component_meters(JsonTree &component, const ComponentMeters &meters);
void add_region_meters(JsonTree &region, const RegionSummary &summary);

[[nodiscard]] RunMeters run_meters_of(const JsonObject &object);
[[nodiscard]] Platform platform_of(const JsonObject &object);
[[nodiscard]] ComponentMeters component_meters_of(const JsonObject &component);
[[nodiscard]] RegionMeters region_meters_of(const JsonObject &region);

} // namespace cpl_lb
