// Packs spans block by block, and finds one among them.
#include "data/event_spans.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace cpl_lb {
namespace {

using Values = std::array<std::int64_t, 4>; // start, jitter, waiting, processes

// Numbers in as few bytes as they need, the lowest byte first. Whole words are read and written, so that there is no
// branch for the length: behind the last number there is room for a word.
constexpr unsigned longest_number = 8; // bytes

constexpr unsigned length_of(std::uint64_t number) {
    return static_cast<unsigned>(std::bit_width(number) + 7) / 8;
}
constexpr std::uint64_t lowest_first(std::uint64_t number) {
    return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
}
void write_short(std::byte *to, std::uint64_t number) {
    const std::uint64_t word = lowest_first(number);
    std::memcpy(to, &word, sizeof word);
}
std::uint64_t read_short(const std::byte *from, unsigned length) {
    constexpr std::array<std::uint64_t, longest_number + 1> masks = {
        0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff};
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return lowest_first(word) & masks[length];
}

// Unsigned, so that any two values have a difference and a sum.
constexpr std::uint64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}
constexpr std::int64_t sum(std::int64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + b);
}

constexpr Values values_of(const EventSpan &s) {
    return {s.first_start, sum(0, difference(s.last_start, s.first_start)),
            sum(0, difference(s.last_stop, s.last_start)), s.processes};
}

EventSpans::Block block_of(std::span<const EventSpan> events, std::uint64_t place) {
    EventSpans::Block block{values_of(events.front()), place, {}, 0};
    Values most = block.least;
    for (const EventSpan &event : events) {
        const Values values = values_of(event);
        for (std::size_t i = 0; i < values.size(); ++i) {
            block.least[i] = std::min(block.least[i], values[i]);
            most[i] = std::max(most[i], values[i]);
        }
    }
    for (std::size_t i = 0; i < most.size(); ++i) {
        block.bytes[i] = static_cast<std::uint8_t>(length_of(difference(most[i], block.least[i])));
        block.event_bytes += block.bytes[i];
    }
    return block;
}

// Whole words: the next value overwrites what is beyond this one.
void write(std::span<const EventSpan> events, const EventSpans::Block &block, std::byte *at) {
    for (const EventSpan &event : events) {
        const Values values = values_of(event);
        for (std::size_t i = 0; i < values.size(); at += block.bytes[i++])
            write_short(at, difference(values[i], block.least[i]));
    }
}

} // namespace

std::vector<EventSpan> &EventSpans::whole() {
    if (is_packed()) {
        whole_ = all();
        packed_ = {};
    }
    return whole_;
}

std::vector<EventSpan> EventSpans::all() const {
    std::vector<EventSpan> spans;
    for (std::size_t k = 0; k < size(); ++k)
        spans.push_back((*this)[k]);
    return spans;
}

void EventSpans::pack() {
    if (whole_.empty()) return;
    Packed packed{whole_.size(), {}, {}};
    packed.blocks.reserve(blocks_for(whole_.size()));
    const auto events_of = [&](std::size_t block) {
        const auto rest = std::span<const EventSpan>(whole_).subspan(block * in_block);
        return rest.first(std::min(rest.size(), in_block));
    };
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < blocks_for(whole_.size()); ++i) {
        packed.blocks.push_back(block_of(events_of(i), end));
        end += packed.blocks.back().event_bytes * events_of(i).size();
    }
    packed.bytes.resize(end + longest_number);
    for (std::size_t i = 0; i < packed.blocks.size(); ++i)
        write(events_of(i), packed.blocks[i], packed.bytes.data() + packed.blocks[i].place);
    packed_ = std::move(packed);
    whole_ = std::vector<EventSpan>(); // = {} would keep the memory
}

bool EventSpans::fits_together(const Packed &packed) {
    if (packed.blocks.size() != blocks_for(packed.size)) return false;
    std::uint64_t end = 0;
    std::size_t left = packed.size;
    for (const Block &block : packed.blocks) {
        std::uint32_t bytes = 0;
        for (const std::uint8_t length : block.bytes) {
            if (length > longest_number) return false;
            bytes += length;
        }
        if (block.place != end || block.event_bytes != bytes) return false;
        end += std::uint64_t{bytes} * std::min(left, in_block);
        left -= std::min(left, in_block);
    }
    return packed.bytes.size() == (packed.size > 0 ? end + longest_number : 0);
}

EventSpan EventSpans::unpacked(std::size_t k) const {
    const Block &block = packed_.blocks[k / in_block];
    const std::byte *at = packed_.bytes.data() + block.place + k % in_block * block.event_bytes;
    Values values{};
    for (std::size_t i = 0; i < values.size(); at += block.bytes[i++])
        values[i] = sum(block.least[i], read_short(at, block.bytes[i]));
    const Nanoseconds last_start = sum(values[0], static_cast<std::uint64_t>(values[1]));
    return {values[0], last_start, sum(last_start, static_cast<std::uint64_t>(values[2])),
            static_cast<std::int32_t>(values[3])};
}

} // namespace cpl_lb
