// Events that hold others and that a model repeats: a PUT with a MAP inside, a GET with two. A group goes from one
// begin to the mark at which all begun events have ended. After a group was matched once, end by end, the same marks
// need no matching again.
#pragma once

#include "events/marks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

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

} // namespace cpl_lb
