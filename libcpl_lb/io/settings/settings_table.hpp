// The one table of all settings: namelist, environment, broadcast and documentation are made from it.
#pragma once

#include "data/settings.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace cpl_lb {

using SettingMember =
    std::variant<bool Settings::*, std::int64_t Settings::*, double Settings::*, std::string Settings::*>;

struct Setting {
    std::string_view name;        // in the namelist; empty: environment only
    std::string_view environment; // variable
    SettingMember member;
    double least; // of numbers, and of the lengths of strings [bytes]
    double most;
    std::string_view help;
};

[[nodiscard]] std::span<const Setting> settings_table();

// The settings that the documentation shows: all defaults, switched on, as in a group that is present.
[[nodiscard]] Settings default_settings_of_namelist();

// CPL_LB_... variables that are not settings.
inline constexpr std::string_view environment_prefix = "CPL_LB_";
inline constexpr std::string_view environment_of_namelist = "CPL_LB_NAMELIST"; // names the file
inline constexpr std::array<std::string_view, 6> other_variables =
    { // clock, roll call, find_package, adapter, cpl-lb-record
        environment_of_namelist, "CPL_LB_CLOCK",     "CPL_LB_LINKED",
        "CPL_LB_ROOT",           "CPL_LB_MCT_NAMES", "CPL_LB_COMPONENT"};
inline constexpr std::string_view namelist_default_file = "namelist_cpl_lb";
inline constexpr std::string_view namelist_group = "namcpl_lb";

// "" or what is wrong with the text as value of the setting; to is changed only if nothing is.
[[nodiscard]] std::string assign(Settings &to, const Setting &setting, std::string_view text);

// As Fortran writes it: .true., 512, 600., 'text'.
[[nodiscard]] std::string fortran_literal(const Settings &settings, const Setting &setting);

// "" or the first thing that is wrong between settings; name gets the name that is to blame.
[[nodiscard]] std::string inconsistency(const Settings &settings, std::string &name);

} // namespace cpl_lb
