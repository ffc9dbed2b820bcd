// The documentation of the settings, from the table that the code reads.
#pragma once

#include "data/settings.hpp"
#include "io/settings/settings_table.hpp"

#include <string>

namespace cpl_lb {

// A group with all names, values and meanings, which reads back as the same settings.
[[nodiscard]] std::string namelist_of(const Settings &settings);

[[nodiscard]] inline std::string documented_namelist() {
    return namelist_of(default_settings_of_namelist());
}

// docs/namelist.md
[[nodiscard]] std::string namelist_page();

} // namespace cpl_lb
