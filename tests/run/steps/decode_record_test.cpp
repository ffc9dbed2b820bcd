// Step 1 alone: marks by hand to events, and words for what went wrong with them.
#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

TEST_CASE("decode: five PUT of one field, and nothing to say") {
    with_record([](ProcessRecord &record) {
        ProblemList problems(0, {});
        const DecodedRecord decoded = decode_record(record, problems);
        CHECK(decoded.component_names == std::vector<std::string>{"ocean"});
        REQUIRE(decoded.fields.size() == 2); // [0]: none
        CHECK(decoded.fields[1].name == "SST");
        CHECK(decoded.fields[1].counterpart == "atmosphere");
        REQUIRE(decoded.process.components.size() == 1);
        const LocalTimeline &ocean = decoded.process.components[0];
        CHECK(ocean.place == std::vector<std::uint32_t>(5, 0));
        REQUIRE(ocean.distinct.size() == 1);
        CHECK(kind_of(ocean.distinct[0]) == Kind::put);
        CHECK(field_of(ocean.distinct[0]) == 1);
        CHECK(decoded.facts.size() == 1);
        CHECK(problems.all().empty());
        CHECK(problems.code() == 0);
    });
}

TEST_CASE("decode: an end that is missing is closed at the arrival, and told") {
    with_record([](ProcessRecord &record) {
        std::vector<Mark> marks = marks_of(true);
        marks.back() = make_mark(0, 1, begin_code(static_cast<int>(Kind::get))); // at 19 s, for the PUT's end
        record.recorder = recorder_of(std::move(marks), "ocean", "atmosphere");
        ProblemList problems(0, {});
        const DecodedRecord decoded = decode_record(record, problems);
        const LocalTimeline &ocean = decoded.process.components[0];
        REQUIRE(ocean.size() == 6);
        REQUIRE(ocean.stop.size() == 6);
        CHECK(ocean.start[4] == 19 * second);
        CHECK(ocean.stop[4] == 20 * second); // the arrival
        CHECK(ocean.stop[5] == 20 * second);
        REQUIRE(problems.all().size() == 1);
        CHECK(problems.all()[0].cause ==
              "cpl_lb_begin without end, for example PUT of field 'SST': closed at terminate");
        CHECK(problems.all()[0].count == 2);
        CHECK(problems.code() == error::order);
    });
}

// A PUT and then five that never end, at 6, 8, ..., 14 s. A bound of 240 bytes leaves room for 240 / 80 = 3 events.
// When that is full, at 10 s, two of those five are open: they are dropped with the three after them.
TEST_CASE("decode: no more events than the memory bound leaves room for") {
    with_record([](ProcessRecord &record) {
        const int put = static_cast<int>(Kind::put);
        std::vector<Mark> marks = {make_mark(3U * second, 1, begin_code(put)), make_mark(second, 1, end_code(put))};
        for (int n = 0; n < 5; ++n)
            marks.push_back(make_mark(2U * second, 1, begin_code(put)));
        record.recorder = recorder_of(std::move(marks), "ocean", "atmosphere");
        record.memory_bound_B = 240;
        ProblemList problems(0, {});
        const DecodedRecord decoded = decode_record(record, problems);
        CHECK(decoded.process.components[0].size() == 1);
        CHECK(decoded.process.first_dropped == 6 * second);
        CHECK(decoded.facts[0].dropped_events == 5);
        REQUIRE(problems.all().size() == 1);
        CHECK(problems.all()[0].count == 5);
        CHECK(problems.code() == error::dropped);
    });
}

TEST_CASE("decode: a process without a recorder takes part without events") {
    with_record([](ProcessRecord &record) {
        record.recorder.reset();
        ProblemList problems(0, {});
        const DecodedRecord decoded = decode_record(record, problems);
        CHECK(decoded.component_names == std::vector<std::string>{"ocean"});
        REQUIRE(decoded.process.components.size() == 1);
        CHECK(decoded.process.components[0].size() == 0);
        CHECK(decoded.fields.size() == 1);
        CHECK(decoded.facts.size() == 1);
        CHECK(problems.all().empty());
    });
}

TEST_CASE("decode: calls from other threads are told with their number") {
    with_record([](ProcessRecord &record) {
        record.foreign_calls = 7;
        ProblemList problems(3, {});
        static_cast<void>(decode_record(record, problems));
        REQUIRE(problems.all().size() == 1);
        CHECK(problems.all()[0].count == 7);
        CHECK(problems.all()[0].lowest_rank == 3);
        CHECK(problems.code() == error::thread);
    });
}
