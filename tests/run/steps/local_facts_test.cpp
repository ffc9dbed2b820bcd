// What a process says of its components beside the events: properties, dropped events, regions, parameters.
#include "run/live/steps/decode_record.hpp"

#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

DecodedRecord two_components() {
    DecodedRecord decoded;
    decoded.component_names = {"ocean", "ice"};
    decoded.process.components.resize(2);
    decoded.process.problems.dropped = 3;
    return decoded;
}

} // namespace

TEST_CASE("facts: properties by name, dropped events with the first component") {
    with_record([](ProcessRecord &record) {
        record.recorder->problems().dropped = 2;
        record.properties["ocean"].levels = 75;
        record.properties["ice"].levels = 5;
        const DecodedRecord decoded = two_components();
        const ComponentFacts ocean = local_facts(record, decoded, 0), ice = local_facts(record, decoded, 1);
        CHECK(ocean.properties.levels == 75);
        CHECK(ice.properties.levels == 5);
        CHECK(ocean.dropped_events == 2 + 3);
        CHECK(ice.dropped_events == 0);
        record.recorder.reset();
        CHECK(local_facts(record, decoded, 0).dropped_events == 3);
        CHECK(local_facts(record, decoded, 0).properties.levels == -1); // not given
    });
}

// The region is still open: it counts from its begin, which the clock read, to the arrival, 7 s later.
TEST_CASE("facts: regions that were called, and their expressions, with the first component") {
    with_record([](ProcessRecord &record) {
        Regions &regions = record.recorder->regions();
        const int solver = regions.id("solver");
        CHECK(regions.id("never called") != solver);
        REQUIRE(regions.begin(solver, ClockSource::gettime));
        record.arrival.ticks = regions.timers()[0].start_ticks + 7U * second;
        record.annotations = std::make_unique<ProcessAnnotations>([](int) { return std::int64_t{1}; });
        REQUIRE(record.annotations->parameter("n", 1'000).empty());
        REQUIRE(record.annotations->expression(solver, "flops", "2 * n").empty());
        record.annotations->finish();
        const DecodedRecord decoded = two_components();
        const ComponentFacts ocean = local_facts(record, decoded, 0);
        REQUIRE(ocean.regions.size() == 1);
        const RegionSummary &region = ocean.regions[0];
        CHECK(region.name == "solver");
        CHECK(region.calls == 1);
        CHECK(region.processes == 1);
        for (const double seconds : {region.min_s, region.mean_s, region.max_s})
            CHECK(seconds == Approx(7));
        REQUIRE(ocean.parameters.size() == 1);
        CHECK(ocean.parameters[0].name == "n");
        CHECK(ocean.parameters[0].value.mean() == 1'000);
        const ComponentFacts ice = local_facts(record, decoded, 1);
        CHECK(ice.regions.empty());
        CHECK(ice.parameters.empty());
    });
}

TEST_CASE("facts: which annotated region was entered from which") {
    with_record([](ProcessRecord &record) {
        Regions &regions = record.recorder->regions();
        const int outer = regions.id("outer"), inner = regions.id("inner");
        regions.annotate(outer);
        regions.annotate(inner);
        regions.begin(outer, ClockSource::gettime);
        for (int n = 0; n < 3; ++n) {
            regions.begin(inner, ClockSource::gettime);
            regions.end(inner, ClockSource::gettime);
        }
        regions.end(outer, ClockSource::gettime);
        const ComponentFacts ocean = local_facts(record, two_components(), 0);
        REQUIRE(ocean.control_flow.size() == 2);
        CHECK(ocean.control_flow[0].from.empty());
        CHECK(ocean.control_flow[0].region == "outer");
        CHECK(ocean.control_flow[0].times == 1);
        CHECK(ocean.control_flow[1].from == "outer");
        CHECK(ocean.control_flow[1].region == "inner");
        CHECK(ocean.control_flow[1].times == 3);
    });
}

// 3 messages of 100, 20 and 3 bytes in the outer region, the last two in the inner one, which is still open; one of
// 4000 bytes lies outside, and nobody listened to the one before.
TEST_CASE("facts: messages of regions, of those that are open too, and none where MPI is not recorded") {
    with_record([](ProcessRecord &record) {
        Regions &regions = record.recorder->regions();
        const int outer = regions.id("outer"), inner = regions.id("inner");
        const auto of = [&](std::size_t i) { return local_facts(record, two_components(), 0).regions.at(i).meters; };
        regions.begin(outer, ClockSource::gettime);
        CHECK(of(0).messages.count == 0);
        regions.count_messages();
        CHECK(of(0).messages.mean() == 0);
        regions.message(100);
        regions.begin(inner, ClockSource::gettime);
        regions.begin(inner, ClockSource::gettime); // calls itself
        regions.message(20);
        regions.end(inner, ClockSource::gettime);
        regions.message(3);
        regions.end(outer, ClockSource::gettime);
        CHECK(of(0).messages.mean() == 3);
        CHECK(of(0).message_B.mean() == 100 + 20 + 3);
        CHECK(of(1).messages.mean() == 2);
        CHECK(of(1).message_B.mean() == 20 + 3);
        regions.end(inner, ClockSource::gettime);
        regions.message(4000);
        CHECK(of(1).messages.mean() == 2);
        regions.begin(outer, ClockSource::gettime); // once more
        regions.message(1);
        regions.close_all(record.arrival.ticks);
        CHECK(of(0).messages.mean() == 4);
        CHECK(of(0).message_B.mean() == 124);
        CHECK(of(1).message_B.mean() == 23);
    });
}
