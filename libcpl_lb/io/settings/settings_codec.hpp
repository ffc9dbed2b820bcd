// Settings as text, for the broadcast from the root: executables of one run may hold different builds of the library.
#pragma once

#include "data/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cpl_lb {

// No settings that load_settings accepts are longer.
inline constexpr std::size_t encoded_settings_max_bytes = 8000;

[[nodiscard]] std::string encode(const Settings &settings);

// Nothing if encode of the same version did not write this, or if a value is out of its range.
[[nodiscard]] std::optional<Settings> decode_settings(std::string_view text);

} // namespace cpl_lb
