// The events of a process with ids and times of the run, and TERM behind them.
#include "run/live/steps/gather_components.hpp"

#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr std::uint32_t put_class = 0, term_class = 1; // of catalogue_of(1)

} // namespace

// PUT from 3 to 4 s of each step of 4; this process's clock is 100 s ahead of the run's and has its zero 1 s earlier.
TEST_CASE("local events: times that stay in the marks, with and without drift") {
    const std::int64_t gained = GENERATE(0, 2) * second; // while the clock went 20 s
    INFO(gained);
    with_record([&](ProcessRecord &record) {
        ProblemList problems(0, {});
        DecodedRecord decoded = decode_record(record, problems);
        REQUIRE(decoded.process.components[0].times_in_marks);
        Agreed agreed = agreed_by(1, "");
        agreed.clock.clock = CommonClock({0, 100 * second, 0}, {20 * second, 100 * second + gained, 0});
        agreed.clock.zero = 99 * second;
        agreed.clock.arrival = 21 * second;
        agreed.clock.latest_arrival = 25 * second;
        LocalEvents events = take_local_events(record, decoded, agreed, 0);
        CHECK(events.place == std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1});
        CHECK(events.class_of_place == std::vector<std::uint32_t>{put_class, term_class});
        take_times_from_marks(events);
        REQUIRE(events.start.size() == 6);
        REQUIRE(events.stop.size() == 6);
        for (std::size_t n = 0; n < 5; ++n) {
            const auto start = static_cast<Nanoseconds>(4 * n + 3) * second, stop = start + second;
            // + 100 s - 99 s, and a tenth of the time that the clock has gone, where it gains 2 s in 20.
            CHECK(events.start[n] == start + second + start / 20 * (gained / second));
            CHECK(events.stop[n] == stop + second + stop / 20 * (gained / second));
        }
        CHECK(events.start[5] == 21 * second);
        CHECK(events.stop[5] == 25 * second);
        CHECK(events.dated == false);
        REQUIRE(events.dates.size() == 1);
        CHECK(events.dates[0].first == 5); // TERM has no date
        CHECK(events.dates[0].date == no_date);
    });
}

// Away from its start, before cpl_lb_init's end, to 2 s, and from 5 to 6 s.
TEST_CASE("local events: times in memory, and times away") {
    with_record([](ProcessRecord &record) {
        record.first_point.monotonic_ns = second;
        DecodedRecord decoded;
        decoded.component_names = {"ocean"};
        decoded.fields = record.recorder->fields();
        LocalTimeline &timeline = decoded.process.components.emplace_back();
        timeline.place = {0, 0};
        timeline.distinct = {make_what(static_cast<unsigned>(Kind::put), 1)};
        timeline.start = {3 * second, 4 * second};
        timeline.stop = {9 * second, 8 * second};
        timeline.away = {{0, 2 * second}, {5 * second, 6 * second}};
        Agreed agreed = agreed_by(1, "");
        agreed.clock.zero = second;
        agreed.clock.first_init = 7; // of this process, to be told from its zero
        const LocalEvents events = take_local_events(record, decoded, agreed, 0);
        CHECK(events.start == std::vector<Nanoseconds>{2 * second, 3 * second, 20 * second});
        CHECK(events.stop == std::vector<Nanoseconds>{8 * second, 7 * second, 20 * second});
        CHECK(events.away == std::vector<Interval>{{7, second}, {4 * second, 5 * second}});
        CHECK(events.place == std::vector<std::uint32_t>{0, 0, 1});
        CHECK(events.class_of_place == std::vector<std::uint32_t>{put_class, term_class});
        CHECK(decoded.process.components[0].size() == 0); // taken
    });
}
