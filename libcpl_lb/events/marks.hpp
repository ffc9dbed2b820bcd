// How events lie in memory: one 64-bit word for each begin and each end, in the order in which they happened,
// so 16 bytes for an event with start and stop at the clock's full resolution. Nothing is matched or looked up
// while the model runs; decode.hpp does that at terminate, or after a crash (docs/evidence/spool_format.md).
//
//   63 ................ 24 | 23 ...... 6 | 5 .... 0
//   ticks since the mark   | id (18 bit) | code
//   before (40 bit)        |             |
//
// A zero word ends the sequence: memory that was never written reads as the end.
#pragma once

#include "data/kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cpl_lb {

using Mark = std::uint64_t;

enum class MarkCode : std::uint8_t {
    end_of_marks = 0,
    begin = 1,            // + kind; id: field
    time = 13,            // one more word: absolute ticks; the delta is 0
    component_begin = 14, // id: index of the component on this process
    component_end = 15,
    calibration = 16, // two more words: ticks, nanoseconds of CLOCK_MONOTONIC
    pause = 17,       // the date left the slice
    resume = 18,      // the date came into the slice; id: events that began in the pause and are still open
    date = 19,        // one more word: the date [s]; 12 in spool files of version 1
    end = 33          // + kind; id: field
};

inline constexpr int mark_delta_bits = 40; // 366 s at 3 GHz; longer gaps get a time mark
inline constexpr int mark_id_bits = 18;
inline constexpr std::uint32_t mark_max_id = (1U << mark_id_bits) - 1;

[[nodiscard]] constexpr Mark make_mark(std::uint64_t delta, std::uint32_t id, unsigned code) {
    return delta << 24U | static_cast<std::uint64_t>(id) << 6U | code;
}
[[nodiscard]] constexpr unsigned begin_code(int kind) {
    return 1U + static_cast<unsigned>(kind);
}
[[nodiscard]] constexpr unsigned end_code(int kind) {
    return 33U + static_cast<unsigned>(kind);
}
[[nodiscard]] constexpr std::uint64_t delta_of(Mark m) {
    return m >> 24U;
}
[[nodiscard]] constexpr std::uint32_t id_of(Mark m) {
    return static_cast<std::uint32_t>(m >> 6U) & mark_max_id;
}
[[nodiscard]] constexpr unsigned code_of(Mark m) {
    return static_cast<unsigned>(m & 63U);
}
[[nodiscard]] constexpr bool is_begin(unsigned code) {
    return code >= 1 && code <= kind_count;
}
[[nodiscard]] constexpr bool is_end(unsigned code) {
    return code >= 33 && code < 33 + kind_count;
}
// Words that follow the mark itself.
[[nodiscard]] constexpr std::size_t extra_words(unsigned code) {
    if (code == static_cast<unsigned>(MarkCode::date) || code == static_cast<unsigned>(MarkCode::time)) return 1;
    return code == static_cast<unsigned>(MarkCode::calibration) ? 2 : 0;
}

inline constexpr Mark what_bits = (Mark{1} << 24U) - 1; // id and code of a mark
// Number of a begin's kind and field: the field, and the code in four bits. Below keys_of_fields(fields) for every
// begin of a field below `fields`.
[[nodiscard]] constexpr Mark key_of_begin(Mark begin) {
    return (begin >> 2U & Mark{mark_max_id} << 4U) | (begin & 15U);
}
[[nodiscard]] constexpr std::size_t keys_of_fields(std::uint32_t fields) {
    return std::size_t{16} * fields;
}
// Zero if the second mark ends the event that the first one begins. The first one is a begin.
[[nodiscard]] constexpr Mark differs_from_event(Mark begin, Mark end) {
    return ((end - begin) & what_bits) ^ (end_code(0) - begin_code(0));
}

// A mark with the words that follow it.
struct MarkRead {
    unsigned code = 0;
    std::uint32_t id = 0;
    std::span<const Mark> extra;
};
// Takes the next mark off the words and sets the clock to it. False: words are missing, and nothing is taken.
[[nodiscard]] inline bool next_mark(std::span<const Mark> &words, std::uint64_t &ticks, MarkRead &mark) {
    mark = {code_of(words[0]), id_of(words[0]), {}};
    const std::size_t extra = extra_words(mark.code);
    if (extra >= words.size()) return false;
    mark.extra = words.subspan(1, extra);
    ticks += delta_of(words[0]);
    if (mark.code == static_cast<unsigned>(MarkCode::time)) ticks = mark.extra[0];
    words = words.subspan(1 + extra);
    return true;
}

} // namespace cpl_lb
