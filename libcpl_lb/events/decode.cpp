// Matches every end with its begin, mark by mark; shortcuts take what repeats (fast_paths.hpp, whole_events.cpp).
#include "events/decode.hpp"

#include "events/fast_paths.hpp"
#include "events/place_table.hpp"
#include "events/timeline_filling.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>
#include <vector>

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

// gone: ascending, of this timeline.
void remove_from(LocalTimeline &t, std::span<const EventPlace> gone) {
    std::size_t next = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (next < gone.size() && gone[next].index == i) {
            ++next;
            continue;
        }
        t.place[kept] = t.place[i];
        t.start[kept] = t.start[i];
        t.stop[kept++] = t.stop[i];
    }
    resize_events(t, kept);
    PlaceTable::number_by_first_appearance(t);
    std::size_t before = 0;
    for (DateChange &d : t.dates) {
        while (before < gone.size() && gone[before].index < d.first)
            ++before;
        d.first -= before;
    }
}

// How many events of the same component are gone before this one.
std::size_t gone_before(const EventPlace &e, const std::vector<EventPlace> &gone) {
    const auto first = std::lower_bound(gone.begin(), gone.end(), EventPlace{e.component, 0});
    return static_cast<std::size_t>(std::lower_bound(first, gone.end(), e) - first);
}

// Removes events that were open at the edge of a slice, or when memory ended; also from places, dates and the events
// open at the end, but not from end_order.
void remove_events(DecodedProcess &process, std::vector<EventPlace> gone) {
    std::sort(gone.begin(), gone.end());
    for (auto first = gone.begin(); first != gone.end();) {
        const auto last =
            std::find_if(first, gone.end(), [&](const EventPlace &e) { return e.component != first->component; });
        remove_from(process.components[first->component], {first, last});
        first = last;
    }
    for (EventPlace &e : process.open_at_end)
        e.index -= gone_before(e, gone);
}

class Decoder {
public:
    explicit Decoder(const DecodeInput &input) : input_(input) {
        result_.components.resize(std::max<std::size_t>(input.components, 1));
        stack_.push_back(0);
        fast_.assign(result_.components.size(), FastPaths(input.fields));
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
        t.start.reserve(events);
        t.stop.reserve(events);
        prefer_large_pages(t.start);
        prefer_large_pages(t.stop);
    }

    // False at a word that no recorder writes: the rest of the chunk is not trusted.
    bool read_chunk(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            if (events_ >= input_.most_events) return count_rest(words);
            if (const std::size_t marks = take_shortcut(words); marks > 0) {
                words = words.subspan(marks);
                continue;
            }
            MarkRead mark;
            if (!next_mark(words, ticks_, mark) || !read(mark)) return false;
        }
        return true;
    }
    std::size_t take_shortcut(std::span<const Mark> words) {
        return fast().take(words, {current(), date_, ticks_, input_.scale, open_.empty()});
    }

    // Too many events: those that begin from here on are dropped, and those that are still open.
    bool count_rest(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            MarkRead mark;
            if (!next_mark(words, ticks_, mark)) return false;
            if (!is_begin(mark.code)) continue;
            result_.first_dropped = std::min(result_.first_dropped, now());
            ++result_.problems.dropped;
            dropped_ = true;
        }
        return true;
    }

    bool read(const MarkRead &mark) {
        if (is_begin(mark.code)) return begin(make_what(mark.code - begin_code(0), mark.id));
        if (is_end(mark.code)) return end(make_what(mark.code - end_code(0), mark.id));
        fast().forget();
        switch (static_cast<MarkCode>(mark.code)) {
        case MarkCode::time:
            return true;
        case MarkCode::date:
            date_.set(current(), static_cast<std::int64_t>(mark.extra[0]));
            return true;
        case MarkCode::component_begin:
            return enter(mark.id);
        case MarkCode::component_end:
            return leave();
        case MarkCode::calibration:
            result_.calibrations.push_back({mark.extra[0], static_cast<std::int64_t>(mark.extra[1]), 0});
            return true;
        case MarkCode::pause:
            pause();
            return true;
        case MarkCode::resume:
            resume(mark.id);
            return true;
        default:
            return false;
        }
    }

    [[nodiscard]] FastPaths &fast() { return fast_[stack_.back()]; }
    [[nodiscard]] Nanoseconds now() const { return input_.scale.to_ns(ticks_); }
    [[nodiscard]] LocalTimeline &current() { return result_.components[stack_.back()]; }

    bool begin(LocalWhat what) {
        if (field_of(what) >= input_.fields) return false;
        LocalTimeline &t = current();
        date_.note(t);
        fast().begin(t, what, open_.empty());
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
        if (innermost_of(what) != 0) {
            end_open(what);
            return true;
        }
        fast().forget();
        if (began_outside_ > 0) {
            --began_outside_; // its begin lay outside the slice
            return true;
        }
        if (result_.problems.end_without_begin++ == 0) result_.problems.first_end_without_begin = what;
        return true;
    }
    void end_open(LocalWhat what) {
        std::uint32_t &innermost = innermost_of(what);
        Open &o = open_[innermost - 1];
        LocalTimeline &t = result_.components[o.component];
        t.stop[o.index] = std::max(now(), t.start[o.index]); // a clock may have stepped back
        const std::size_t place = t.ended++;
        if (o.index + 1 != t.size() || o.ended_before != place) note_end(t, o.index, place);
        o.ended = true;
        innermost = o.outer;
        fast().end(what, o.index);
        while (!open_.empty() && open_.back().ended)
            open_.pop_back();
        if (open_.empty()) fast().all_ended();
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
        if (date_.given) result_.components[to].dated = true;
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
            t.order.add(t.place);
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
    DecodedProcess result_;
    std::uint64_t ticks_ = 0;
    std::size_t events_ = 0; // that were matched one by one: others have both their marks and are not too many
    bool dropped_ = false;
    CurrentDate date_;
    bool sliced_ = false;
    std::uint32_t began_outside_ = 0;
    std::vector<std::uint32_t> stack_;
    std::deque<Open> open_;                // by their begins; the last one has not ended
    std::vector<std::uint32_t> innermost_; // open event of each kind and field, counted from 1; 0: none
    std::vector<EventPlace> discarded_;
    std::vector<FastPaths> fast_; // by component
};

} // namespace

DecodedProcess decode(const DecodeInput &input) {
    if (input.times_may_stay && input.components <= 1 && !input.full) {
        if (auto whole = decode_whole_events(input)) return std::move(*whole);
    }
    return Decoder(input).run();
}

} // namespace cpl_lb
