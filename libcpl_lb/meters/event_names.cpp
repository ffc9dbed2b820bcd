// Splits the list of counters at its commas and takes blanks off.
#include "meters/event_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cpl_lb {

std::vector<std::string> split_event_names(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        std::string_view name = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        const auto first = name.find_first_not_of(" \t");
        if (first == std::string_view::npos) continue;
        name = name.substr(first, name.find_last_not_of(" \t") - first + 1);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
    return names;
}

Availability availability_of(std::span<const Quantity> quantities, const std::string &remedy) {
    Availability answer{false, {}, remedy};
    for (const Quantity &quantity : quantities) {
        answer.works = answer.works || quantity.why_missing.empty();
        if (quantity.why_missing.empty()) continue;
        if (!answer.reason.empty()) answer.reason += "; ";
        answer.reason += quantity.name + ": " + quantity.why_missing;
    }
    return answer;
}

bool happens_in_kernel(std::string_view event_name) {
    constexpr std::array<std::string_view, 4> words = {"CONTEXT-SWITCHES", "CONTEXT_SWITCHES", "CPU-MIGRATIONS",
                                                       "CPU_MIGRATIONS"};
    std::string capitals(event_name);
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return capitals.find(word) != std::string::npos; });
}

} // namespace cpl_lb
