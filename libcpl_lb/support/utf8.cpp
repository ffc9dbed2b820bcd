// Decodes one code point, tells how many columns it takes, and writes what must not be shown with a '\'.
#include "support/utf8.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

struct Range {
    char32_t first, last;
};

template <std::size_t N>
bool within(const std::array<Range, N> &ranges, char32_t value) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [value](Range range) { return value >= range.first && value <= range.last; });
}

// Unicode 15 blocks, coarse: enough to keep columns straight.
constexpr std::array<Range, 9> combining = {{{0x0300, 0x036f},
                                             {0x0483, 0x0489},
                                             {0x0591, 0x05bd},
                                             {0x064b, 0x065f},
                                             {0x1ab0, 0x1aff},
                                             {0x1dc0, 0x1dff},
                                             {0x20d0, 0x20ff},
                                             {0xfe00, 0xfe0f},
                                             {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 11> wide = {{{0x1100, 0x115f},
                                         {0x2e80, 0x303e},
                                         {0x3041, 0x33ff},
                                         {0x3400, 0x4dbf},
                                         {0x4e00, 0x9fff},
                                         {0xa000, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xff00, 0xff60},
                                         {0x1f300, 0x1faff},
                                         {0x20000, 0x3fffd}}};
constexpr std::array<Range, 14> invisible = {{{0x0080, 0x009f},
                                              {0x00ad, 0x00ad},
                                              {0x034f, 0x034f},
                                              {0x061c, 0x061c},
                                              {0x115f, 0x1160},
                                              {0x180e, 0x180e},
                                              {0x200b, 0x200f},
                                              {0x2028, 0x202e},
                                              {0x2060, 0x206f},
                                              {0x3164, 0x3164},
                                              {0xfeff, 0xfeff},
                                              {0xffa0, 0xffa0},
                                              {0xfff9, 0xfffb},
                                              {0xe0000, 0xe007f}}};

std::size_t length_from(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) return 2;
    if (lead >= 0xe0 && lead <= 0xef) return 3;
    if (lead >= 0xf0 && lead <= 0xf4) return 4;
    return 0;
}

// The second byte depends on the first, so that no form is too long, none is half of a pair, and nothing is beyond
// U+10FFFF (RFC 3629, section 4).
bool may_follow(unsigned char lead, std::size_t at, unsigned char byte) {
    const unsigned char smallest = at == 1 && lead == 0xe0 ? 0xa0 : at == 1 && lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char largest = at == 1 && lead == 0xed ? 0x9f : at == 1 && lead == 0xf4 ? 0x8f : 0xbf;
    return byte >= smallest && byte <= largest;
}

// Appends what is safe to show of one character.
void put_safe(std::string &safe, const Codepoint &character, std::string_view bytes) {
    switch (character.valid ? character.value : 0) {
    case '\n':
        safe += "\\n";
        return;
    case '\t':
        safe += "\\t";
        return;
    case '\r':
        safe += "\\r";
        return;
    default:
        break;
    }
    if (!character.valid || character.value < 0x20 || character.value == 0x7f)
        safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    else if (is_invisible(character.value))
        safe += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(character.value));
    else
        safe += bytes;
}

// lines: the ends of lines stay.
std::string made_safe(std::string_view text, bool lines) {
    std::string safe;
    safe.reserve(text.size());
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        if (lines && next.value == '\n')
            safe += '\n';
        else
            put_safe(safe, next, text.substr(0, next.bytes));
        text.remove_prefix(next.bytes);
    }
    return safe;
}

} // namespace

Codepoint next_codepoint(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = length_from(lead);
    if (length == 0) return {lead, 1, false, 1};
    char32_t value = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size() || !may_follow(lead, i, static_cast<unsigned char>(text[i]))) return {lead, 1, false, i};
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    return {value, length, true, 0};
}

bool is_invisible(char32_t value) {
    return within(invisible, value);
}

std::size_t columns_of(char32_t value) {
    if (value < 0x300) return 1;
    if (within(combining, value)) return 0;
    return within(wide, value) ? 2 : 1;
}

std::string safe_name(std::string_view name) {
    return made_safe(name, false);
}

std::string safe_text(std::string_view text) {
    return made_safe(text, true);
}

std::string excerpt(std::string_view text, std::size_t most) {
    std::size_t bytes = 0;
    for (std::size_t characters = 0; bytes < text.size(); ++characters) {
        if (characters == most) return std::string(text.substr(0, bytes)) + "...";
        bytes += next_codepoint(text.substr(bytes)).bytes;
    }
    return std::string(text);
}

std::string quoted_name(std::string_view name) {
    return "'" + excerpt(safe_name(name)) + "'";
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const std::size_t next = next_codepoint(text.substr(bytes)).bytes;
        if (bytes + next > most) break;
        bytes += next;
    }
    return text.substr(0, bytes);
}

} // namespace cpl_lb
