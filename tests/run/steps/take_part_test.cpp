// Step 2 alone: who came, and what is told of those who did not.
#include "run/live/steps/one_clock.hpp"

#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"
#include "tests/run/told.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

struct TookPart {
    Meeting meeting;
    std::vector<Problem> problems;
    int code = 0;
};

void take_part_in(Transport &t, TookPart &mine) {
    ProcessRecord record = record_of(t, settings_in("."));
    record.arrival = {0, t.now_ns(), 0};
    ProblemList problems(t.rank(), {});
    mine.meeting = take_part(record, problems);
    mine.problems = problems.all();
    mine.code = problems.code();
}

} // namespace

TEST_CASE("taking part: all came, and nobody says anything") {
    const int ranks = GENERATE(1, 3, 8);
    const Told told;
    const auto all = step_on<TookPart>(quick_world(ranks), take_part_in);
    REQUIRE(all.good());
    for (const TookPart &mine : all.results) {
        CHECK(mine.meeting.present == first_ranks(ranks));
        CHECK(mine.meeting.missing.empty());
        CHECK(mine.problems.empty());
        CHECK(mine.code == 0);
    }
    CHECK(told.lines().empty());
}

// Ranks 2 (ocean), 5 and 7 (atmosphere) of eight never come.
TEST_CASE("taking part: the root counts those who are missing, by component") {
    const Told told;
    const auto all = step_on<TookPart>(quick_world(8), [](Transport &t, TookPart &mine) {
        if (t.rank() != 2 && t.rank() != 5 && t.rank() != 7) take_part_in(t, mine);
    });
    for (const int r : {0, 1, 3, 4, 6}) {
        INFO("rank " << r);
        const TookPart &mine = all.results[static_cast<std::size_t>(r)];
        CHECK(mine.meeting.present == std::vector<int>{0, 1, 3, 4, 6});
        CHECK(mine.code == (r == 0 ? error::timeout : 0));
        REQUIRE(mine.problems.size() == (r == 0 ? 1U : 0U));
        if (r > 0) continue;
        CHECK(mine.problems[0].cause == "3 of 8 processes did not come to cpl_lb_terminate within 20 s (2 of "
                                        "atmosphere, 1 of ocean): the results are without them");
    }
    CHECK(told.lines().empty()); // with the other problems, later
}

// Rank 5 comes 30 s after the others, which wait 20 s. Its component's first process was there: it says nothing.
TEST_CASE("taking part: too late, and alone") {
    const std::vector<std::string> of_the_first = {
        "atmosphere came to cpl_lb_terminate too late: the others went on without it"};
    for (const int late : {5, 1}) { // 1 is the atmosphere's first
        const Told told;
        WorldSetup setup = quick_world(8);
        setup.starts_at_ns[late] = 30 * second;
        const auto all = step_on<TookPart>(setup, take_part_in);
        const TookPart &mine = all.results[static_cast<std::size_t>(late)];
        CHECK(mine.meeting.present.empty());
        CHECK(mine.code == error::timeout);
        CHECK(told.lines() == (late == 1 ? of_the_first : std::vector<std::string>()));
    }
    const Told told;
    const auto all = step_on<TookPart>(quick_world(3), [](Transport &t, TookPart &mine) {
        if (t.rank() == 2) take_part_in(t, mine); // the candidates are 0 and 1
    });
    CHECK(all.results[2].meeting.present.empty());
    CHECK(all.results[2].code == error::timeout);
    CHECK(told.lines().empty()); // for the first of its component to say, which never came
}

// Six components of one process each: the first of four decide, and they never come.
TEST_CASE("taking part: who came, but finds nobody who decides, says so") {
    const Told told;
    const auto all = step_on<TookPart>(quick_world(6), [](Transport &t, TookPart &mine) {
        if (t.rank() < 5) return;
        ProcessRecord record = record_of(t, settings_in("."));
        record.process_map.component_names = {"a", "b", "c", "d", "e", "f"};
        record.process_map.component_of_rank = {0, 1, 2, 3, 4, 5};
        record.component = "f";
        record.arrival = {0, t.now_ns(), 0};
        ProblemList problems(t.rank(), {});
        mine.meeting = take_part(record, problems);
        mine.code = problems.code();
    });
    CHECK(all.results[5].meeting.present.empty());
    CHECK(all.results[5].code == error::timeout);
    CHECK(told.lines() == std::vector<std::string>{
                              "f: the other processes did not come to cpl_lb_terminate within 20 s: no results"});
}
