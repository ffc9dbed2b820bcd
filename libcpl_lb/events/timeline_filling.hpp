// Fills a timeline while decoding: many events at a time, and the hash of how they nest.
#pragma once

#include "data/model_date.hpp"
#include "events/decode.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace cpl_lb {

// The model's date while marks are read.
struct CurrentDate {
    std::int64_t date = no_date;
    bool given = false;

    void set(LocalTimeline &t, std::int64_t to) {
        if (!is_date(to)) return; // of an older version, or a damaged spool
        date = to;
        given = t.dated = true;
    }
    // Called before an event is added to the timeline.
    void note(LocalTimeline &t) const {
        if (given && (t.dates.empty() || t.dates.back().date != date)) t.dates.push_back({t.size(), date});
    }
};

// Adds an event's end to the hash of the nesting: `place` events ended before it. An event during which no other
// began or ended is left out, because the others leave it only one place.
inline void note_end(LocalTimeline &t, std::size_t event, std::size_t place) {
    for (const std::size_t v : {event, place})
        t.end_order = std::rotl((t.end_order ^ (v + 1)) * 0x9fb21c651e98df25U, 27);
}
// All events without an end of their own end at the same time.
inline void note_no_end(LocalTimeline &t, std::size_t event) {
    constexpr std::size_t not_a_place = std::numeric_limits<std::size_t>::max() / 2;
    note_end(t, event, not_a_place);
    ++t.ended;
}

inline void resize_events(LocalTimeline &t, std::size_t events) {
    t.place.resize(events);
    t.start.resize(events);
    t.stop.resize(events);
}

// Adds the times of whole events, whose begins and ends alternate. ticks_before: the clock before the first mark;
// afterwards the clock at the last one.
inline void add_times(LocalTimeline &t, std::span<const Mark> words, std::uint64_t &ticks_before, TickScale scale) {
    const std::size_t first = t.start.size();
    const std::size_t events = words.size() / 2;
    t.start.resize(first + events);
    t.stop.resize(first + events);
    Nanoseconds *const start = t.start.data() + first;
    Nanoseconds *const stop = t.stop.data() + first;
    std::uint64_t ticks = ticks_before;
    for (std::size_t i = 0; i < events; ++i) {
        start[i] = scale.to_ns(ticks += delta_of(words[2 * i]));
        stop[i] = scale.to_ns(ticks += delta_of(words[2 * i + 1]));
    }
    ticks_before = ticks;
}

} // namespace cpl_lb
