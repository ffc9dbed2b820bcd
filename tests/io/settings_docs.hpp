// The documented namelist, made from the table that the code reads.
#pragma once

#include "io/settings/settings_table.hpp"
#include "support/fmt.hpp"

#include <string>

namespace cpl_lb::test {

// A group with all names, values and meanings, which reads back as the same settings.
[[nodiscard]] inline std::string namelist_of(const Settings &settings) {
    std::string text = fmt::format("&{}\n", namelist_group);
    for (const Setting &setting : settings_table()) {
        if (setting.name.empty()) continue;
        text +=
            fmt::format("   {:<15} = {:<13} ! {}\n", setting.name, fortran_literal(settings, setting), setting.help);
    }
    return text + "/\n";
}

} // namespace cpl_lb::test
