// How far apart the clocks of two runs are, from exchanges with times that are worked out by hand; and several runs
// on one axis.
#include "run/joined/joined_clock.hpp"
#include "run/joined/joined_parts.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds ms = 1'000'000;

std::vector<Nanoseconds> every_second(Nanoseconds first, int count) {
    std::vector<Nanoseconds> times;
    times.reserve(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n)
        times.push_back(first + n * 1000 * ms);
    return times;
}

// The second run's clock shows 3 s less. In each second of ten the first sends at 0.5 and has the answer at 0.9; the
// second receives 0.05 later, at 0.55, and sends at 0.8: by its own clock at 1.55 and 1.8 where the first has 4.55
// and 4.8.
BetweenRuns both_ways() {
    return {{{every_second(4500 * ms, 10), every_second(1550 * ms, 10)}},
            {{every_second(1800 * ms, 10), every_second(4900 * ms, 10)}}};
}

} // namespace

TEST_CASE("exchanges both ways bound the distance of two clocks, whatever the clocks of day say") {
    // GET after PUT: at least 4.5 - 1.55 = 2.95, and at most 4.9 - 1.8 = 3.1.
    const ComparedClocks clocks = by_exchanges(both_ways(), {3250 * ms, 0.1}, 2e-6);
    CHECK(clocks.by_exchanges);
    CHECK(clocks.why_not.empty());
    CHECK(clocks.ahead == 3025 * ms);
    CHECK(clocks.error_bound_s == Approx(0.075002).epsilon(1e-9));
    CHECK(std::abs(to_seconds(clocks.ahead) - 3.0) <= clocks.error_bound_s);
}

TEST_CASE("the narrowest exchange of all counts, of all fields") {
    BetweenRuns crossing = both_ways();
    crossing.there.push_back(crossing.there.front());
    crossing.there.back().get_ends[7] -= 30 * ms; // 11.5 - 8.52 = 2.98
    const ComparedClocks clocks = by_exchanges(crossing, {3000 * ms, 0.1}, 0);
    CHECK(clocks.ahead == 3040 * ms); // between 2.98 and 3.1
    CHECK(clocks.error_bound_s == Approx(0.06));
}

TEST_CASE("one way only: the clocks of day, but nothing is received before it is sent") {
    BetweenRuns crossing = both_ways();
    crossing.back.clear();
    const ComparedClocks later = by_exchanges(crossing, {3250 * ms, 0.1}, 0);
    CHECK(later.ahead == 3250 * ms);
    CHECK_FALSE(is_known(later.error_bound_s));
    CHECK(later.why_not == "they exchange in one direction only");
    CHECK(by_exchanges(crossing, {2000 * ms, 0.1}, 0).ahead == 2950 * ms);
    crossing = both_ways();
    crossing.there.clear();
    CHECK(by_exchanges(crossing, {3250 * ms, 0.1}, 0).ahead == 3100 * ms);
    CHECK(by_exchanges(crossing, {2000 * ms, 0.1}, 0).ahead == 2000 * ms);
}

TEST_CASE("nothing is exchanged, or in numbers that do not belong together") {
    CHECK(by_exchanges({}, {5, 0.1}, 0).ahead == 5);
    CHECK_FALSE(is_known(by_exchanges({}, {5, 0.1}, 0).error_bound_s));
    BetweenRuns crossing = both_ways();
    crossing.there.front().get_ends.resize(5);
    CHECK(by_exchanges(crossing, {3000 * ms, 0.1}, 0).why_not == "they exchange in one direction only");
    crossing = both_ways();
    crossing.there.front().get_ends.pop_back(); // the run ended
    CHECK(is_known(by_exchanges(crossing, {3000 * ms, 0.1}, 0).error_bound_s));
}

