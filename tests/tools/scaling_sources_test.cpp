// Which run a measured time is of, and which regions of several runs compare: from runs as literals.
#include "tools/balance/balance_page.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace cpl_lb;

namespace {

struct RegionLiteral {
    const char *name;
    double mean_s;
};

CoupledRun run_of(std::int32_t cores, double simulated_s, const std::vector<RegionLiteral> &regions) {
    CoupledRun run;
    run.run.simulated_s = simulated_s;
    run.component_names = {"ocean"};
    Component ocean;
    ocean.name = "ocean";
    ocean.id = 1;
    ocean.ranks.resize(static_cast<std::size_t>(cores));
    std::iota(ocean.ranks.begin(), ocean.ranks.end(), 0);
    for (const RegionLiteral &literal : regions) {
        RegionSummary region;
        region.name = literal.name;
        region.mean_s = literal.mean_s;
        ocean.regions.push_back(region);
    }
    run.components = {ocean};
    return run;
}

// The answer: 96 cores for the ocean, with one thread.
BalanceOutput answer_of(const ScalingSources &sources) {
    BalanceOutput output;
    output.names = {"ocean"};
    output.curves = {ScalingCurve(sources.samples.at("ocean"))};
    output.answer.counts = {96};
    output.answer.threads = {1};
    output.idle = {false};
    return output;
}

// Each run adds its time of the ocean, as balance does.
struct Sources {
    ScalingSources sources;
    SamplesByComponent samples;

    void add(const std::string &folder, const CoupledRun &run, double seconds) {
        samples["ocean"].push_back({static_cast<double>(run.components[0].cores()), seconds, 0.1, 1});
        add_sources(sources, samples, folder, run);
    }
    [[nodiscard]] ComponentPictures pictures() {
        settle_sources(sources, samples, "table.csv", "a coupling cycle");
        return pictures_of(answer_of(sources), sources).at(0);
    }
};

} // namespace

TEST_CASE("each time has its run, and those of a table have the table") {
    Sources given;
    given.add("big", run_of(128, 1, {}), 5);
    given.add("small", run_of(64, 1, {}), 9);
    const ScalingPicture runs = given.pictures().component;
    REQUIRE(runs.times.size() == 2); // by cores
    CHECK(runs.times[0].run == "small");
    CHECK(runs.times[0].seconds == 9);
    CHECK(runs.times[1].run == "big");
    CHECK(runs.seconds_of == "a coupling cycle");
    CHECK(runs.recommended == 96);
    given.samples["ocean"] = {{64, 900}, {128, 480}}; // --curves replaces what was measured
    const ScalingPicture table = given.pictures().component;
    CHECK(table.times[0].run == "table.csv");
    CHECK(table.times[1].seconds == 480);
}

TEST_CASE("a region is drawn if two runs have it; the longest stands first") {
    Sources given;
    given.add("a", run_of(64, 86400, {{"short", 2}, {"long", 40}, {"of one run", 90}, {"never entered", 0}}), 9);
    given.add("b", run_of(128, 86400, {{"long", 25}, {"short", 1}, {"never entered", 3}}), 5);
    const std::vector<ScalingPicture> regions = given.pictures().regions;
    REQUIRE(regions.size() == 2);
    CHECK(regions[0].name == "long");
    CHECK(regions[1].name == "short");
    CHECK(regions[0].seconds_of == "the run");
    CHECK(regions[0].times[1].run == "b");
    CHECK(regions[0].times[1].seconds == 25);
    CHECK(parallel_efficiency(*regions[0].curve, 128, 25) == Approx(0.8)); // 40 x 64 / (25 x 128)
    CHECK_FALSE(lengths_not_known(given.sources));
}

TEST_CASE("regions of runs of different lengths compare by the simulated day") {
    Sources given;
    given.add("a", run_of(64, 86400, {{"dynamics", 40}}), 9);
    given.add("b", run_of(128, 5 * 86400, {{"dynamics", 125}}), 5); // 25 s a day
    const ScalingPicture region = given.pictures().regions.at(0);
    CHECK(region.seconds_of == "a simulated day");
    CHECK(region.times[0].seconds == Approx(40));
    CHECK(region.times[1].seconds == Approx(25));
}

TEST_CASE("where a length is not known, the whole runs compare, and that is told") {
    Sources given;
    given.add("a", run_of(64, 86400, {{"dynamics", 40}}), 9);
    given.add("b", run_of(128, unknown, {{"dynamics", 125}}), 5);
    CHECK(given.pictures().regions.at(0).seconds_of == "the run");
    CHECK(given.pictures().regions.at(0).times[1].seconds == 125);
    CHECK(lengths_not_known(given.sources));
    Sources one; // nothing compares
    one.add("a", run_of(64, unknown, {{"dynamics", 40}}), 9);
    CHECK_FALSE(lengths_not_known(one.sources));
}

TEST_CASE("regions with other threads than the answer's are drawn beside the curve") {
    Sources given;
    given.add("a", run_of(64, 1, {{"dynamics", 40}}), 9);
    CoupledRun threads = run_of(32, 1, {{"dynamics", 38}});
    threads.components[0].threads = 2; // 64 cores
    given.add("b", threads, 8);
    given.add("c", run_of(128, 1, {{"dynamics", 25}}), 5);
    const ScalingPicture region = given.pictures().regions.at(0);
    REQUIRE(region.times.size() == 3);
    CHECK(region.curve->samples().size() == 2);
    CHECK(region.curve->samples()[0].seconds == 40);
    CHECK_FALSE(is_of_curve(region, region.times[1]));
}
