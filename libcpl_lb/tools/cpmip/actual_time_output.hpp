// Where the time between SYPD and ASYPD went, for the output of cpl-lb cpmip.
#pragma once

#include "analysis/job_log.hpp"
#include "io/json/json_tree.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] std::string actual_time_text(const ActualTime &time); // empty without ASYPD
[[nodiscard]] JsonTree actual_time_json(const ActualTime &time);
// A line of names and a line of values, with more columns [hours] at their ends.
[[nodiscard]] std::string with_time_columns(const std::string &csv, const ActualTime &time);

} // namespace cpl_lb
