// Regions by step, from what a recorder holds, and on their way to the master: ranks in memory.
#include "run/live/inside_gather.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

using Regions1 = std::vector<RegionSummary>;

RegionSummary named(const std::string &name) {
    RegionSummary region;
    region.name = name;
    return region;
}

// On the leader: two regions, of which the second and a third are in the plan.
OfRanks<Regions1> gathered(int ranks, const RegionPlan &plan, const std::function<std::vector<double>(int)> &own) {
    return step_on<Regions1>(quick_world(ranks), [&](Transport &t, Regions1 &mine) {
        Group group(t, first_ranks(t.size()));
        if (group.leads()) mine = {named("physics"), named("dynamics")};
        gather_region_steps(group, plan, own(t.rank()), mine);
    });
}

} // namespace

TEST_CASE("regions: of all processes, on the leader") {
    const int ranks = GENERATE(1, 2, 3, 8);
    const RegionPlan plan{{"dynamics", "gone"}, {0, 10 * second, 20 * second}};
    const auto all = gathered(ranks, plan, [](int rank) {
        return std::vector<double>{1.0 + rank, 9.0 - rank, 0, 0};
    });
    REQUIRE(all.good());
    const Regions1 &regions = all.results[0];
    CHECK(regions[0].steps.empty());
    REQUIRE(regions[1].steps.size() == 2);
    const double last = ranks - 1; // the mean of 0 to last is last / 2
    CHECK(regions[1].steps[0].mean_s == Approx(1 + last / 2));
    CHECK(regions[1].steps[0].min_s == 1);
    CHECK(regions[1].steps[0].max_s == 1 + last);
    CHECK(regions[1].steps[0].slowest == ranks - 1);
    CHECK(regions[1].steps[1].mean_s == Approx(9 - last / 2));
    CHECK(regions[1].steps[1].slowest == 0);
}

TEST_CASE("regions: not by step if one process does not know it") {
    const RegionPlan plan{{"dynamics"}, {0, 10 * second, 20 * second}};
    const auto all = gathered(4, plan, [](int rank) { return std::vector<double>(2, rank == 2 ? unknown : 1.0); });
    REQUIRE(all.good());
    CHECK(all.results[0][1].steps.empty());
}

// Those that nobody asks would never answer.
TEST_CASE("regions: nothing is sent without a plan") {
    const auto all = step_on<Regions1>(quick_world(2), [&](Transport &t, Regions1 &mine) {
        Group group(t, first_ranks(t.size()));
        if (group.leads()) gather_region_steps(group, {}, {}, mine);
    });
    CHECK(all.good());
}

// A tick is a nanosecond, and the run's clock that of the process.
TEST_CASE("regions: this process's calls, by the steps in which the clock saw them") {
    with_record([](ProcessRecord &record) {
        record.recorder = std::make_unique<Recorder>(Recorder::Setup{}, "ocean");
        Recorder &recorder = *record.recorder;
        const int dynamics = recorder.regions().id("dynamics"), open = recorder.regions().id("open");
        const int field = recorder.field("SST", "");
        std::vector<Nanoseconds> edges;
        const auto edge = [&] {
            recorder.begin(static_cast<int>(Kind::put), field);
            edges.push_back(static_cast<Nanoseconds>(read_ticks(ClockSource::gettime)));
            recorder.end(static_cast<int>(Kind::put), field);
        };
        edge();
        recorder.region_begin(open);
        for (int step = 0; step < 3; ++step) {
            for (int call = 0; call < (step == 1 ? 0 : 2); ++call) {
                recorder.region_begin(dynamics);
                recorder.region_end(dynamics);
            }
            edge();
        }
        record.arrival.ticks = static_cast<std::uint64_t>(edges.back()) + 5U * second;
        const RegionPlan plan{{"open", "unknown here", "dynamics"}, edges};
        const std::vector<double> seconds = own_region_seconds(plan, record, agreed_by(1, "").clock);
        REQUIRE(seconds.size() == 9);
        for (std::size_t i = 0; i < 3; ++i) {
            // The first step holds the begin of the open region; it fills the others.
            const double length = to_seconds(edges[i + 1] - edges[i]);
            CHECK(seconds[i] <= length + 1e-9);
            if (i > 0) CHECK(seconds[i] == Approx(length));
            CHECK(seconds[3 + i] == 0);
        }
        CHECK(seconds[6] > 0);
        CHECK(seconds[7] == 0);
        CHECK(seconds[8] > 0);
        const double all = to_seconds(static_cast<Nanoseconds>(recorder.regions().timers()[0].total_ticks));
        CHECK(seconds[6] + seconds[8] == Approx(all));
        record.recorder.reset();
        CHECK_FALSE(is_known(own_region_seconds(plan, record, agreed_by(1, "").clock)[0]));
    });
}
