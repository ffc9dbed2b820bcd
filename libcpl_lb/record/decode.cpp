#include "record/decode.hpp"

#include "data/large_pages.hpp"
#include "record/event_groups.hpp"
#include "record/place_table.hpp"
#include "record/removed_events.hpp"
#include "record/timeline_filling.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace cpl_lb {
namespace {

struct Open {
    LocalWhat what;
    std::uint32_t component;
    std::size_t index;        // in its component's timeline
    std::size_t ended_before; // of that timeline's events
    std::uint32_t outer;      // the open event of the same kind and field around it, counted from 1; 0: none
    bool ended = false;       // and inside another one that is still open
};

class Decoder {
public:
    Decoder(const DecodeInput &input, bool times_stay) : input_(input), times_stay_(times_stay) {
        result_.components.resize(std::max<std::size_t>(input.components, 1));
        stack_.push_back(0);
        places_.assign(result_.components.size(), PlaceTable(input.fields));
        groups_.assign(result_.components.size(), EventGroups(input.fields));
        innermost_.resize(kind_count * static_cast<std::size_t>(input.fields));
        if (input.components <= 1) reserve(words_of_all() / 2 + 1); // and TERM
    }

    DecodedProcess run() {
        for (std::size_t i = 0; i < input_.chunks; ++i) {
            if (!read_chunk(input_.chunk(i))) ++result_.problems.damaged_chunks;
            if (input_.done_with) input_.done_with(i);
        }
        finish();
        return std::move(result_);
    }
    // With times that stay in the marks; nothing when there is more than whole events, dates and times.
    std::optional<DecodedProcess> run_if_whole() {
        for (std::size_t i = 0; i < input_.chunks; ++i) {
            if (!read_chunk(input_.chunk(i))) return std::nullopt;
        }
        if (begun_) return std::nullopt;
        finish();
        result_.components[0].times_in_marks = true;
        return std::move(result_);
    }

private:
    [[nodiscard]] std::size_t words_of_all() const {
        std::size_t words = 0;
        for (std::size_t i = 0; i < input_.chunks; ++i)
            words += input_.chunk(i).size();
        return words;
    }
    void reserve(std::size_t events) {
        LocalTimeline &t = result_.components[0];
        t.place.reserve(events);
        prefer_large_pages(t.place);
        if (times_stay_) return;
        t.start.reserve(events);
        t.stop.reserve(events);
        prefer_large_pages(t.start);
        prefer_large_pages(t.stop);
    }

    // False at a word that no recorder writes: the rest of the chunk is not trusted.
    bool read_chunk(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            if (events_ >= input_.most_events) return count_rest(words);
            if (const std::size_t marks = take_groups(words); marks > 0) {
                words = words.subspan(marks);
                continue;
            }
            if (const std::size_t events = begun_ ? 0 : take_whole_events(words); events > 0) {
                note_whole_events(words.first(2 * events));
                words = words.subspan(2 * events);
                continue;
            }
            const auto extra = static_cast<std::size_t>(extra_words(code_of(words[0])));
            if (extra >= words.size() || !read_mark(words[0], words.subspan(1, extra))) return false;
            words = words.subspan(1 + extra);
        }
        return true;
    }

