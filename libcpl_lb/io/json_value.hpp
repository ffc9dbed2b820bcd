// Values as the JSON files have them: what is not known is null, never 0 or "".
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace cpl_lb {

[[nodiscard]] inline nlohmann::ordered_json json_number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

[[nodiscard]] inline nlohmann::ordered_json json_text(const std::string &value) {
    return value.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

} // namespace cpl_lb
