// Packed spans are the spans that were packed, whatever their values; they take the bytes that the differences in
// their block need; and a message with others is refused.
#include "data/events.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace cpl_lb;

namespace {

using Spans = std::vector<EventSpan>;
using Random = std::mt19937_64;

constexpr Nanoseconds least = std::numeric_limits<Nanoseconds>::min();
constexpr Nanoseconds largest = std::numeric_limits<Nanoseconds>::max();

void check_there_and_back(const Spans &spans) {
    EventSpans packed(spans);
    packed.pack();
    CHECK(EventSpans::fits_together(packed.packed()));
    CHECK(packed.size() == spans.size());
    CHECK(packed == EventSpans(spans));
    for (std::size_t k = 0; k < spans.size(); ++k) {
        INFO("event " << k << " of " << spans.size());
        REQUIRE(packed[k] == spans[k]);
    }
    CHECK(packed.all() == spans);
    CHECK(packed.whole() == spans);
    CHECK(packed.packed().size == 0);
    CHECK(packed.size() == spans.size());
}

std::size_t bytes_of(const Spans &spans) {
    EventSpans packed(spans);
    packed.pack();
    return packed.packed().bytes.size();
}

// Numbers of all lengths, of both signs.
Nanoseconds any(Random &random) {
    return static_cast<Nanoseconds>(random() >> random() % 64) * (random() % 2 == 0 ? 1 : -1);
}

} // namespace

TEST_CASE("packed spans: as many events as fill no block, one, and one more") {
    for (const std::size_t events : {0U, 1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
        Random random(events);
        Spans spans;
        Nanoseconds now = -5000;
        for (std::size_t k = 0; k < events; ++k) {
            now += static_cast<Nanoseconds>(random() % 100'000);
            const auto last = now + static_cast<Nanoseconds>(random() % 1000);
            spans.push_back({now, last, last + static_cast<Nanoseconds>(random() % 50'000'000), 4});
        }
        check_there_and_back(spans);
    }
}

TEST_CASE("packed spans: any values") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        Spans spans;
        for (std::size_t k = 0; k < 1 + seed; ++k)
            spans.push_back({any(random), any(random), any(random), static_cast<std::int32_t>(any(random))});
        check_there_and_back(spans);
    }
}

TEST_CASE("packed spans: events without processes, and the ends of what a time can be") {
    const EventSpan usual{1000, 1010, 1500, 3};
    check_there_and_back({EventSpan{}});
    check_there_and_back(Spans(100));
    check_there_and_back({usual, {}, usual});
    check_there_and_back({{least, largest, least, -1}, {largest, least, largest, std::numeric_limits<int>::max()}});
    check_there_and_back({{0, 0, 0, std::numeric_limits<int>::min()}, {absent, absent, absent, 0}, usual});
}

TEST_CASE("packed spans: the bytes that they need") {
    constexpr std::size_t word = 8; // behind the last
    CHECK(bytes_of(Spans(64, {1'000'000'000'000, 1'000'000'000'700, 1'000'000'900'000, 512})) == word);
    // 255 ns later is one byte, 256 are two; 2^24 ns of jitter more are four, 2^32 ns of waiting five; and one more
    // process is one.
    CHECK(bytes_of({{100, 100, 100, 1}, {355, 355, 355, 1}}) == 2 * 1 + word);
    CHECK(bytes_of({{100, 100, 100, 1}, {356, 356, 356, 1}}) == 2 * 2 + word);
    CHECK(bytes_of({{0, 0, 0, 1}, {0, 1 << 24, 1 << 24, 1}}) == 2 * 4 + word);
    CHECK(bytes_of({{0, 0, 0, 1}, {0, 0, Nanoseconds{1} << 32, 2}}) == 2 * (5 + 1) + word);
    // An event that needs much costs its own block only.
    Spans spans(640, {7, 8, 9, 2});
    spans[100] = {7, 8, largest, 2};
    CHECK(bytes_of(spans) == 64 * 8 + word);
}

TEST_CASE("packed spans: changed after they were packed, and packed again") {
    EventSpans spans{{1, 2, 3, 4}, {5, 6, 7, 8}};
    spans.pack();
    spans.pack();
    spans.whole().push_back({9, 10, 11, 12});
    CHECK(spans == EventSpans{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}});
    spans.pack();
    const EventSpans copy = spans;
    const EventSpans moved = std::move(spans);
    CHECK(copy == moved);
    CHECK(copy.size() == 3);
    CHECK_FALSE(copy == EventSpans{{1, 2, 3, 4}, {5, 6, 7, 8}});
    CHECK_FALSE(copy == EventSpans{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 13}});
}

TEST_CASE("packed spans: a message that does not fit together") {
    Spans spans;
    for (int k = 0; k < 100; ++k)
        spans.push_back({300 * k, 300 * k + k, 600 * k, 2});
    EventSpans packed(spans);
    packed.pack();
    const EventSpans::Packed good = packed.packed();
    REQUIRE(good.blocks.size() == 2);
    CHECK(EventSpans::fits_together(good));
    CHECK(EventSpans::fits_together({}));
    const auto wrong = [&](auto change) {
        EventSpans::Packed changed = good;
        change(changed);
        return !EventSpans::fits_together(changed);
    };
    using Packed = EventSpans::Packed;
    CHECK(wrong([](Packed &p) { p.size = 0; }));
    CHECK(wrong([](Packed &p) { p.size = 99; }));
    CHECK(wrong([](Packed &p) { p.size = 129; }));
    CHECK(wrong([](Packed &p) { p.size = std::numeric_limits<std::size_t>::max(); }));
    CHECK(wrong([](Packed &p) { p.blocks.pop_back(); }));
    CHECK(wrong([](Packed &p) { p.bytes.pop_back(); }));
    CHECK(wrong([](Packed &p) { p.bytes.clear(); }));
    CHECK(wrong([](Packed &p) { ++p.blocks[1].place; }));
    CHECK(wrong([](Packed &p) { ++p.blocks[0].event_bytes; }));
    CHECK(wrong([](Packed &p) { ++p.blocks[1].bytes[2]; }));
    CHECK(wrong([](Packed &p) {
        p.blocks[1].bytes[0] += 8; // too long; the sum is right
        p.blocks[1].event_bytes += 8;
        p.bytes.resize(p.bytes.size() + std::size_t{36} * 8);
    }));
}