TEST_CASE("a first GET without a PUT: the smallest lag, and the clocks of day between two equal ones") {
    // The first run receives at 0.1, from the second's PUT at 0.9 of the second before, and sends at 0.5.
    const BetweenRuns crossing{{{every_second(4500 * ms, 10), every_second(1600 * ms, 10)}},
                               {{every_second(1900 * ms, 10), every_second(4100 * ms, 10)}}};
    // No lag: from 2.9 to 2.2, nothing. Lag back: 2.9 to 5.1 - 1.9 = 3.2. Lag there: 4.5 - 2.6 = 1.9 to 2.2.
    const ComparedClocks clocks = by_exchanges(crossing, {3150 * ms, 0.1}, 0);
    CHECK(clocks.ahead == 3050 * ms);
    CHECK(clocks.error_bound_s == Approx(0.15));
    CHECK(by_exchanges(crossing, {2000 * ms, 0.1}, 0).ahead == 2050 * ms);
    const ComparedClocks open = by_exchanges(crossing, {2550 * ms, 0.1}, 0);
    CHECK_FALSE(is_known(open.error_bound_s));
    CHECK(open.ahead == 2550 * ms);
    CHECK(by_exchanges(crossing, {2550 * ms, 1.1}, 0).why_not ==
          "their exchanges allow several lags, and clocks that are steps apart");
}

TEST_CASE("clocks of which one runs faster contradict themselves") {
    BetweenRuns crossing = both_ways();
    for (int n = 0; n < 10; ++n) { // 10 s more in each second
        for (Nanoseconds *t : {&crossing.there[0].get_ends[static_cast<std::size_t>(n)],
                               &crossing.back[0].put_begins[static_cast<std::size_t>(n)]})
            *t += n * 10'000 * ms;
    }
    const ComparedClocks clocks = by_exchanges(crossing, {3000 * ms, 0.1}, 0);
    CHECK_FALSE(is_known(clocks.error_bound_s));
    CHECK(clocks.why_not == "their exchanges contradict each other, whatever the distance of the clocks");
}

TEST_CASE("one node has one clock, and its boot is a part of its name") {
    RunZero first{"2026-11-27T10:00:00.000000000Z", "n1 boot", 100.0};
    RunZero second{"2026-11-27T10:00:03.000000000Z", "n1 boot", 103.25};
    const auto clocks = by_one_node(first, second, 2e-6);
    REQUIRE(clocks);
    CHECK(clocks->ahead == 3250 * ms);
    CHECK(clocks->error_bound_s == 2e-6);
    CHECK_FALSE(clocks->by_exchanges);
    second.clock = "n1 another";
    CHECK_FALSE(by_one_node(first, second, 0));
    second.clock = first.clock = "";
    CHECK_FALSE(by_one_node(first, second, 0));
    second.clock = first.clock = "n1 boot";
    second.monotonic_s = unknown;
    CHECK_FALSE(by_one_node(first, second, 0));
}

TEST_CASE("when runs began, to the nanosecond or to the second") {
    RunInfo first, second;
    CHECK_FALSE(clocks_of_day(first, second));
    first.started = "2026-11-27T10:00:00Z";
    CHECK_FALSE(clocks_of_day(first, second));
    second.started = "2026-11-27T10:00:04Z";
    REQUIRE(clocks_of_day(first, second));
    CHECK(clocks_of_day(first, second)->ahead == 4000 * ms);
    CHECK(clocks_of_day(first, second)->error_s == 1.1);
    first.zero.time = "2026-11-27T10:00:00.250000001Z";
    second.zero.time = "2026-11-27T10:00:04.250000003Z";
    CHECK(clocks_of_day(first, second)->ahead == 4000 * ms + 2);
    CHECK(clocks_of_day(first, second)->error_s == 0.1);
}

