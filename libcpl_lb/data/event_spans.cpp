// Packs spans block by block, and finds one among them.
#include "data/event_spans.hpp"

#include "data/short_numbers.hpp"

#include <span>

namespace cpl_lb {
namespace {

using Values = std::array<std::int64_t, 4>; // start, jitter, waiting, processes

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
        whole_ = std::vector<EventSpan>(begin(), end());
        packed_ = {};
    }
    return whole_;
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
