// Finds settings by their names in the namelist (&Setting::name) or the environment (&Setting::environment).
#pragma once

#include "io/settings_table.hpp"

#include <string>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] const Setting *find_setting(std::string_view name, std::string_view Setting::*column); // may be null

// " (nn_max_mb?)" for nn_maxmb; "" if no name is near.
[[nodiscard]] std::string nearest_setting(std::string_view given, std::string_view Setting::*column);

} // namespace cpl_lb
