// Times that stay in the marks until they are written: the same as decoding makes of them.
#include "events/decode.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;

namespace {

using Chunks = std::vector<std::vector<Mark>>;

Mark begin_of(std::uint32_t field, std::uint64_t after, int kind = 1) {
    return make_mark(after, field, begin_code(kind));
}
Mark end_of(std::uint32_t field, std::uint64_t after, int kind = 1) {
    return make_mark(after, field, end_code(kind));
}
Mark other(MarkCode code) {
    return make_mark(0, 0, static_cast<unsigned>(code));
}

// 3 ticks in 1000 ns, so that rounding shows.
TickScale three_ticks_in_a_microsecond() {
    return {ClockSource::time_stamp_counter, {100, 5'000, 0}, {100 + 3'000'000, 5'000 + 1'000'000'000, 0}};
}

DecodeInput input_of(const Chunks &chunks, TickScale scale = {}) {
    DecodeInput input;
    input.chunks = chunks.size();
    input.chunk = [&](std::size_t i) { return std::span<const Mark>(chunks[i]); };
    input.fields = 5;
    input.scale = scale;
    return input;
}
DecodedProcess decoded(DecodeInput input, bool times_may_stay) {
    input.times_may_stay = times_may_stay;
    return decode(input);
}

struct Times {
    std::vector<Nanoseconds> start, stop;
    std::size_t largest_block = 0;
};
Times times_of(const DecodeInput &input) {
    Times all;
    for_each_block_of_times(input, [&](std::size_t first, auto start, auto stop) {
        REQUIRE(first == all.start.size());
        REQUIRE(start.size() == stop.size());
        all.largest_block = std::max(all.largest_block, start.size());
        all.start.insert(all.start.end(), start.begin(), start.end());
        all.stop.insert(all.stop.end(), stop.begin(), stop.end());
    });
    return all;
}

} // namespace

TEST_CASE("an event between chunks, with a time and a date inside, by hand") {
    // Ticks: 7; 10 | (chunk) 12, then at once 1000 | 1003; a date; 1010.
    const Chunks chunks = {{begin_of(1, 7), end_of(1, 3), begin_of(2, 2)},
                           {other(MarkCode::time), 1000, end_of(2, 0), begin_of(1, 3), other(MarkCode::date), 3600,
                            end_of(1, 7), 0, begin_of(4, 1)}};
    const DecodedProcess process = decoded(input_of(chunks), true);
    const LocalTimeline &t = process.components[0];
    CHECK(t.times_in_marks);
    CHECK(t.start.empty());
    CHECK(t.place == std::vector<std::uint32_t>{0, 1, 0});
    CHECK(t.distinct == std::vector<LocalWhat>{make_what(1, 1), make_what(1, 2)});
    CHECK(t.dates.empty()); // no event began after the date
    const Times times = times_of(input_of(chunks));
    CHECK(times.start == std::vector<Nanoseconds>{7, 12, 1003});
    CHECK(times.stop == std::vector<Nanoseconds>{10, 1000, 1010});
}

TEST_CASE("a clock that stepped back inside an event leaves it no length") {
    const Chunks chunks = {{other(MarkCode::time), 500, begin_of(1, 0), other(MarkCode::time), 400, end_of(1, 0),
                            begin_of(2, 10), end_of(2, 5)}};
    REQUIRE(decoded(input_of(chunks), true).components[0].times_in_marks);
    const Times times = times_of(input_of(chunks));
    CHECK(times.start == std::vector<Nanoseconds>{500, 410});
    CHECK(times.stop == std::vector<Nanoseconds>{500, 415});
}

// The other way is decoding with all times in memory.
TEST_CASE("many events in chunks of any length: both ways agree") {
    std::mt19937_64 random(4);
    for (int round = 0; round < 40; ++round) {
        Chunks chunks(1);
        std::uint64_t ticks = 200;
        const int events = round == 0 ? 50'000 : 900; // more than three blocks
        for (int i = 0; i < 2 * events; ++i) {
            static std::uint32_t field = 0;
            if (i % 2 == 0) field = static_cast<std::uint32_t>(random() % (round % 2 == 0 ? 2 : 5));
            const std::uint64_t delta = random() % 3 == 0 ? random() % 5 : random() % 100'000;
            ticks += delta;
            const Mark mark = i % 2 == 0 ? begin_of(field, delta, 1 + static_cast<int>(field % 2))
                                         : end_of(field, delta, 1 + static_cast<int>(field % 2));
            if (random() % 700 == 0) chunks.emplace_back();
            if (random() % 90 == 0) {
                chunks.back().insert(chunks.back().end(), {other(MarkCode::date), ticks});
            } else if (random() % 90 == 0) {
                chunks.back().insert(chunks.back().end(), {other(MarkCode::calibration), ticks, ticks});
            } else if (chunks.back().empty() || random() % 90 == 0) {
                chunks.back().insert(chunks.back().end(), {other(MarkCode::time), ticks, mark & 0xffffffU});
                continue;
            }
            chunks.back().push_back(mark);
        }
        const DecodeInput input = input_of(chunks, three_ticks_in_a_microsecond());
        const DecodedProcess stayed = decoded(input, true);
        const DecodedProcess made = decoded(input, false);
        const LocalTimeline &a = stayed.components[0];
        const LocalTimeline &b = made.components[0];
        REQUIRE(a.times_in_marks);
        REQUIRE_FALSE(b.times_in_marks);
        REQUIRE(a.size() == static_cast<std::size_t>(events));
        const Times times = times_of(input);
        CHECK(times.start == b.start);
        CHECK(times.stop == b.stop);
        CHECK((round > 0 || times.largest_block < times.start.size()));
        CHECK(a.place == b.place);
        CHECK(a.distinct == b.distinct);
        CHECK(std::pair(a.order.low(), a.order.high()) == std::pair(b.order.low(), b.order.high()));
        CHECK(a.end_order == b.end_order);
        CHECK(a.dated == b.dated);
        CHECK(std::equal(
            a.dates.begin(), a.dates.end(), b.dates.begin(), b.dates.end(),
            [](const DateChange &x, const DateChange &y) { return x.first == y.first && x.date == y.date; }));
        CHECK(stayed.last_mark == made.last_mark);
        CHECK(stayed.calibrations.size() == made.calibrations.size());
    }
}

TEST_CASE("times do not stay where there is more than whole events") {
    const Mark b = begin_of(1, 7);
    const Mark e = end_of(1, 3);
    const Mark B = begin_of(2, 1, 2);
    const Mark E = end_of(2, 1, 2);
    const std::vector<std::vector<Mark>> more = {{b, B, E, e},
                                                 {b, B, e, E},
                                                 {b, b, e, e},
                                                 {e, b, e},
                                                 {b, e, b},
                                                 {b, E, e},
                                                 {b, E},
                                                 {b, other(MarkCode::time), 9, B, E, e},
                                                 {other(MarkCode::pause), b, e},
                                                 {b, e, other(MarkCode::component_begin), b, e},
                                                 {b, e, begin_of(5, 1)}};
    for (const std::vector<Mark> &marks : more) {
        const Chunks chunks = {{b, e}, marks, {b, e}};
        const DecodedProcess may = decoded(input_of(chunks), true);
        const DecodedProcess must_not = decoded(input_of(chunks), false);
        const LocalTimeline &t = may.components[0];
        CHECK_FALSE(t.times_in_marks);
        CHECK(t.start == must_not.components[0].start);
        CHECK(t.stop == must_not.components[0].stop);
        CHECK(t.place == must_not.components[0].place);
    }
    const Chunks open_at_end = {{b, e}, {b}};
    CHECK_FALSE(decoded(input_of(open_at_end), true).components[0].times_in_marks);
    Chunks whole = {{b, e}};
    DecodeInput full = input_of(whole);
    full.full = true; // the last event may have been cut off
    CHECK_FALSE(decoded(full, true).components[0].times_in_marks);
}

TEST_CASE("equal sequences have equal hashes however they come, others do not") {
    std::vector<std::uint32_t> numbers(1000);
    std::mt19937 random(1);
    for (std::uint32_t &n : numbers)
        n = static_cast<std::uint32_t>(random() % 3);
    const auto hash = [](const std::vector<std::uint32_t> &list, std::size_t piece) {
        OrderHash h;
        for (std::size_t at = 0; at < list.size(); at += piece)
            h.add(std::span(list).subspan(at, std::min(piece, list.size() - at)));
        return std::pair(h.low(), h.high());
    };
    for (const std::size_t piece : {1U, 2U, 3U, 5U, 64U, 999U})
        CHECK(hash(numbers, piece) == hash(numbers, 1000));
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
        std::vector<std::uint32_t> changed = numbers;
        std::swap(changed[i], changed[i + 1]);
        CHECK((hash(changed, 7) == hash(numbers, 7)) == (changed == numbers));
        changed = numbers;
        ++changed[i];
        CHECK(hash(changed, 7) != hash(numbers, 7));
    }
    CHECK(hash({0}, 1) != hash({}, 1));
    CHECK(hash({0, 0}, 1) != hash({0}, 1));
}
