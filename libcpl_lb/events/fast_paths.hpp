// Shortcuts of decoding, for one component: events whose end follows their begin, and groups of events that came
// before. They give the same as matching mark by mark, several times as fast. Other marks are matched.
#pragma once

#include "events/event_groups.hpp"
#include "events/place_table.hpp"
#include "events/timeline_filling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cpl_lb {

class FastPaths {
public:
    // The state of the decoding.
    struct Place {
        LocalTimeline &timeline;
        const CurrentDate &date;
        std::uint64_t &ticks;
        TickScale scale;
        bool nothing_open;
    };

    explicit FastPaths(std::uint32_t fields) : places_(fields), groups_(fields) {}

    // Adds the events at the begin of the words, as far as a shortcut fits. Returns how many words they take.
    std::size_t take(std::span<const Mark> words, const Place &at) {
        const std::size_t marks = at.nothing_open ? take_groups(words, at) : 0;
        return marks > 0 ? marks : take_whole_events(words, at);
    }

    // Takes events that are matched mark by mark and learns the next group from them. nothing_open: before the begin.
    void begin(LocalTimeline &t, LocalWhat what, bool nothing_open) {
        t.place.push_back(places_.place_for(t, what));
        if (nothing_open) groups_.start(t.size() - 1);
        groups_.note_begin(make_mark(0, field_of(what), begin_code(static_cast<int>(kind_of(what)))), t.place.back());
    }
    void end(LocalWhat what, std::size_t event) {
        groups_.note_end(make_mark(0, field_of(what), end_code(static_cast<int>(kind_of(what)))), event);
    }
    void all_ended() { groups_.close(); }
    // Forgets the group that is being learnt: something else lies between its marks.
    void forget() { groups_.forget(); }

private:
    std::size_t take_whole_events(std::span<const Mark> words, const Place &at) {
        if (!places_.begins_with_event(words)) return 0;
        LocalTimeline &t = at.timeline;
        at.date.note(t);
        const std::size_t events = places_.take_events(t, words);
        add_times(t, words.first(2 * events), at.ticks, at.scale);
        note_whole_events(words.first(2 * events), at);
        return 2 * events;
    }
    // Whole events may be part of a group, and a single one between groups is a group itself.
    void note_whole_events(std::span<const Mark> words, const Place &at) {
        const std::size_t events = words.size() / 2;
        if (events > PlaceTable::few) {
            alone_ = 0;
            groups_.forget();
            return;
        }
        const LocalTimeline &t = at.timeline;
        std::size_t event = t.size() - events;
        if (at.nothing_open && events == 1) groups_.start(event);
        if (!groups_.noting()) return;
        for (; !words.empty(); words = words.subspan(2), ++event) {
            groups_.note_begin(words[0], t.place[event]);
            groups_.note_end(words[1], event);
        }
        if (at.nothing_open) groups_.close();
    }

    // Takes known groups, one after the other, as many as stay in the cache while they are written.
    std::size_t take_groups(std::span<const Mark> words, const Place &at) {
        const EventGroups::Group *group = next_group(words);
        if (group == nullptr) return 0;
        LocalTimeline &t = at.timeline;
        at.date.note(t);
        const std::size_t first = t.size();
        // Room grows while groups keep coming: room for many is not free, and a date may end them soon.
        const std::size_t most = std::min(words.size() / 2, PlaceTable::most_at_once);
        std::size_t room = std::min(most, PlaceTable::few);
        resize_events(t, first + room);
        std::size_t n = 0;
        std::size_t used = 0;
        do {
            if (n + group->events() > room) {
                if (n + group->events() > most) break;
                room = std::min(most, std::max(2 * room, n + group->events()));
                resize_events(t, first + room);
            }
            put_group(*group, words.subspan(used).data(), t, first + n, at.ticks, at.scale);
            used += group->marks.size();
            n += group->events();
            group = next_group(words.subspan(used));
        } while (group != nullptr);
        resize_events(t, first + n);
        return used;
    }
    // The next known group. Null: none, or so many groups of one event in a row that whole events are faster.
    const EventGroups::Group *next_group(std::span<const Mark> words) {
        const EventGroups::Group *const group = words.empty() ? nullptr : groups_.find(words);
        if (group == nullptr) return nullptr;
        alone_ = group->events() > 1 ? 0 : alone_ + 1;
        return alone_ > PlaceTable::few ? nullptr : group;
    }

    PlaceTable places_;
    EventGroups groups_;
    std::size_t alone_ = 0; // groups of one event in a row
};

} // namespace cpl_lb
