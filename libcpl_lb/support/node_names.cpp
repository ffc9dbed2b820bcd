// Reads lists of node names.
#include "support/node_names.hpp"

#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace cpl_lb {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// At commas that are not inside brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size()) inside = list[i] == '[' || (inside && list[i] != ']');
        if (i < list.size() && (list[i] != ',' || inside)) continue;
        parts.push_back(trimmed(list.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

// False: not like "0001-0084,0090".
bool read_ranges(std::string_view text, std::vector<NodePattern::Range> &ranges) {
    for (const std::string_view part : parts_of(text)) {
        const std::size_t dash = part.find('-');
        const std::string_view first = part.substr(0, dash);
        const std::string_view last = dash == std::string_view::npos ? first : part.substr(dash + 1);
        const NodePattern::Range range{number_of_digits(first), number_of_digits(last), first.size()};
        if (range.first < 0 || range.last < range.first || last.size() < first.size()) return false;
        ranges.push_back(range);
    }
    return true;
}

NodePattern read_pattern(std::string_view text) {
    NodePattern pattern;
    if (text.empty()) throw std::invalid_argument("a name of nodes is missing between commas, or at an end");
    const std::size_t open = text.find('['), close = text.find(']');
    pattern.before = text.substr(0, open);
    if (open == std::string_view::npos && close == std::string_view::npos) return pattern;
    const bool one_pair = open != std::string_view::npos && close != std::string_view::npos && open < close &&
                          text.find_first_of("[]", close + 1) == std::string_view::npos && text.rfind('[') == open;
    if (!one_pair || !read_ranges(text.substr(open + 1, close - open - 1), pattern.ranges))
        throw std::invalid_argument(quoted_name(text) + " is not like nid[0001-0084,0090]");
    pattern.after = text.substr(close + 1);
    return pattern;
}

// How many names of the ranges come before the number with these digits; negative: it is not in them.
std::int64_t place_of(const std::vector<NodePattern::Range> &ranges, std::string_view digits) {
    const std::int64_t number = number_of_digits(digits);
    std::int64_t before = 0;
    for (const NodePattern::Range &r : ranges) {
        const bool as_wide = digits.size() == r.width || (digits.size() > r.width && digits.front() != '0');
        if (number >= r.first && number <= r.last && as_wide) return before + number - r.first;
        before += r.last - r.first + 1;
    }
    return -1;
}

// As place_in, of one pattern.
std::int64_t place_in(const NodePattern &pattern, std::string_view name) {
    if (!name.starts_with(pattern.before)) return -1;
    std::string_view rest = name.substr(pattern.before.size());
    if (pattern.ranges.empty()) return rest.empty() ? 0 : -1;
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    // Digits may go on behind the brackets.
    for (std::size_t end = digits; end > 0; --end) {
        const bool fits = rest.substr(end) == pattern.after;
        const std::int64_t found = fits ? place_of(pattern.ranges, rest.substr(0, end)) : -1;
        if (found >= 0) return found;
    }
    return -1;
}

} // namespace

std::int64_t number_of_digits(std::string_view digits) {
    constexpr std::size_t most_digits = 9;
    std::int64_t value = -1;
    if (digits.empty() || digits.size() > most_digits || digits.find_first_not_of("0123456789") != std::string::npos)
        return -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::vector<NodePattern> read_node_patterns(std::string_view list) {
    std::vector<NodePattern> patterns;
    for (const std::string_view part : parts_of(list))
        patterns.push_back(read_pattern(part));
    return patterns;
}

std::int64_t place_in(const std::vector<NodePattern> &list, std::string_view name) {
    std::int64_t before = 0;
    for (const NodePattern &pattern : list) {
        const std::int64_t found = place_in(pattern, name);
        if (found >= 0) return before + found;
        before += pattern.ranges.empty() ? 1 : 0;
        for (const NodePattern::Range &r : pattern.ranges)
            before += r.last - r.first + 1;
    }
    return -1;
}

bool is_same_host(std::string_view one, std::string_view other) {
    if (one.empty() || other.empty()) return false;
    const std::size_t dot = one.find('.'), other_dot = other.find('.');
    const bool both_whole = dot != std::string_view::npos && other_dot != std::string_view::npos;
    return both_whole ? one == other : one.substr(0, dot) == other.substr(0, other_dot);
}

} // namespace cpl_lb
