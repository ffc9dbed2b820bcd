// Reads marks twice: for what happened in which order, and later for the times.
#include "events/decode.hpp"

#include "events/place_table.hpp"
#include "events/timeline_filling.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t block_events = 16'384; // 256 KiB of starts and stops

class OrderReader {
public:
    explicit OrderReader(const DecodeInput &input) : input_(input), places_(input.fields) {
        result_.components.resize(1);
        std::size_t words = 0;
        for (std::size_t i = 0; i < input.chunks; ++i)
            words += input.chunk(i).size();
        timeline().place.reserve(words / 2 + 1); // and TERM
        prefer_large_pages(timeline().place);
    }

    std::optional<DecodedProcess> run() {
        for (std::size_t i = 0; i < input_.chunks; ++i)
            if (!read_chunk(input_.chunk(i))) return std::nullopt;
        if (open_) return std::nullopt;
        timeline().times_in_marks = true;
        result_.last_mark = input_.scale.to_ns(ticks_);
        return std::move(result_);
    }

private:
    [[nodiscard]] LocalTimeline &timeline() { return result_.components[0]; }

    bool read_chunk(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            if (const std::size_t marks = open_ ? 0 : take_events(words); marks > 0) {
                words = words.subspan(marks);
                continue;
            }
            MarkRead mark;
            if (!next_mark(words, ticks_, mark) || !read(mark)) return false;
        }
        return true;
    }
    // Returns the number of words.
    std::size_t take_events(std::span<const Mark> words) {
        if (!places_.begins_with_event(words)) return 0;
        LocalTimeline &t = timeline();
        date_.note(t);
        const std::size_t first = t.size();
        const std::size_t marks = 2 * places_.take_events(t, words);
        t.order.add(std::span(t.place).subspan(first));
        std::uint64_t passed = 0; // in a register: ticks_ could be one of the words, as far as a compiler knows
        for (const Mark mark : words.first(marks))
            passed += delta_of(mark);
        ticks_ += passed;
        return marks;
    }
    bool read(const MarkRead &mark) {
        if (is_begin(mark.code)) return begin(make_what(mark.code - begin_code(0), mark.id));
        if (is_end(mark.code)) return end(make_what(mark.code - end_code(0), mark.id));
        switch (static_cast<MarkCode>(mark.code)) {
        case MarkCode::time:
            return true;
        case MarkCode::date:
            date_.set(timeline(), static_cast<std::int64_t>(mark.extra[0]));
            return true;
        case MarkCode::calibration:
            result_.calibrations.push_back({mark.extra[0], static_cast<std::int64_t>(mark.extra[1]), 0});
            return true;
        default:
            return false;
        }
    }
    bool begin(LocalWhat what) {
        if (open_ || field_of(what) >= input_.fields) return false;
        LocalTimeline &t = timeline();
        date_.note(t);
        t.place.push_back(places_.place_for(t, what));
        t.order.add(t.place.back());
        return open_ = true;
    }
    bool end(LocalWhat what) {
        LocalTimeline &t = timeline();
        if (!open_ || t.what(t.size() - 1) != what) return false;
        ++t.ended;
        open_ = false;
        return true;
    }

    const DecodeInput &input_;
    DecodedProcess result_;
    PlaceTable places_;
    CurrentDate date_;
    std::uint64_t ticks_ = 0;
    bool open_ = false; // an event whose end has not come yet
};

class TimeReader {
public:
    TimeReader(const DecodeInput &input, const TakeTimes &take)
        : scale_(input.scale), take_(take), start_(block_events), stop_(block_events) {}

    void read(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            if (const std::size_t marks = read_events(words); marks > 0) {
                words = words.subspan(marks);
                continue;
            }
            MarkRead mark;
            if (!next_mark(words, ticks_, mark)) return;
            read_one(mark.code);
        }
    }
    void flush() {
        if (count_ > 0) take_(first_, std::span(start_).first(count_), std::span(stop_).first(count_));
        first_ += count_;
        count_ = 0;
    }

private:
    // Begin and end in turn, up to the end of the block at most. Returns the number of words.
    std::size_t read_events(std::span<const Mark> words) {
        const std::size_t most = std::min(block_events - count_, words.size() / 2);
        Nanoseconds *const start = start_.data() + count_;
        Nanoseconds *const stop = stop_.data() + count_;
        const TickScale scale = scale_;
        std::uint64_t ticks = ticks_;
        std::size_t n = 0;
        const auto is_event = [](Mark begin, Mark end) {
            return is_begin(code_of(begin)) && code_of(end - begin) == end_code(0) - begin_code(0);
        };
        for (; n < most && is_event(words[2 * n], words[2 * n + 1]); ++n) {
            start[n] = scale.to_ns(ticks += delta_of(words[2 * n]));
            stop[n] = scale.to_ns(ticks += delta_of(words[2 * n + 1]));
        }
        ticks_ = ticks;
        count_events(n);
        return 2 * n;
    }
    void read_one(unsigned code) {
        if (is_begin(code)) {
            start_[count_] = scale_.to_ns(ticks_);
        } else if (is_end(code)) {
            stop_[count_] = std::max(scale_.to_ns(ticks_), start_[count_]); // a clock may have stepped back
            count_events(1);
        }
    }
    void count_events(std::size_t events) {
        count_ += events;
        if (count_ == block_events) flush();
    }

    TickScale scale_;
    const TakeTimes &take_;
    std::vector<Nanoseconds> start_, stop_;
    std::size_t first_ = 0, count_ = 0;
    std::uint64_t ticks_ = 0;
};

} // namespace

std::optional<DecodedProcess> decode_whole_events(const DecodeInput &input) {
    return OrderReader(input).run();
}

void for_each_block_of_times(const DecodeInput &input, const TakeTimes &take) {
    TimeReader reader(input, take);
    for (std::size_t i = 0; i < input.chunks; ++i)
        reader.read(input.chunk(i));
    reader.flush();
}

} // namespace cpl_lb
