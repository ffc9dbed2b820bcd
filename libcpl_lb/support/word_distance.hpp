// Measures how much two short words differ, to suggest the nearest one for a misspelt word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

// Levenshtein distance: the least number of letters to insert, remove or replace.
[[nodiscard]] inline std::size_t word_distance(std::string_view a, std::string_view b) {
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

// The word that is nearest to a misspelt one; empty if none is near. Small and capital letters count as the same.
[[nodiscard]] inline std::string nearest_word(const std::string &misspelt, const std::vector<std::string> &words) {
    const auto small = [](std::string word) {
        for (char &letter : word)
            if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        return word;
    };
    std::string nearest;
    std::size_t least = std::min<std::size_t>(3, misspelt.size() / 2 + 1);
    for (const std::string &word : words) {
        const std::size_t far = word_distance(small(misspelt), small(word));
        if (far >= least) continue;
        least = far;
        nearest = word;
    }
    return nearest;
}

} // namespace cpl_lb
