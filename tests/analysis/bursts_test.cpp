// Coupling steps where all fields have one name: what is sent right after each other is one step.
#include "analysis/load_balance.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds ms = 1'000'000;

// Events of one process, one field: so many GETs, 1 ms each and 0.01 ms apart, then `computing` ms.
struct Steps {
    EventTable table;
    Nanoseconds now = 0;

    void exchange(int times, Nanoseconds computing_ms, std::int32_t field = 1) {
        for (int i = 0; i < times; ++i) {
            table.keys.push_back({Kind::get, field, 2, no_date, 0});
            EventSpan span;
            span.add(now, now + ms);
            table.spans.whole().push_back(span);
            now += ms + ms / 100;
        }
        now += computing_ms * ms;
    }
    [[nodiscard]] std::size_t steps() const {
        const Window window = find_window(table, {});
        return window.known() ? window.steps.size() - 1 : 0;
    }
};

} // namespace

TEST_CASE("ten exchanges under one name, 24 times, are 24 steps") {
    Steps s;
    for (int step = 0; step < 24; ++step)
        s.exchange(10, 200);
    CHECK(s.steps() == 22); // the first belongs to the start-up, and the last one ends at its begin
}

// Three exchanges a step. Computing between them: twice 1.01 ms and 40.01 ms, 14.01 ms in the mean, of which 1.01 ms
// is less than a tenth; or twice 2.01 and 40.01 ms, 14.68 ms in the mean, of which 2.01 is more than a tenth.
TEST_CASE("right after each other is within a tenth of the mean") {
    const auto steps = [](Nanoseconds between_ms) {
        Steps s;
        for (int step = 0; step < 24; ++step) {
            s.exchange(1, between_ms);
            s.exchange(1, between_ms);
            s.exchange(1, 40);
        }
        return s.steps();
    };
    CHECK(steps(1) == 22);
    CHECK(steps(2) == 70); // 3 x 24 - 2
}

TEST_CASE("more exchanges in every third step, one at set-up and a pause inside shift nothing") {
    Steps s;
    s.exchange(1, 500);
    for (int step = 0; step < 30; ++step) {
        if (step == 20) s.exchange(3, 150); // the process lost its processor
        s.exchange(step == 20 ? 7 : step % 3 == 0 ? 12 : 10, 200);
    }
    CHECK(s.steps() == 28);
    // 28 steps of 0.2 s and some: all of the same length, but for those with two more.
    const Window window = find_window(s.table, {});
    for (std::size_t n = 1; n < window.steps.size(); ++n) {
        const Nanoseconds length = window.steps[n] - window.steps[n - 1];
        CHECK(length >= 209 * ms);
        CHECK(length <= 370 * ms);
    }
}

TEST_CASE("one exchange in each step, also beside a long pause, stays one step") {
    Steps s;
    for (int step = 0; step < 20; ++step)
        s.exchange(1, step == 9 ? 50'000 : 40 + step);
    CHECK(s.steps() == 18);
}

// Three fields at set-up, one of them that of the steps, and in each 20th step another field before it: steps of
// 100 ms computing and 1 ms exchange, and 10 us for each exchange more.
TEST_CASE("exchanges at set-up and one in each twentieth step are beside the pattern, and shift nothing") {
    for (const int each : {1, 4}) { // exchanges of the step's own field
        Steps s;
        s.exchange(1, 700, 3);
        s.exchange(1, 900);
        s.exchange(1, 400, 4);
        std::vector<Nanoseconds> begins;
        for (int step = 0; step < 100; ++step) {
            if (step % 20 == 0) s.exchange(1, 0, 2);
            begins.push_back(s.now);
            s.exchange(each, 100);
        }
        const Window window = find_window(s.table, {});
        REQUIRE(window.known());
        // One at set-up goes on with the first four, to make a whole burst: this step is the first, which is left
        // out. Where a step has one, the one at set-up is that of the first step.
        if (each > 1) begins.erase(begins.begin());
        INFO(each);
        CHECK(window.steps == begins);
    }
}
