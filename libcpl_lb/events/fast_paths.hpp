// Shortcuts of decoding, for one component: events whose end follows their begin, and groups of events that came
// before. They give the same as matching mark by mark, several times as fast. Other marks are matched.
#pragma once

#include "events/marks.hpp"
#include "events/place_table.hpp"
#include "events/timeline_filling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Events that hold others and that a model repeats: a PUT with a MAP inside, a GET with two. A group goes from one
// begin to the mark at which all begun events have ended. After a group was matched once, end by end, the same marks
// need no matching again.
class EventGroups {
public:
    struct Event {
        std::uint32_t begin = 0, end = 0; // places among the marks
        std::uint32_t place = 0;          // see LocalTimeline
    };
    // An event of the group, and how many events of the group ended before it.
    struct Ended {
        std::uint32_t event = 0, place = 0;
    };
    struct Group {
        std::vector<Mark> marks; // kind and field of each, no time
        std::vector<Event> event;
        std::vector<Ended> ended; // in the order of their ends; without events whose end follows their begin

        [[nodiscard]] std::size_t events() const { return event.size(); }
    };

    static constexpr std::size_t most_marks = 64; // longer groups are not kept

    explicit EventGroups(std::uint32_t fields) : fields_(fields) {}

    // The known group that these words begin with, or null.
    [[nodiscard]] const Group *find(std::span<const Mark> words) const {
        const Mark first = words[0];
        if (groups_.empty() || !is_begin(code_of(first)) || id_of(first) >= fields_) return nullptr;
        const std::uint32_t number = group_of_[key_of_begin(first)];
        if (number == 0) return nullptr;
        const Group &group = groups_[number - 1];
        if (words.size() < group.marks.size()) return nullptr;
        Mark differs = 0;
        for (std::size_t i = 0; i < group.marks.size(); ++i)
            differs |= words[i] ^ group.marks[i];
        return (differs & what_bits) == 0 ? &group : nullptr;
    }

    // Begins to note the group that is matched now. first_event: its first event in the component's timeline.
    void start(std::size_t first_event) {
        now_.marks.clear();
        now_.event.clear();
        now_.ended.clear();
        first_event_ = first_event;
        ended_ = 0;
        noting_ = true;
    }
    [[nodiscard]] bool noting() const { return noting_; }
    void note_begin(Mark mark, std::uint32_t place) {
        if (!room()) return;
        now_.event.push_back({static_cast<std::uint32_t>(now_.marks.size()), 0, place});
        now_.marks.push_back(mark & what_bits);
    }
    void note_end(Mark mark, std::size_t event) {
        if (!room()) return;
        if (event < first_event_ || event - first_event_ >= now_.events()) return forget();
        const auto in_group = static_cast<std::uint32_t>(event - first_event_);
        Event &ends = now_.event[in_group];
        ends.end = static_cast<std::uint32_t>(now_.marks.size());
        if (ends.begin + 1 != ends.end) now_.ended.push_back({in_group, ended_});
        ++ended_;
        now_.marks.push_back(mark & what_bits);
    }
    // All events have ended: the group is known now. The latest of the groups that begin alike counts.
    void close() {
        if (!noting_) return;
        noting_ = false;
        if (ended_ != now_.events()) return;
        if (group_of_.empty()) group_of_.resize(keys_of_fields(fields_));
        std::uint32_t &number = group_of_[key_of_begin(now_.marks[0])];
        if (number == 0) {
            groups_.emplace_back();
            number = static_cast<std::uint32_t>(groups_.size());
        }
        std::swap(groups_[number - 1], now_);
    }
    // Forgets the group that is noted: something else lies between its marks.
    void forget() { noting_ = false; }

private:
    bool room() {
        if (now_.marks.size() == most_marks) noting_ = false;
        return noting_;
    }

    std::uint32_t fields_;
    std::vector<std::uint32_t> group_of_; // by key: number from 1; 0: none
    std::vector<Group> groups_;
    Group now_;
    std::uint32_t ended_ = 0;
    std::size_t first_event_ = 0;
    bool noting_ = false;
};

// Puts the events of a group from event `first` on. `words` are the group's marks. There is room for the events.
inline void put_group(const EventGroups::Group &group, const Mark *words, LocalTimeline &t, std::size_t first,
                      std::uint64_t &ticks_before, TickScale scale) {
    std::array<Nanoseconds, EventGroups::most_marks> times; // NOLINT(*-member-init): written before it is read
    std::uint64_t ticks = ticks_before;
    for (std::size_t i = 0; i < group.marks.size(); ++i)
        times[i] = scale.to_ns(ticks += delta_of(words[i]));
    ticks_before = ticks;
    for (std::size_t e = 0; e < group.events(); ++e) {
        const EventGroups::Event &event = group.event[e];
        t.place[first + e] = event.place;
        t.start[first + e] = times[event.begin];
        t.stop[first + e] = std::max(times[event.end], times[event.begin]); // a clock may have stepped back
    }
    for (const EventGroups::Ended &e : group.ended)
        note_end(t, first + e.event, t.ended + e.place);
    t.ended += group.events();
}

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
