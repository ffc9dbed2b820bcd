// Which components are I/O servers (docs/definitions.md, section 2).
#include "analysis/exchanges.hpp"
#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// 10 GETs at 10, 11, ... 19, of 0.9 s each: its loop is from 11 to 19. And one event of the kind at the time given.
Component receiver(Kind kind, double at_s) {
    std::vector<Recorded> events =
        repeated(10, [](int n) { return Recorded{Kind::get, 1, 2, 10.0 + n, 10.9 + n, no_date}; });
    events.push_back({kind, 2, 2, at_s, at_s + 0.05, no_date});
    Component component = run_of({events, {}}).components.front();
    component.balance.loop_s = 8;
    component.balance.waiting_s = 7.2;
    return component;
}

} // namespace

TEST_CASE("who waits for data most of its time, and sends nothing in its loop, is an I/O server") {
    CHECK(is_io_server(receiver(Kind::map, 12.92)));
    CHECK_FALSE(is_io_server(receiver(Kind::put, 12.92)));
    CHECK_FALSE(is_io_server(receiver(Kind::sync, 12.92)));
}

TEST_CASE("most of its time is more than half of it") {
    Component component = receiver(Kind::map, 12.92);
    component.balance.waiting_s = 4.1; // of 8 s: 51 %
    CHECK(is_io_server(component));
    component.balance.waiting_s = 3.9; // 49 %
    CHECK_FALSE(is_io_server(component));
}

TEST_CASE("models meet to set up, and at the end") {
    CHECK(is_io_server(receiver(Kind::sync, 1)));
    CHECK(is_io_server(receiver(Kind::sync, 30)));
    CHECK(is_io_server(receiver(Kind::put, 1)));
}

TEST_CASE("without a loop every send counts") {
    Component component = receiver(Kind::put, 1);
    component.window_first = from_seconds(18.5); // one GET is left, the PUT lies before
    component.window_last = from_seconds(21);
    component.balance.why_no_window = "one event is no loop";
    CHECK(is_io_server(component));
    component.window_first = 0;
    component.window_last = from_seconds(11.5); // a PUT at 1, and two GETs: no loop either
    CHECK_FALSE(is_io_server(component));
}
