// Figures of an answer for programs, and the same in words.
#pragma once

#include "data/time.hpp"
#include "tests/json.hpp"

#include <cmath>
#include <map>
#include <string>

namespace cpl_lb::test {

using Figures = std::map<std::string, std::string>; // of a sentence, by their names

inline double number(const nlohmann::json &object, const char *name) {
    const nlohmann::json &value = object.at(name);
    return value.is_number() ? value.get<double>() : unknown;
}

inline bool is_number(const std::string &text, double value) {
    return std::isfinite(value) ? std::abs(std::stod(text) - value) <= 0.006 * std::abs(value) + 1e-3 : text == "n/a";
}

} // namespace cpl_lb::test
