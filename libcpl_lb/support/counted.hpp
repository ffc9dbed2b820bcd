// "1 thread", "3 threads": a number with its word. The one place that chooses between the two words.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace cpl_lb {

// The word alone, for numbers that stand elsewhere in the sentence. Without a second word the plural ends in s.
template <typename Number>
[[nodiscard]] std::string word_for(Number n, std::string_view one, std::string_view several = {}) {
    if (n == 1) return std::string(one);
    return several.empty() ? std::string(one) + "s" : std::string(several);
}

template <std::integral Number>
[[nodiscard]] std::string counted(Number n, std::string_view one, std::string_view several = {}) {
    return std::to_string(n) + " " + word_for(n, one, several);
}

} // namespace cpl_lb
