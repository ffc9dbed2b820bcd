// What all processes of a component did in an event, and a compact list of that for millions of events
// (docs/definitions.md, section 1).
#pragma once

#include "data/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

namespace cpl_lb {

// One event reduced over the processes that took part in it.
struct EventSpan {
    Nanoseconds first_start = std::numeric_limits<Nanoseconds>::max(); // min_p s
    Nanoseconds last_start = std::numeric_limits<Nanoseconds>::min();  // S_k = max_p s
    Nanoseconds last_stop = std::numeric_limits<Nanoseconds>::min();   // E_k = max_p e
    std::int32_t processes = 0;                                        // |P_k|

    [[nodiscard]] constexpr bool empty() const { return processes == 0; }
    [[nodiscard]] constexpr Nanoseconds jitter() const { return last_start - first_start; } // J_k
    [[nodiscard]] constexpr Nanoseconds waiting() const { return last_stop - last_start; }  // W_k
    constexpr void add(Nanoseconds start, Nanoseconds stop) {
        if (start < first_start) first_start = start;
        if (start > last_start) last_start = start;
        if (stop > last_stop) last_stop = stop;
        ++processes;
    }
    friend constexpr bool operator==(const EventSpan &, const EventSpan &) = default;
};

// The spans of many events, in their order. While they come about they are a vector; when they are only looked at,
// they may be packed: some 12 bytes for an event in place of 32. Nothing is rounded or lost: in blocks of 64 events,
// start, jitter, waiting and number of processes are differences from the least one of the block, each in as many
// bytes as the largest difference needs. So any value fits, and each event is found at once.
class EventSpans {
public:
    struct Block {
        std::array<std::int64_t, 4> least{};
        std::uint64_t place = 0;             // of its first event in the bytes
        std::array<std::uint8_t, 4> bytes{}; // of each value
        std::uint32_t event_bytes = 0;       // of all four
    };
    struct Packed {
        std::size_t size = 0;
        std::vector<Block> blocks;
        std::vector<std::byte> bytes; // and a word behind the last event
    };

    EventSpans() = default;
    EventSpans(std::vector<EventSpan> whole) : whole_(std::move(whole)) {} // NOLINT: as if it were one
    EventSpans(std::initializer_list<EventSpan> spans) : whole_(spans) {}
    explicit EventSpans(Packed packed) : packed_(std::move(packed)) {} // which fits together

    [[nodiscard]] std::size_t size() const { return is_packed() ? packed_.size : whole_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] EventSpan operator[](std::size_t k) const { return is_packed() ? unpacked(k) : whole_[k]; }

    [[nodiscard]] std::vector<EventSpan> &whole(); // to change them
    void pack();
    [[nodiscard]] const Packed &packed() const { return packed_; } // empty if they are not packed
    // Of a message.
    [[nodiscard]] static std::size_t blocks_for(std::size_t events) {
        return events / in_block + (events % in_block > 0 ? 1 : 0);
    }
    [[nodiscard]] static bool fits_together(const Packed &packed);

    [[nodiscard]] std::vector<EventSpan> all() const;

    friend bool operator==(const EventSpans &a, const EventSpans &b) { return a.all() == b.all(); }

private:
    static constexpr std::size_t in_block = 64;
    [[nodiscard]] bool is_packed() const { return !packed_.blocks.empty(); }
    [[nodiscard]] EventSpan unpacked(std::size_t k) const;

    std::vector<EventSpan> whole_;
    Packed packed_;
};

} // namespace cpl_lb
