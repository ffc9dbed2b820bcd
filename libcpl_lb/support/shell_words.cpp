// Chooses the plainest of three forms: the text, '...' as all shells read it, "$(printf '...')" as POSIX has it.
#include "support/shell_words.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

bool is_plain(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:=,+@-").find(c) != std::string_view::npos;
}

bool is_seen(const Codepoint &character) {
    return character.valid && character.value >= 0x20 && character.value != 0x7f && !is_invisible(character.value);
}

std::string in_quotes(std::string_view text) {
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

// Also '!' becomes a number: in double quotes an interactive bash would look for it in its history. And '-', which
// would be an option of printf if it came first.
std::string printed(std::string_view text) {
    std::string word = "\"$(printf '";
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        const bool stays = is_seen(next) && (next.bytes > 1 || (is_plain(text.front()) && text.front() != '-'));
        for (const char c : text.substr(0, next.bytes))
            word += stays ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        text.remove_prefix(next.bytes);
    }
    return word + "')\"";
}

} // namespace

bool needs_a_shell(std::string_view text) {
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        if (!is_seen(next)) return true;
        text.remove_prefix(next.bytes);
    }
    return false;
}

std::string shell_word(std::string_view text) {
    if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
    if (!needs_a_shell(text)) return in_quotes(text);
    const std::size_t end = text.find_last_not_of('\n') + 1; // 0: nothing but newlines
    const std::string ends = end < text.size() ? in_quotes(text.substr(end)) : "";
    return (end > 0 ? printed(text.substr(0, end)) : "") + ends;
}

std::string shell_path(std::string_view path) {
    return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

std::string shell_option(std::string_view option, std::string_view value) {
    return fmt::format("{}{}{}", option, value.starts_with('-') ? "=" : " ", shell_word(value));
}

} // namespace cpl_lb
