// Step 3 alone: zero, span and bound of the run, and a clock that was stepped.
#include "run/live/steps/one_clock.hpp"

#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

struct Clocked {
    RunClock clock;
    std::vector<Problem> problems;
};

} // namespace

// Rank r comes to init at 10 + r s and to terminate at 30 + 2 r s; reading its clock took 2 r + 1 ns there.
TEST_CASE("clock: zero is the earliest init, the end the latest arrival") {
    const int ranks = GENERATE(1, 3, 8);
    const bool given = GENERATE(true, false); // the length of the simulation, by the model
    INFO(ranks << " ranks");
    const auto all = step_on<Clocked>(quick_world(ranks), [&](Transport &t, Clocked &mine) {
        ProcessRecord record = record_of(t, settings_in("."));
        record.first_point.monotonic_ns = (10 + t.rank()) * second;
        record.arrival = {0, (30 + 2 * t.rank()) * second, static_cast<std::uint64_t>(2 * t.rank() + 1)};
        record.simulated_s = given ? 100.0 * (t.rank() + 1) : 0;
        record.settings.simulated_s = 77;
        Group present(t, first_ranks(t.size()));
        ProblemList problems(t.rank(), {});
        mine.clock = agree_on_clock(present, record, problems);
        mine.problems = problems.all();
    });
    REQUIRE(all.good());
    for (int r = 0; r < ranks; ++r) {
        INFO("rank " << r);
        const Clocked &mine = all.results[static_cast<std::size_t>(r)];
        CHECK(mine.clock.zero == 10 * second);
        CHECK(mine.clock.zero_realtime_ns == all.results.front().clock.zero_realtime_ns); // one process tells all
        CHECK(mine.clock.first_init == r * second);
        CHECK(mine.clock.arrival == (20 + 2 * r) * second);
        CHECK(mine.clock.latest_arrival == (20 + 2 * (ranks - 1)) * second);
        CHECK(mine.clock.own_bound_ns == r + 1); // half of what the reading took, upwards
        CHECK(mine.clock.bound_ns == ranks);
        CHECK(mine.clock.simulated_s == (given ? 100.0 * ranks : 77));
        CHECK(mine.problems.empty());
    }
}

// Ranks 1, 4, 7 are on the second node. Its clock was 5 s behind at init and is 7 s ahead at terminate, 20 s later:
// it gained 12 s, where 20 ms would be drift. The first of the node says so.
TEST_CASE("clock: a node whose clock was stepped is told by one of its processes") {
    const int ranks = GENERATE(3, 8);
    WorldSetup setup = quick_world(ranks);
    setup.clock = [](int rank) { return BentClock{rank % 3 == 1 ? 7 * second : 0, 0}; };
    const auto all = step_on<Clocked>(setup, [](Transport &t, Clocked &mine) {
        const bool stepped = t.rank() % 3 == 1;
        ProcessRecord record = record_of(t, settings_in("."));
        record.process_map.node_of_rank.clear();
        for (int r = 0; r < t.size(); ++r)
            record.process_map.node_of_rank.push_back(r % 3 == 1 ? 1 : 0);
        record.first_offset = {0, stepped ? 5 * second : 0, 0};
        Group present(t, first_ranks(t.size()));
        ProblemList problems(t.rank(), {});
        mine.clock = agree_on_clock(present, record, problems);
        mine.problems = problems.all();
    });
    REQUIRE(all.good());
    for (int r = 0; r < ranks; ++r) {
        INFO("rank " << r);
        const std::vector<Problem> &problems = all.results[static_cast<std::size_t>(r)].problems;
        REQUIRE(problems.size() == (r == 1 ? 1U : 0U));
        if (r != 1) continue;
        CHECK(problems[0].code == error::data);
        CHECK(problems[0].cause.find("the clock of a node gained 12 s against the clocks of the others") == 0);
    }
}

TEST_CASE("clock: the bounds of all, in the order of the group, on its leader") {
    const int ranks = GENERATE(1, 3, 8);
    const auto all = step_on<std::vector<double>>(quick_world(ranks), [](Transport &t, std::vector<double> &mine) {
        Group group(t, first_ranks(t.size()));
        mine = gather_clock_bounds(group, (t.rank() + 1) * second);
    });
    REQUIRE(all.good());
    std::vector<double> right(static_cast<std::size_t>(ranks));
    std::iota(right.begin(), right.end(), 1.0);
    CHECK(all.results[0] == right);
    for (std::size_t r = 1; r < all.results.size(); ++r)
        CHECK(all.results[r].empty());
}
