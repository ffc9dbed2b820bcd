// Shortcuts of decoding, for one component: events whose end follows their begin, and groups of events that came
// before. They give what matching mark by mark gives, several times as fast; what they leave is matched.
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
    // Where decoding is.
    struct Place {
        LocalTimeline &timeline;
        const CurrentDate &date;
        std::uint64_t &ticks;
        TickScale scale;
        bool nothing_open;
    };

    explicit FastPaths(std::uint32_t fields) : places_(fields), groups_(fields) {}

    // Adds the events that the words begin with, as far as a shortcut fits. Returns how many words they take.
    std::size_t take(std::span<const Mark> words, const Place &at) {
        const std::size_t marks = at.nothing_open ? take_groups(words, at) : 0;
        return marks > 0 ? marks : take_whole_events(words, at);
    }

    // What is matched mark by mark: the next group is learnt from it. nothing_open: before the begin, after the end.
    void begin(LocalTimeline &t, LocalWhat what, bool nothing_open) {
        t.place.push_back(places_.place_for(t, what));
        if (nothing_open) groups_.start(t.size() - 1);
        groups_.note_begin(make_mark(0, field_of(what), begin_code(static_cast<int>(kind_of(what)))), t.place.back());
    }
    void end(LocalWhat what, std::size_t event) {
        groups_.note_end(make_mark(0, field_of(what), end_code(static_cast<int>(kind_of(what)))), event);
    }
    void all_ended() { groups_.close(); }
    // Something else lies between the marks of this group.
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
    // A group may hold them, and one that is alone between groups is one itself.
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

    // Known groups, one after the other, as many as are in the cache when they are written.
    std::size_t take_groups(std::span<const Mark> words, const Place &at) {
        const EventGroups::Group *group = next_group(words);
        if (group == nullptr) return 0;
        LocalTimeline &t = at.timeline;
        at.date.note(t);
        const std::size_t first = t.size();
        // Room grows while groups keep coming: a date between them ends them, and making room for many is not free.
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
    // Null: none, or so many of one event in a row that they are taken faster as whole events.
    const EventGroups::Group *next_group(std::span<const Mark> words) {
        const EventGroups::Group *const group = words.empty() ? nullptr : groups_.find(words);
        if (group == nullptr) return nullptr;
        alone_ = group->events() > 1 ? 0 : alone_ + 1;
        return alone_ > PlaceTable::few ? nullptr : group;
    }

    PlaceTable places_;
    EventGroups groups_;
    std::size_t alone_ = 0; // groups of one event, one after the other
};

} // namespace cpl_lb
