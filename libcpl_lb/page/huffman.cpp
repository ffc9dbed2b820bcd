#include "page/huffman.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

namespace cpl_lb {
namespace {

// Depth of each leaf in Huffman's tree.
std::vector<std::uint8_t> tree_depths(std::span<const std::uint32_t> frequencies) {
    using Node = std::pair<std::uint64_t, std::size_t>; // weight, index
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        if (frequencies[i] > 0) open.emplace(frequencies[i], i);
    std::vector<std::size_t> parent(2 * frequencies.size(), 0);
    std::size_t next = frequencies.size();
    while (open.size() > 1) {
        const Node a = open.top();
        open.pop();
        const Node b = open.top();
        open.pop();
        parent[a.second] = parent[b.second] = next;
        open.emplace(a.first + b.first, next++);
    }
    std::vector<std::uint8_t> depth(next, 0);
    for (std::size_t i = next - 1; i-- > 0;) // the root is next - 1; parents have larger indices
        if (parent[i] != 0) depth[i] = static_cast<std::uint8_t>(std::min(depth[parent[i]] + 1, 255));
    depth.resize(frequencies.size());
    return depth;
}

std::uint16_t reversed(std::uint32_t code, unsigned bits) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < bits; ++i)
        result |= (code >> i & 1U) << (bits - 1 - i);
    return static_cast<std::uint16_t>(result);
}

} // namespace

PrefixCode prefix_code(std::span<const std::uint32_t> frequencies, unsigned longest) {
    std::vector<std::uint32_t> flattened(frequencies.begin(), frequencies.end());
    PrefixCode code;
    for (;;) {
        code.lengths = tree_depths(flattened);
        if (*std::max_element(code.lengths.begin(), code.lengths.end()) <= longest) break;
        // Rare symbols come closer to the common ones until the tree is shallow enough: hardly longer than optimal.
        for (std::uint32_t &f : flattened)
            if (f > 0) f = f / 4 + 1;
    }
    std::vector<std::uint32_t> next(longest + 2, 0);
    for (const std::uint8_t length : code.lengths)
        if (length > 0) ++next[length + 1U];
    for (unsigned bits = 1; bits <= longest; ++bits) // first code of each length
        next[bits] = (next[bits - 1] + next[bits]) << 1U;
    code.codes.resize(code.lengths.size());
    for (std::size_t i = 0; i < code.lengths.size(); ++i)
        if (const unsigned bits = code.lengths[i]; bits > 0) code.codes[i] = reversed(next[bits]++, bits);
    return code;
}

} // namespace cpl_lb
