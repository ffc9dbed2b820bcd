// Settings as text, for the broadcast from the root: executables of one run may hold different builds of the library.
#pragma once

#include "data/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// No settings that load_settings accepts are longer.
inline constexpr std::size_t encoded_settings_max_bytes = 8000;

// The first line, which names the version of the library. Other versions send other messages: a run has one.
[[nodiscard]] const char *settings_header();

[[nodiscard]] std::string encode(const Settings &settings);

// Nothing if encode of the same version did not write this, or if a value is out of its range.
[[nodiscard]] std::optional<Settings> decode_settings(std::string_view text);

// The version of the library that encoded this text; empty: the text has none.
[[nodiscard]] std::string version_of_settings(std::string_view text);

// The namelist names of all settings that differ.
[[nodiscard]] std::vector<std::string_view> differing_settings(const Settings &a, const Settings &b);

} // namespace cpl_lb
