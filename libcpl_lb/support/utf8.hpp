// Decodes UTF-8 that may be wrong, and tells how a terminal shows a code point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cpl_lb {

struct Codepoint {
    char32_t value = 0;
    std::size_t bytes = 1;
    bool valid = false;     // false: one byte that starts no well-formed sequence
    std::size_t broken = 0; // where not valid: how many bytes began a sequence before it broke
};

// text must not be empty. Well-formed as in RFC 3629: no overlong forms, no surrogates, at most U+10FFFF.
[[nodiscard]] Codepoint next_codepoint(std::string_view text);
// C1 controls, line and paragraph separators, bidirectional and zero-width marks: they change what is seen.
[[nodiscard]] bool is_invisible(char32_t value);
[[nodiscard]] std::size_t columns_of(char32_t value); // 0, 1 or 2

} // namespace cpl_lb
