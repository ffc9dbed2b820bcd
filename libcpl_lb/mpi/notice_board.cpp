// The first word of a text tells how many follow it, and comes last: who finds it finds the others.
#include "mpi/notice_board.hpp"

#include "support/fnv_hash.hpp"
#include "support/switched_off_path.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cpl_lb {
namespace {

std::optional<std::string> from_digits(std::string_view digits) {
    std::string text;
    for (; digits.size() >= 2; digits.remove_prefix(2)) {
        unsigned value = 0;
        if (std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr != digits.data() + 2)
            return std::nullopt;
        text += static_cast<char>(value);
    }
    return text;
}

std::string part(const std::string &name, std::size_t n) {
    return name + ".part" + std::to_string(n);
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH bool BoardOfWords::put(const std::string &name, const std::string &text) {
    const std::string digits = in_hexadecimal(text);
    const std::size_t more = digits.empty() ? 0 : (digits.size() - 1) / longest_; // no word is empty
    for (std::size_t n = 1; n <= more; ++n)
        if (!put_word(part(name, n), digits.substr(n * longest_, longest_))) return false;
    return put_word(name, std::to_string(more) + "." + digits.substr(0, longest_));
}

CPL_LB_SWITCHED_OFF_PATH std::optional<std::string> BoardOfWords::get(const std::string &name) {
    const std::optional<std::string> first = get_word(name);
    const std::size_t dot = first ? first->find('.') : std::string::npos;
    if (dot == std::string::npos) return std::nullopt;
    std::string digits = first->substr(dot + 1);
    const auto more = static_cast<std::size_t>(std::atoi(first->c_str()));
    for (std::size_t n = 1; n <= more; ++n) {
        const std::optional<std::string> word = get_word(part(name, n));
        if (!word) return std::nullopt;
        digits += *word;
    }
    return from_digits(digits);
}

} // namespace cpl_lb
