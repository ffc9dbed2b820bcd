// The clock of the hot path: the counter of this processor, whichever it is, beside CLOCK_MONOTONIC.
#include "support/clock.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

TEST_CASE("a counter keeps pace with CLOCK_MONOTONIC, or is not used") {
    // 25 MHz, as many ARM servers have: 40 ns for a tick, 2500 ticks in 100 us.
    constexpr std::uint64_t ticks_per_s = 25'000'000;
    const ClockPoint first{1000, 7'000'000'000, 1};
    const auto after_100_us = [&](std::uint64_t ticks, std::uint64_t gap = 1) {
        return keeps_pace(first, {1000 + ticks, 7'000'100'000, gap}, ticks_per_s);
    };
    CHECK(after_100_us(2500));
    CHECK(after_100_us(2505)); // 2500 / 1000 for the rate, half of both gaps, 2 for the steps: 2.5 + 1 + 2 = 5.5
    CHECK_FALSE(after_100_us(2506));
    CHECK(after_100_us(2495));
    CHECK_FALSE(after_100_us(2494));
    CHECK(after_100_us(2526, 43)); // 2.5 + (1 + 43) / 2 + 2 = 26.5: this reading was held up
    CHECK_FALSE(after_100_us(2527, 43));
    CHECK_FALSE(after_100_us(0)); // it does not count
    CHECK_FALSE(keeps_pace(first, {900, 7'000'100'000, 1}, ticks_per_s));
    CHECK_FALSE(keeps_pace(first, {3500, 7'000'000'000, 1}, ticks_per_s)); // nor does the clock
    CHECK_FALSE(keeps_pace(first, {1000, 7'000'100'000, 1}, 0));           // the firmware told no frequency
    // 1 MHz would be 1000 ns for a tick: 100 ticks in 100 us are right, but such a scale does not fit.
    CHECK_FALSE(keeps_pace(first, {1100, 7'000'100'000, 1}, 1'000'000));
}

TEST_CASE("what the environment wishes for the clock") {
    CHECK(choose_clock("gettime") == ClockSource::gettime);
#if defined(__x86_64__)
    CHECK(choose_clock("tsc") == ClockSource::time_stamp_counter);
    CHECK(processors_counter == ClockSource::time_stamp_counter);
#elif defined(__aarch64__)
    CHECK(choose_clock("cntvct") == ClockSource::generic_timer);
    CHECK(processors_counter == ClockSource::generic_timer);
#else
    CHECK(choose_clock("tsc") == ClockSource::gettime);
    CHECK(choose_clock("cntvct") == ClockSource::gettime);
    CHECK(choose_clock(nullptr) == ClockSource::gettime);
#endif
    CHECK(choose_clock(nullptr) == choose_clock("")); // a wish that is none
    CHECK(name_of(ClockSource::gettime) == "clock_gettime");
    CHECK(name_of(ClockSource::time_stamp_counter) == "time stamp counter");
    CHECK(name_of(ClockSource::generic_timer) == "generic timer");
}

TEST_CASE("readings ascend, and a scale of two points turns them into CLOCK_MONOTONIC") {
    for (const ClockSource source : {ClockSource::gettime, choose_clock(nullptr)}) {
        INFO(name_of(source));
        const ClockPoint first = take_clock_point(source);
        std::uint64_t before = first.ticks;
        for (int i = 0; i < 10'000; ++i) {
            const std::uint64_t now = read_ticks(source);
            REQUIRE(now >= before);
            before = now;
        }
        while (static_cast<std::int64_t>(monotonic_ns()) < first.monotonic_ns + 2'000'000) {
        }
        const ClockPoint middle = take_clock_point(source);
        while (static_cast<std::int64_t>(monotonic_ns()) < first.monotonic_ns + 4'000'000) {
        }
        const ClockPoint last = take_clock_point(source);
        const TickScale scale(source, first, last);
        CHECK(scale.to_ns(first.ticks) == first.monotonic_ns);
        // Each point is good to half its gap and to a step of the counter, at most 64 ns; the middle of three has the
        // errors of all three.
        const Nanoseconds open = scale.length_ns(first.gap_ticks + middle.gap_ticks + last.gap_ticks) + 3 * 64;
        const Nanoseconds found = scale.to_ns(middle.ticks);
        CHECK(found >= middle.monotonic_ns - open);
        CHECK(found <= middle.monotonic_ns + open);
    }
}
