// The variables of a timeline that identify its events: kind, field, component, date.
#pragma once

#include "data/event_keys.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] bool any_date(const EventKeys &keys);

// To a file out of define mode.
void write_keys(const NetcdfFile &file, const EventKeys &keys);
// `component` alone, once more.
void write_counterparts(const NetcdfFile &file, const EventKeys &keys);
// The same to a file that nobody has open. result: what errors name.
void write_counterparts_to_file(const std::string &path, const std::string &result, const EventKeys &keys);

} // namespace cpl_lb
