// Names of nodes as batch systems list them, "nid[001-084,090],login1".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

// The number of a name, of at most nine digits; negative if the text is none.
[[nodiscard]] std::int64_t number_of_digits(std::string_view digits);

// One name or several: "nid00[0001-0084]".
struct NodePattern {
    struct Range {
        std::int64_t first = 0, last = 0;
        std::size_t width = 0; // digits of a number
    };
    std::string before, after;
    std::vector<Range> ranges; // of the numbers in brackets between `before` and `after`; empty: there are none
};

// The patterns of a list. Throws std::invalid_argument, in one line, for what is none.
[[nodiscard]] std::vector<NodePattern> read_node_patterns(std::string_view list);
// The place of a name in a list, from 0; negative: it is not in it.
[[nodiscard]] std::int64_t place_in(const std::vector<NodePattern> &list, std::string_view name);

// The same node, with or without its domain.
[[nodiscard]] bool is_same_host(std::string_view one, std::string_view other);

// Calls use(word) with the first word of each line that has one: a batch system's file has a host on each line.
template <class Use>
void for_each_host(std::string_view text, Use use) {
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line = line.substr(0, line.find_first_of(" \t\r"));
        if (!line.empty()) use(line);
    }
}

} // namespace cpl_lb
