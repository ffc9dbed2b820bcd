// Settings from the namelist and the environment (docs/namelist.md). Pure but for load_settings_from_system.
#pragma once

#include "data/settings.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cpl_lb {

// The variables that start with CPL_LB_, by name.
using Environment = std::map<std::string, std::string, std::less<>>;

struct NamelistFile {
    std::string name = "namelist_cpl_lb"; // for messages
    std::optional<std::string> text;      // nothing: there is no such file
};

struct SettingsResult {
    Settings settings;   // switched off if there is an error
    std::string error;   // one line: "namelist_cpl_lb:7: nn_max_mb: not an integer: 'abc'"
    std::string warning; // one line
    bool found_namelist = false;
    std::string folder;         // the working directory; only of load_settings_from_system
    bool timeout_given = false; // rn_timeout is not the default's
};

// No file, or an empty environment: switched off. The environment wins.
[[nodiscard]] SettingsResult load_settings(const NamelistFile &file, const Environment &environment);

// The file that CPL_LB_NAMELIST names, else namelist_cpl_lb, in the working directory or else where the program was
// started: models change their directory. Not for concurrent setenv.
[[nodiscard]] SettingsResult load_settings_from_system();

} // namespace cpl_lb
