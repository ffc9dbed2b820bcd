// Steps 5 to 7 alone: the figures of each component on its master, and its timeline.
#include "run/live/steps/gather_components.hpp"

#include "data/error_codes.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "tests/run/steps/step_by_hand.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;
using cpl_lb::test::TemporaryFolder;

namespace {

struct Gathered {
    LedComponents led;
    std::vector<Problem> problems;
};

using ChangeDecoded = std::function<void(int rank, DecodedRecord &decoded)>;

OfRanks<Gathered> gather_on(const WorldSetup &setup, const std::string &folder, const ChangeDecoded &change = {}) {
    return step_on<Gathered>(setup, [&](Transport &t, Gathered &mine) {
        ProcessRecord record = record_of(t, settings_in(folder));
        ProblemList problems(t.rank(), {});
        DecodedRecord decoded = decode_record(record, problems);
        if (change) change(t.rank(), decoded);
        const Agreed agreed = agreed_by(t.size(), folder);
        mine.led = gather_components(record, decoded, agreed, problems);
        mine.problems = problems.all();
    });
}

// The loop is from the second reference event to the last. The ocean's PUT are at 3, 7, ..., 19 s: from 7 to 19 s, 12
// s, in which it puts three times for 1 s. The atmosphere's GET are at 2, 6, ..., 18 s: 12 s, and three times 2 s.
void check_figures(const Component &c, bool ocean) {
    CHECK(c.name == (ocean ? "ocean" : "atmosphere"));
    CHECK(c.id == (ocean ? 1 : 2));
    CHECK(c.events == 6); // with TERM
    CHECK(c.balance.loop_s == Approx(12));
    CHECK(c.balance.waiting_s == Approx(ocean ? 3 : 6));
    CHECK(c.balance.computing_s == Approx(ocean ? 9 : 6));
    CHECK(c.balance.jitter_s == Approx(0).margin(1e-12));
    REQUIRE(c.balance.steps.size() == 3);
    CHECK(c.balance.steps[0].start_s == Approx(ocean ? 7 : 6));
    CHECK(c.balance.steps[0].length_s == Approx(4));
    CHECK(c.last_terminate == 20 * second);
}

} // namespace

TEST_CASE("gathering: the figures that were worked out by hand, on the masters alone") {
    const int ranks = GENERATE(1, 3, 8);
    const bool timelines = GENERATE(false, true);
    INFO(ranks << " ranks, timelines " << timelines);
    const TemporaryFolder folder;
    const OfRanks<Gathered> all = gather_on(quick_world(ranks), timelines ? folder.path() : "");
    REQUIRE(all.good());
    for (int r = 0; r < ranks; ++r) {
        INFO("rank " << r);
        const Gathered &mine = all.results[static_cast<std::size_t>(r)];
        CHECK(mine.problems.empty());
        REQUIRE(mine.led.components.size() == (r < 2 ? 1U : 0U));
        REQUIRE(mine.led.timelines.size() == mine.led.components.size());
        if (r > 1) continue;
        const Component &c = mine.led.components[0];
        check_figures(c, r == 0);
        CHECK(c.ranks == catalogue_of(ranks).members[static_cast<std::size_t>(r)]);
        CHECK(c.clock_error_bounds_s == std::vector<double>(c.ranks.size(), 0.0));
        const bool here = timelines && r == 0; // the token by which rank 1 would see the folder is not there
        CHECK((mine.led.timelines[0].is == TimelineIs::in_the_folder) == here);
    }
    if (!timelines) return;
    const TimelineReader reader(folder / "timeline_ocean.nc");
    CHECK(reader.events() == 6);
    CHECK(reader.processes() == (ranks + 1) / 2);
    CHECK(reader.header().last_terminate == 20 * second);
}

TEST_CASE("gathering: dropped events are summed, and end the figures") {
    const int ranks = GENERATE(1, 3, 8);
    const OfRanks<Gathered> all = gather_on(quick_world(ranks), "", [](int rank, DecodedRecord &decoded) {
        decoded.facts[0].dropped_events = 10 + rank;
        if (rank == 0) decoded.process.first_dropped = 16 * second; // after the PUT at 15 s
    });
    REQUIRE(all.good());
    const Component &ocean = all.results[0].led.components.at(0);
    std::int64_t dropped = 0;
    for (int r = 0; r < ranks; r += 2)
        dropped += 10 + r;
    CHECK(ocean.dropped_events == dropped);
    CHECK(ocean.window_last == 16 * second);
    CHECK(ocean.balance.loop_s == Approx(8)); // from 7 to 15 s
}

TEST_CASE("gathering: what processes say differently is told by the master") {
    const OfRanks<Gathered> all = gather_on(quick_world(8), "", [](int rank, DecodedRecord &decoded) {
        decoded.facts[0].properties.levels = rank == 4 ? 31 : 75;
    });
    REQUIRE(all.good());
    for (std::size_t r = 0; r < 8; ++r) {
        INFO("rank " << r);
        const std::vector<Problem> &problems = all.results[r].problems;
        REQUIRE(problems.size() == (r == 0 ? 1U : 0U));
        if (r > 0) continue;
        CHECK(problems[0].cause == "processes of ocean disagree about its levels");
        CHECK(problems[0].code == error::data);
    }
}

TEST_CASE("gathering: empty on the master that misses a message") {
    WorldSetup setup = quick_world(8);
    setup.loses = [](int from, int /*to*/, int /*tag*/) { return from == 6; }; // of the ocean
    const OfRanks<Gathered> all = gather_on(setup, "");
    CHECK(all.ends[0].failed);
    CHECK(all.results[0].led.components.empty());
}
