#include "io/settings_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cpl_lb {

namespace {

// Levenshtein distance of two short words.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

} // namespace

std::string nearest_setting(std::string_view given, std::string_view Setting::*column) {
    constexpr std::size_t longest = 32;
    if (given.size() > longest) return {};
    std::string_view best;
    std::size_t nearest = 3;
    for (const Setting &setting : settings_table()) {
        const std::size_t d = distance(given, setting.*column);
        if (d < nearest && !(setting.*column).empty()) {
            nearest = d;
            best = setting.*column;
        }
    }
    return best.empty() ? std::string() : fmt::format(" ({}?)", best);
}

const Setting *find_setting(std::string_view name, std::string_view Setting::*column) {
    for (const Setting &setting : settings_table()) {
        if (setting.*column == name && !name.empty()) return &setting;
    }
    return nullptr;
}

} // namespace cpl_lb
