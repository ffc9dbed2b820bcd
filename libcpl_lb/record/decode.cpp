#include "record/decode.hpp"

#include "data/large_pages.hpp"

#include <algorithm>
#include <bit>

namespace cpl_lb {
namespace {

struct Open {
    LocalWhat what;
    std::uint32_t component;
    std::size_t index;   // in its component's timeline
    std::uint32_t outer; // the open event of the same kind and field around it, counted from 1; 0: none
    bool ended = false;  // and inside another one that is still open
};

class Decoder {
public:
    explicit Decoder(const DecodeInput &input) : input_(input) {
        result_.components.resize(std::max<std::size_t>(input.components, 1));
        stack_.push_back(0);
        met_.resize(result_.components.size());
        innermost_.resize(kind_count * static_cast<std::size_t>(input.fields));
        if (input.components <= 1) reserve(input.chunks * chunk_size() / 2 + 1); // and TERM
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
    [[nodiscard]] std::size_t chunk_size() const { return input_.chunks == 0 ? 0 : input_.chunk(0).size(); }
    void reserve(std::size_t events) {
        LocalTimeline &t = result_.components[0];
        t.what.reserve(events);
        t.start.reserve(events);
        t.stop.reserve(events);
        prefer_large_pages(t.what);
        prefer_large_pages(t.start);
        prefer_large_pages(t.stop);
    }

    // False at a word that no recorder writes: the rest of the chunk is not trusted.
    bool read_chunk(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            if (const std::size_t events = whole_events_at(words); events > 0) {
                add_whole_events(words.first(2 * events));
                words = words.subspan(2 * events);
                continue;
            }
            const auto extra = static_cast<std::size_t>(extra_words(code_of(words[0])));
            if (extra >= words.size() || !read_mark(words[0], words.subspan(1, extra))) return false;
            words = words.subspan(1 + extra);
        }
        return true;
    }

    // Most events hold no other: their end follows their begin, and nothing has to be looked up. How many of them
    // follow each other here, at most so many that they are in the cache when they are read again.
    [[nodiscard]] std::size_t whole_events_at(std::span<const Mark> words) const {
        constexpr std::size_t most = 512;
        const std::size_t limit = std::min(words.size() / 2, most);
        std::size_t n = 0;
        while (n < limit && are_one_event(words[2 * n], words[2 * n + 1]) && id_of(words[2 * n]) < input_.fields)
            ++n;
        return n;
    }
    static bool are_one_event(Mark begin, Mark end) {
        constexpr Mark what = (Mark{1} << 24U) - 1; // id and code
        return is_begin(code_of(begin)) && (begin & what) + (end_code(0) - begin_code(0)) == (end & what);
    }
    // Begin and end in turn.
    void add_whole_events(std::span<const Mark> words) {
        LocalTimeline &t = current();
        note_date(t);
        const std::size_t first = t.size();
        const std::size_t events = words.size() / 2;
        t.what.resize(first + events);
        t.start.resize(first + events);
        t.stop.resize(first + events);
        LocalWhat *const what = t.what.data() + first;
        Nanoseconds *const start = t.start.data() + first;
        Nanoseconds *const stop = t.stop.data() + first;
        const TickScale scale = input_.scale;
        std::uint64_t ticks = ticks_;
        for (std::size_t i = 0; i < events; ++i) {
            what[i] = make_what(code_of(words[2 * i]) - 1, id_of(words[2 * i]));
            start[i] = scale.to_ns(ticks += delta_of(words[2 * i]));
            stop[i] = scale.to_ns(ticks += delta_of(words[2 * i + 1]));
        }
        ticks_ = ticks;
        t.ended += events;
        note_what(t, {what, events});
    }
    void note_what(LocalTimeline &t, std::span<const LocalWhat> events) {
        std::vector<std::uint8_t> &met = met_[stack_.back()];
        met.resize(innermost_.size());
        std::uint8_t *const is_known = met.data();
        for (const LocalWhat what : events) {
            if (is_known[dense(what)] != 0) continue;
            is_known[dense(what)] = 1;
            t.distinct.push_back(what);
        }
    }
    void note_date(LocalTimeline &t) const {
        if (dated_ && (t.dates.empty() || t.dates.back().date != date_)) t.dates.push_back({t.size(), date_});
    }
    // Events nearly always end in the order in which they began; the others make the hash. The end of a whole event
    // needs no place in it: the others leave it only one.
    static void note_end(LocalTimeline &t, std::size_t event) {
        const std::size_t place = t.ended++;
        if (event == place) return;
        for (const std::size_t v : {event, place})
            t.end_order = std::rotl((t.end_order ^ (v + 1)) * 0x9fb21c651e98df25U, 27);
    }

