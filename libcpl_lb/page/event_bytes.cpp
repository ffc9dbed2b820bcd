// Encodes gaps and lengths as bytes, sorted by significance.
#include "page/event_bytes.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::int64_t microseconds(Nanoseconds t) {
    return (t + (t < 0 ? -500 : 500)) / 1000;
}

} // namespace

void append_shuffled(std::vector<std::uint8_t> &bytes, std::span<const std::uint64_t> numbers, unsigned width) {
    for (unsigned byte = 0; byte < width; ++byte)
        for (const std::uint64_t n : numbers)
            bytes.push_back(static_cast<std::uint8_t>(n >> 8U * byte & 0xffU));
}

void EventBytes::add(const Row &row) {
    std::int64_t before = 0;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) {
            gaps_.push_back(0);
            lengths_.push_back(0);
            continue;
        }
        const std::int64_t start = microseconds(row.start[k]);
        gaps_.push_back(zigzag(start - before));
        lengths_.push_back(static_cast<std::uint64_t>(microseconds(row.stop[k]) - start) + 1);
        largest_gap_ = std::max(largest_gap_, gaps_.back());
        largest_length_ = std::max(largest_length_, lengths_.back());
        before = start;
    }
}

unsigned EventBytes::bytes_for(std::uint64_t largest) {
    unsigned bytes = 1;
    while (bytes < 8 && largest >> 8U * bytes != 0)
        ++bytes;
    return bytes;
}

std::vector<std::uint8_t> EventBytes::take() {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(gaps_.size() * (gap_bytes() + length_bytes()));
    append_shuffled(bytes, gaps_, gap_bytes());
    append_shuffled(bytes, lengths_, length_bytes());
    gaps_.clear();
    lengths_.clear();
    largest_gap_ = largest_length_ = 0;
    return bytes;
}

} // namespace cpl_lb
