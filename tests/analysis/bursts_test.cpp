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

    void exchange(int times, Nanoseconds computing_ms) {
        for (int i = 0; i < times; ++i) {
            table.keys.push_back({Kind::get, 1, 2, no_date, 0});
            EventSpan span;
            span.add(now, now + ms);
            table.spans.push_back(span);
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
