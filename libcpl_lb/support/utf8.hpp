// Decodes UTF-8 that may be invalid, and makes foreign text safe to print: nothing in it moves the cursor of a
// terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cpl_lb {

struct Codepoint {
    char32_t value = 0;
    std::size_t bytes = 1;
    bool valid = false;     // false: one byte that starts no well-formed sequence
    std::size_t broken = 0; // if not valid: the bytes of a sequence before it broke
};

// text must not be empty. Well-formed as in RFC 3629: no overlong forms, no surrogates, at most U+10FFFF.
[[nodiscard]] Codepoint next_codepoint(std::string_view text);
// C1 controls, line and paragraph separators, bidirectional and zero-width marks: they change what is seen.
[[nodiscard]] bool is_invisible(char32_t value);
[[nodiscard]] std::size_t columns_of(char32_t value); // 0, 1 or 2

// Valid printable UTF-8 on one line: control characters, bidirectional and invisible marks and bytes that are
// not UTF-8 become \n, \xNN or \u{NNNN}. A '\' stays as it is, so a safe name stays as it is, too: in a sentence that
// is made safe once more it looks as in a table.
[[nodiscard]] std::string safe_name(std::string_view name);
// The same, but the ends of lines stay.
[[nodiscard]] std::string safe_text(std::string_view text);
// For messages that quote what a file holds: at most `most` characters, then "...".
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 60);
// A name in a message: safe, an excerpt, in quotes.
[[nodiscard]] std::string quoted_name(std::string_view name);
// At most so many bytes, without a cut character at the end.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

} // namespace cpl_lb
