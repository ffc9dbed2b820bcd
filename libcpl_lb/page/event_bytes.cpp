// Encodes gaps and lengths as bytes, sorted by significance.
#include "page/event_bytes.hpp"

#include "data/event_keys.hpp"

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

void EventBytes::Numbers::push_back(std::uint64_t n) {
    low.push_back(static_cast<std::uint32_t>(n));
    if (n >> 32U == 0) return;
    high.resize(low.size(), 0);
    high.back() = static_cast<std::uint32_t>(n >> 32U);
}

void EventBytes::Numbers::append_to(std::vector<std::uint8_t> &bytes, unsigned width) const {
    for (unsigned byte = 0; byte < width; ++byte) {
        const std::vector<std::uint32_t> &half = byte < 4 ? low : high;
        for (const std::uint32_t n : half)
            bytes.push_back(static_cast<std::uint8_t>(n >> 8U * (byte % 4) & 0xffU));
        bytes.insert(bytes.end(), low.size() - half.size(), 0);
    }
}

void EventBytes::add(const Row &row) {
    for (Numbers *numbers : {&gaps_, &lengths_})
        if (numbers->low.empty()) numbers->low.reserve(row.start.size());
    std::int64_t before = 0;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) {
            gaps_.push_back(0);
            lengths_.push_back(0);
            continue;
        }
        const std::int64_t start = microseconds(row.start[k]);
        const std::uint64_t gap = zigzag(start - before);
        const std::uint64_t length = static_cast<std::uint64_t>(microseconds(row.stop[k]) - start) + 1;
        gaps_.push_back(gap);
        lengths_.push_back(length);
        largest_gap_ = std::max(largest_gap_, gap);
        largest_length_ = std::max(largest_length_, length);
        before = start;
    }
}

unsigned bytes_for(std::uint64_t largest) {
    unsigned bytes = 1;
    while (bytes < 8 && largest >> 8U * bytes != 0)
        ++bytes;
    return bytes;
}

KeyBytes key_bytes(std::span<const std::uint16_t> classes, std::span<const std::int64_t> dates) {
    std::vector<std::uint64_t> changes;
    changes.reserve(classes.size());
    std::uint64_t largest = 0;
    std::int64_t before = 0;
    for (const std::int64_t date : dates) {
        changes.push_back(date == no_date ? 0 : 1 + zigzag(date - before));
        if (date != no_date) before = date;
        largest = std::max(largest, changes.back());
    }
    changes.resize(classes.size()); // 0 where there are none
    KeyBytes keys{{}, bytes_for(largest)};
    append_shuffled(keys.bytes, std::vector<std::uint64_t>(classes.begin(), classes.end()), 2);
    append_shuffled(keys.bytes, changes, keys.date_bytes);
    return keys;
}

std::vector<std::uint8_t> EventBytes::take() {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(gaps_.low.size() * (gap_bytes() + length_bytes()));
    gaps_.append_to(bytes, gap_bytes());
    lengths_.append_to(bytes, length_bytes());
    gaps_ = lengths_ = {};
    largest_gap_ = largest_length_ = 0;
    return bytes;
}

} // namespace cpl_lb
