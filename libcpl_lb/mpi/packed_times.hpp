// Times in as few bytes as they need, for the way between nodes. Events follow each other, so the differences are
// small: one byte says the lengths of two numbers (4 bits each), and the numbers follow, the lowest byte first. An
// event of a row is two numbers, start less the start before it and stop less start: 3 bytes for events below a
// microsecond apart, 7 below some milliseconds, 17 at worst, instead of 16 (docs/decisions/packed_times.md).
#pragma once

#include "data/events.hpp"
#include "mpi/wire.hpp"

#include <cstddef>
#include <span>

namespace cpl_lb {

// The largest size of so many packed events.
[[nodiscard]] constexpr std::size_t most_packed_row_bytes(std::size_t events) {
    return 17 * events;
}
[[nodiscard]] constexpr std::size_t most_packed_span_bytes(std::size_t events) {
    return 34 * events;
}

// Packs any times, `absent` too, and replaces `packed`. There are as many stops as starts.
void pack_row(std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop, Bytes &packed);
void pack_spans(std::span<const EventSpan> spans, Bytes &packed);

// Unpacks as many events as there is room for. Throws DamagedMessage if `packed` does not hold exactly these.
void unpack_row(std::span<const std::byte> packed, std::span<Nanoseconds> start, std::span<Nanoseconds> stop);
void unpack_spans(std::span<const std::byte> packed, std::span<EventSpan> spans);

// The Packing for Group::reduce_packed.
struct PackedSpans {
    static std::size_t most_bytes(std::size_t count) { return most_packed_span_bytes(count); }
    static void pack(std::span<const EventSpan> spans, Bytes &packed) { pack_spans(spans, packed); }
    static void unpack(std::span<const std::byte> packed, std::span<EventSpan> spans) { unpack_spans(packed, spans); }
};

} // namespace cpl_lb
