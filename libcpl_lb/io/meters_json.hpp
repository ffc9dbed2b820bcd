// The part of load_balancing_info.json that meters fill, both ways (docs/load_balancing_info.md).
#pragma once

#include "data/coupled_run.hpp"
#include "io/json_object.hpp"

#include <nlohmann/json.hpp>

namespace cpl_lb {

[[nodiscard]] nlohmann::ordered_json run_meters_json(const RunMeters &meters);
[[nodiscard]] nlohmann::ordered_json platform_json(const Platform &platform);
void add_component_meters(nlohmann::ordered_json &component, const ComponentMeters &meters);
void add_region_meters(nlohmann::ordered_json &region, const RegionSummary &summary);

[[nodiscard]] RunMeters run_meters_of(const JsonObject &object);
[[nodiscard]] Platform platform_of(const JsonObject &object);
[[nodiscard]] ComponentMeters component_meters_of(const JsonObject &component);
[[nodiscard]] RegionMeters region_meters_of(const JsonObject &region);

} // namespace cpl_lb