TEST_CASE("three runs on one axis: through the run between them") {
    const std::vector<std::string> labels = {"a", "b", "c"};
    const std::vector<double> own = {1e-6, 2e-6, 3e-6};
    // a - c exchange nothing; b is 2 s after a, to 0.1 s; c is 5 s before b, on one clock.
    const auto compare = [](std::size_t first, std::size_t second) {
        ComparedClocks clocks;
        if (first == 0 && second == 1) clocks = {2000 * ms, 0.1, "", true};
        if (first == 0 && second == 2) clocks = {999 * ms, unknown, "why", false};
        if (first == 1 && second == 2) clocks = {-5000 * ms, 5e-6, "", false};
        return clocks;
    };
    const PlacedRuns placed = place_runs(labels, own, compare);
    CHECK(placed.why_not_comparable.empty());
    // a at 0, b at 2, c at -3: the earliest becomes 0.
    CHECK(placed.shift == std::vector<Nanoseconds>{3000 * ms, 5000 * ms, 0});
    // Without the runs' own bounds b is off by 0.1 - 3e-6 from a, and c no more than b: b and c together.
    CHECK(placed.error_bound_s == Approx(2 * (0.1 - 3e-6) + 5e-6).epsilon(1e-9));
    CHECK(placed.remarks.size() == 2);
    CHECK(placed.remarks.front() ==
          "b began 2.000000 s after a: the middle of what their exchanges allow, at most 0.1 s off");
    CHECK(placed.remarks.back() == "the clocks of c and b are that of one node: b began 5.000000 s after c");
}

TEST_CASE("three runs on one axis: the second has its place from the third") {
    const std::vector<std::string> labels = {"a", "b", "c"};
    const std::vector<double> own = {0, 0, 0};
    // c is 4 s after a, and 1 s after b; a and b exchange nothing.
    const PlacedRuns placed = place_runs(labels, own, [](std::size_t first, std::size_t second) {
        if (second == 1) return ComparedClocks{9000 * ms, unknown, "why", false};
        return first == 0 ? ComparedClocks{4000 * ms, 0.1, "", true} : ComparedClocks{1000 * ms, 0.2, "", true};
    });
    CHECK(placed.shift == std::vector<Nanoseconds>{0, 3000 * ms, 4000 * ms});
    CHECK(placed.why_not_comparable.empty());
    CHECK(placed.error_bound_s == Approx(0.4)); // b is off by 0.1 + 0.2 from a, and c by 0.1
}

TEST_CASE("a run that nothing ties to the others: nothing is comparable") {
    const std::vector<std::string> labels = {"a", "b"};
    const std::vector<double> own = {0, 0};
    const PlacedRuns placed = place_runs(labels, own, [](auto, auto) {
        return ComparedClocks{-7 * ms, unknown, "no reason", false};
    });
    CHECK(placed.why_not_comparable == "the clocks of a and b cannot be compared (no reason)");
    CHECK(placed.shift == std::vector<Nanoseconds>{7 * ms, 0});
    CHECK_FALSE(is_known(placed.error_bound_s));
}

// Both runs have a node "b": the first run's second, the second run's first.
TEST_CASE("sockets of joined runs are those of their own nodes") {
    std::array<CoupledRun, 2> runs;
    const std::array<std::vector<std::string>, 2> names = {std::vector<std::string>{"a", "b"}, {"b", "c"}};
    for (std::size_t r = 0; r < 2; ++r) {
        for (const std::string &name : names[r]) {
            runs[r].meters.nodes.emplace_back().name = name;
            runs[r].meters.nodes.back().sockets = 2;
        }
        runs[r].components.resize(1);
        runs[r].components[0].sockets.places = {{0, {0}, 1}, {1, {1}, 2}, {7, {0}, 1}}; // there is no node 7
    }
    const std::array<CoupledRun *, 2> both = {&runs[0], &runs[1]};
    const RunMeters joined = join_meters(both);
    REQUIRE(joined.nodes.size() == 3);
    CHECK(joined.nodes[2].sockets == 2);
    const std::vector<SocketUse> &places = runs[1].components[0].sockets.places;
    REQUIRE(places.size() == 2);
    CHECK(places[0].node == 1); // "b"
    CHECK(places[1].node == 2); // "c"
    CHECK(places[1].processes == 2);
}