    bool read_mark(Mark mark, std::span<const Mark> extra) {
        ticks_ += delta_of(mark);
        const unsigned code = code_of(mark);
        if (is_begin(code)) return begin(make_what(code - 1, id_of(mark)));
        if (is_end(code)) return end(make_what(code - 33, id_of(mark)));
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
        note_what(t, {&what, 1});
        std::uint32_t &innermost = innermost_of(what);
        open_.push_back({what, stack_.back(), t.size(), innermost});
        innermost = static_cast<std::uint32_t>(open_.size());
        t.what.push_back(what);
        t.start.push_back(now());
        t.stop.push_back(absent);
        return true;
    }

    // Ends the innermost open event of that kind and field: others may interleave with it.
    bool end(LocalWhat what) {
        if (field_of(what) >= input_.fields) return false;
        if (std::uint32_t &innermost = innermost_of(what); innermost != 0) {
            Open &o = open_[innermost - 1];
            LocalTimeline &t = result_.components[o.component];
            t.stop[o.index] = std::max(now(), t.start[o.index]); // a clock may have stepped back
            note_end(t, o.index);
            o.ended = true;
            innermost = o.outer;
            while (!open_.empty() && open_.back().ended)
                open_.pop_back();
            return true;
        }
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
            ++t.ended;
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
        if (input_.full) drop_open();
        const Nanoseconds close =
            input_.close_ticks == 0 ? result_.last_mark : input_.scale.to_ns(input_.close_ticks);
        for (const Open &o : open_) {
            if (o.ended) continue;
            if (result_.problems.forgotten_end++ == 0) result_.problems.first_forgotten_end = o.what;
            LocalTimeline &t = result_.components[o.component];
            t.stop[o.index] = std::max(close, t.start[o.index]);
            result_.open_at_end.push_back({o.component, o.index});
        }
        remove_discarded();
        close_away(close);
        if (result_.slice.stop == std::numeric_limits<Nanoseconds>::max()) result_.slice.stop = close;
    }

    void close_away(Nanoseconds close) {
        for (LocalTimeline &t : result_.components) {
            std::vector<Interval> &away = t.away;
            if (!away.empty() && away.back().stop == absent) away.back().stop = std::max(close, away.back().start);
        }
    }

    void remove_discarded() {
        std::sort(discarded_.begin(), discarded_.end());
        for (auto first = discarded_.begin(); first != discarded_.end();) {
            const auto last = std::find_if(first, discarded_.end(),
                                           [&](const EventPlace &e) { return e.component != first->component; });
            remove(result_.components[first->component], {first, last});
            first = last;
        }
        for (EventPlace &e : result_.open_at_end)
            e.index -= gone_before(e);
    }
    // Of the same component, among the discarded.
    [[nodiscard]] std::size_t gone_before(const EventPlace &e) const {
        const auto first = std::lower_bound(discarded_.begin(), discarded_.end(), EventPlace{e.component, 0});
        return static_cast<std::size_t>(std::lower_bound(first, discarded_.end(), e) - first);
    }
    // gone: ascending.
    static void remove(LocalTimeline &t, std::span<const EventPlace> gone) {
        std::size_t next = 0;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < t.size(); ++i) {
            if (next < gone.size() && gone[next].index == i) {
                ++next;
                continue;
            }
            t.what[kept] = t.what[i];
            t.start[kept] = t.start[i];
            t.stop[kept++] = t.stop[i];
        }
        t.what.resize(kept);
        t.start.resize(kept);
        t.stop.resize(kept);
        const auto is_gone = [&t](LocalWhat what) {
            return std::find(t.what.begin(), t.what.end(), what) == t.what.end();
        };
        std::erase_if(t.distinct, is_gone);
        std::size_t before = 0;
        for (DateChange &d : t.dates) {
            while (before < gone.size() && gone[before].index < d.first)
                ++before;
            d.first -= before;
        }
    }

    [[nodiscard]] std::size_t dense(LocalWhat what) const {
        return static_cast<std::size_t>(kind_of(what)) * input_.fields + field_of(what);
    }
    [[nodiscard]] std::uint32_t &innermost_of(LocalWhat what) { return innermost_[dense(what)]; }

    const DecodeInput &input_;
    DecodedProcess result_;
    std::uint64_t ticks_ = 0;
    std::int64_t date_ = no_date;
    bool dated_ = false;
    bool sliced_ = false;
    std::uint32_t began_outside_ = 0;
    std::vector<std::uint32_t> stack_;
    std::vector<Open> open_;               // by their begins; the last one has not ended
    std::vector<std::uint32_t> innermost_; // open event of each kind and field, counted from 1; 0: none
    std::vector<EventPlace> discarded_;
    std::vector<std::vector<std::uint8_t>> met_; // by component, kind and field: whether there is such an event
};

} // namespace

DecodedProcess decode(const DecodeInput &input) {
    return Decoder(input).run();
}

} // namespace cpl_lb