    // Too many events: those that begin from here on are dropped, and those that are still open.
    bool count_rest(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            const auto extra = static_cast<std::size_t>(extra_words(code_of(words[0])));
            if (extra >= words.size()) return false;
            ticks_ += delta_of(words[0]);
            if (code_of(words[0]) == static_cast<unsigned>(MarkCode::time)) ticks_ = words[1];
            if (is_begin(code_of(words[0]))) {
                result_.first_dropped = std::min(result_.first_dropped, now());
                ++result_.problems.dropped;
                dropped_ = true;
            }
            words = words.subspan(1 + extra);
        }
        return true;
    }

    static constexpr std::size_t most_at_once = 1024;
    static constexpr std::size_t few = 8; // fewer in a row are not worth a look at many at once

    // Most events hold no other: their end follows their begin, and nothing has to be looked up. Takes those that
    // follow each other here, at most so many that they are in the cache when they are read again. Returns how many.
    std::size_t take_whole_events(std::span<const Mark> words) {
        const std::size_t limit = std::min(words.size() / 2, most_at_once);
        if (limit == 0 || !places().is_event(words[0], words[1])) return 0;
        LocalTimeline &t = current();
        note_date(t);
        const std::size_t first = t.size();
        std::size_t n = 0;
        const auto one_by_one = [&](std::size_t last) {
            for (; n < last && places().is_event(words[2 * n], words[2 * n + 1]); ++n)
                t.place.push_back(places().place_for(t, make_what(code_of(words[2 * n]) - 1, id_of(words[2 * n]))));
        };
        one_by_one(std::min(few, limit));
        constexpr std::size_t block = PlaceTable::block;
        while (n >= few && limit - n >= block && places().take_block(t, words.subspan(2 * n).first<2 * block>()))
            n += block;
        one_by_one(limit);
        t.ended += n;
        if (times_stay_) {
            t.order.add(std::span(t.place).subspan(first));
            std::uint64_t passed = 0; // in a register: ticks_ could be one of the words, as far as a compiler knows
            for (const Mark mark : words.first(2 * n))
                passed += delta_of(mark);
            ticks_ += passed;
        } else {
            add_times(t, words.first(2 * n), ticks_, input_.scale);
        }
        return n;
    }
    // Known groups of events, one after the other, as many as these words begin with and are in the cache when they
    // are written. Returns how many words they take.
    std::size_t take_groups(std::span<const Mark> words) {
        if (times_stay_ || !open_.empty()) return 0;
        const EventGroups::Group *group = next_group(words);
        if (group == nullptr) return 0;
        LocalTimeline &t = current();
        note_date(t);
        const std::size_t first = t.size();
        // Room grows while groups keep coming: a date between them ends them, and making room for many is not free.
        const std::size_t most = std::min(words.size() / 2, most_at_once);
        std::size_t room = std::min(most, few);
        resize_events(t, first + room);
        std::size_t n = 0;
        std::size_t used = 0;
        do {
            if (n + group->events() > room) {
                if (n + group->events() > most) break;
                room = std::min(most, std::max(2 * room, n + group->events()));
                resize_events(t, first + room);
            }
            put_group(*group, words.subspan(used).data(), t, first + n, ticks_, input_.scale);
            used += group->marks.size();
            n += group->events();
            group = next_group(words.subspan(used));
        } while (group != nullptr);
        resize_events(t, first + n);
        return used;
    }
    // Null: none, or so many of one event in a row that they are taken faster as whole events.
    const EventGroups::Group *next_group(std::span<const Mark> words) {
        const EventGroups::Group *const group = words.empty() ? nullptr : groups().find(words);
        if (group == nullptr) return nullptr;
        alone_ = group->events() > 1 ? 0 : alone_ + 1;
        return alone_ > few ? nullptr : group;
    }
    // A group may hold them, and one that is alone between groups is one itself.
    void note_whole_events(std::span<const Mark> words) {
        if (times_stay_) return;
        const std::size_t events = words.size() / 2;
        if (events > few) {
            alone_ = 0;
            groups().forget();
            return;
        }
        std::size_t event = current().size() - events;
        if (open_.empty() && events == 1) groups().start(event);
        if (!groups().noting()) return;
        for (; !words.empty(); words = words.subspan(2), ++event) {
            groups().note_begin(words[0], current().place[event]);
            groups().note_end(words[1], event);
        }
        if (open_.empty()) groups().close();
    }
    [[nodiscard]] EventGroups &groups() { return groups_[stack_.back()]; }
    [[nodiscard]] PlaceTable &places() { return places_[stack_.back()]; }
    void note_date(LocalTimeline &t) const {
        if (dated_ && (t.dates.empty() || t.dates.back().date != date_)) t.dates.push_back({t.size(), date_});
    }
    bool read_mark(Mark mark, std::span<const Mark> extra) {
        ticks_ += delta_of(mark);
        const unsigned code = code_of(mark);
        if (is_begin(code)) return begin(make_what(code - 1, id_of(mark)));
        if (is_end(code)) return end(make_what(code - 33, id_of(mark)));
        groups().forget();
        if (times_stay_ && extra.empty()) return false;
        switch (static_cast<MarkCode>(code)) {
        case MarkCode::time:
            ticks_ = extra[0];
            return true;
        case MarkCode::date:
            set_date(static_cast<std::int64_t>(extra[0]));
            return true;
        case MarkCode::component_begin:
            return enter(id_of(mark));
        case MarkCode::component_end:
            return leave();
        case MarkCode::calibration:
            result_.calibrations.push_back({extra[0], static_cast<std::int64_t>(extra[1]), 0});
            return true;
        case MarkCode::pause:
            pause();
            return true;
        case MarkCode::resume:
            resume(id_of(mark));
            return true;
        default:
            return false;
        }
    }

    [[nodiscard]] Nanoseconds now() const { return input_.scale.to_ns(ticks_); }
    [[nodiscard]] LocalTimeline &current() { return result_.components[stack_.back()]; }

    bool begin(LocalWhat what) {
        if (field_of(what) >= input_.fields) return false;
        LocalTimeline &t = current();
        note_date(t);
        t.place.push_back(places().place_for(t, what));
        if (times_stay_) {
            t.order.add(t.place.back());
            return !std::exchange(begun_, true);
        }
        if (open_.empty()) groups().start(t.size() - 1);
        groups().note_begin(make_mark(0, field_of(what), begin_code(static_cast<int>(kind_of(what)))),
                            t.place.back());
        std::uint32_t &innermost = innermost_of(what);
        ++events_;
        open_.push_back({what, stack_.back(), t.size() - 1, t.ended, innermost});
        innermost = static_cast<std::uint32_t>(open_.size());
        t.start.push_back(now());
        t.stop.push_back(absent);
        return true;
    }

    // Ends the innermost open event of that kind and field: others may interleave with it.
    bool end(LocalWhat what) {
        if (field_of(what) >= input_.fields) return false;
        if (times_stay_) {
            ++current().ended;
            return std::exchange(begun_, false) && current().what(current().size() - 1) == what;
        }
        if (std::uint32_t &innermost = innermost_of(what); innermost != 0) {
            Open &o = open_[innermost - 1];
            LocalTimeline &t = result_.components[o.component];
            t.stop[o.index] = std::max(now(), t.start[o.index]); // a clock may have stepped back
            const std::size_t place = t.ended++;
            if (o.index + 1 != t.size() || o.ended_before != place) note_end(t, o.index, place);
            o.ended = true;
            innermost = o.outer;
            groups().note_end(make_mark(0, field_of(what), end_code(static_cast<int>(kind_of(what)))), o.index);
            while (!open_.empty() && open_.back().ended)
                open_.pop_back();
            if (open_.empty()) groups().close();
            return true;
        }
        groups().forget();
        if (began_outside_ > 0) {
            --began_outside_; // its begin lay outside the slice
            return true;
        }
        if (result_.problems.end_without_begin++ == 0) result_.problems.first_end_without_begin = what;
        return true;
    }

    void set_date(std::int64_t date) {
        date_ = date;
        dated_ = true;
        current().dated = true;
    }

    bool enter(std::uint32_t component) {
        if (component >= result_.components.size()) return false;
        switch_from_to(stack_.back(), component);
        stack_.push_back(component);
        return true;
    }
    bool leave() {
        if (stack_.size() < 2) return false;
        const std::uint32_t from = stack_.back();
        stack_.pop_back();
        switch_from_to(from, stack_.back());
        return true;
    }
    // Time away of a component: from where it was left to where it was entered again.
    void switch_from_to(std::uint32_t from, std::uint32_t to) {
        if (from == to) return;
        const Nanoseconds t = now();
        result_.components[from].away.push_back({t, absent});
        std::vector<Interval> &away = result_.components[to].away;
        if (away.empty()) away.push_back({std::numeric_limits<Nanoseconds>::min() + 1, t}); // away since the start
        if (away.back().stop == absent) away.back().stop = t;
        if (dated_) result_.components[to].dated = true;
    }

    void pause() {
        const bool at_start = result_.slice.stop == 0 && !sliced_;
        sliced_ = true;
        if (!at_start) result_.slice.stop = now();
        discard_open(); // not wholly inside the slice, so not part of it
    }
    void resume(std::uint32_t open_outside) {
        if (result_.slice.start == 0) result_.slice.start = now();
        result_.slice.stop = std::numeric_limits<Nanoseconds>::max();
        began_outside_ = open_outside;
    }

    void discard_open() {
        for (const Open &o : open_) {
            if (o.ended) continue;
            LocalTimeline &t = result_.components[o.component];
            discarded_.push_back({o.component, o.index});
            note_no_end(t, o.index);
            t.stop[o.index] = t.start[o.index];
            innermost_of(o.what) = 0;
        }
        open_.clear();
    }

    void drop_open() {
        for (const Open &o : open_) {
            if (o.ended) continue;
            result_.first_dropped = std::min(result_.first_dropped, result_.components[o.component].start[o.index]);
            ++result_.problems.dropped;
        }
        discard_open();
    }

    void finish() {
        result_.last_mark = now();
        if (input_.full || dropped_) drop_open();
        const Nanoseconds close =
            input_.close_ticks == 0 ? result_.last_mark : input_.scale.to_ns(input_.close_ticks);
        for (const Open &o : open_) {
            if (o.ended) continue;
            if (result_.problems.forgotten_end++ == 0) result_.problems.first_forgotten_end = o.what;
            LocalTimeline &t = result_.components[o.component];
            t.stop[o.index] = std::max(close, t.start[o.index]);
            note_no_end(t, o.index);
            if (input_.list_open_at_end) result_.open_at_end.push_back({o.component, o.index});
        }
        open_ = {}; // its memory is wanted for what follows
        remove_events(result_, std::move(discarded_));
        for (LocalTimeline &t : result_.components)
            if (!times_stay_) t.order.add(t.place);
        close_away(close);
        if (result_.slice.stop == std::numeric_limits<Nanoseconds>::max()) result_.slice.stop = close;
    }

    void close_away(Nanoseconds close) {
        for (LocalTimeline &t : result_.components) {
            std::vector<Interval> &away = t.away;
            if (!away.empty() && away.back().stop == absent) away.back().stop = std::max(close, away.back().start);
        }
    }

    [[nodiscard]] std::size_t dense(LocalWhat what) const {
        return static_cast<std::size_t>(kind_of(what)) * input_.fields + field_of(what);
    }
    [[nodiscard]] std::uint32_t &innermost_of(LocalWhat what) { return innermost_[dense(what)]; }

    const DecodeInput &input_;
    bool times_stay_;
    bool begun_ = false; // with times that stay: an event whose end does not follow directly
    DecodedProcess result_;
    std::uint64_t ticks_ = 0;
    std::size_t events_ = 0; // that were matched one by one: others have both their marks and are not too many
    bool dropped_ = false;
    std::int64_t date_ = no_date;
    bool dated_ = false;
    bool sliced_ = false;
    std::uint32_t began_outside_ = 0;
    std::vector<std::uint32_t> stack_;
    std::deque<Open> open_;                // by their begins; the last one has not ended
    std::vector<std::uint32_t> innermost_; // open event of each kind and field, counted from 1; 0: none
    std::vector<EventPlace> discarded_;
    std::vector<PlaceTable> places_;  // by component
    std::vector<EventGroups> groups_; // by component
    std::size_t alone_ = 0;           // groups of one event, one after the other
};

} // namespace

DecodedProcess decode(const DecodeInput &input) {
    if (input.times_may_stay && input.components <= 1 && !input.full) {
        if (auto whole = Decoder(input, true).run_if_whole()) return std::move(*whole);
    }
    return Decoder(input, false).run();
}

} // namespace cpl_lb
