// Step 9 alone, second part: what the root hands to the maker of runs.
#include "run/live/steps/write_results.hpp"

#include "data/error_codes.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

RunParts parts_of(const std::function<void(ProcessRecord &, Agreed &, std::vector<Component> &)> &change,
                  const std::vector<Problem> &problems = {}) {
    RunParts parts;
    with_record([&](ProcessRecord &record) {
        record.process_map = process_map_of(4);
        record.process_map.threads_of_rank = {4, 2, 4, 1};
        record.process_map.cores_of_rank = {4, 1, 4, 1}; // the second has two threads on one core
        record.process_map.rank_in_model = {10, 11, 12, 13};
        Agreed agreed = agreed_by(4, "");
        agreed.clock.bound_ns = 1'500;
        std::vector<Component> components(2);
        components[0].ranks = {0, 2};
        components[1].ranks = {1, 3};
        GatheredMeters meters;
        meters.components.resize(2);
        change(record, agreed, components);
        parts = live_parts(record, agreed, std::move(components), meters, problems);
    });
    return parts;
}

void nothing(ProcessRecord & /*record*/, Agreed & /*agreed*/, std::vector<Component> & /*components*/) {}

} // namespace

TEST_CASE("parts: times, names, clock and threads; ranks are the model's from here on") {
    const RunParts parts = parts_of(nothing);
    const CoupledRun &run = parts.run;
    CHECK(run.run.id == "by hand");
    CHECK(run.run.started == "2026-11-22T00:00:00Z");
    CHECK(run.run.wall_s == 20);
    CHECK_FALSE(is_known(run.run.simulated_s));
    CHECK(run.run.processes == 4);
    CHECK(run.component_names == std::vector<std::string>{"ocean", "atmosphere"});
    CHECK(run.field_names == std::vector<std::string>{"SST"});
    CHECK(run.clock.error_bound_s == Approx(1.5e-6));
    CHECK(run.clock.nodes == 1);
    CHECK(run.clock.source == "clock_gettime");
    CHECK(parts.threads_of_processes == 4 + 1 + 4 + 1);
    CHECK(parts.all_recorded);
    CHECK(parts.annotations_are_new);
    CHECK(run.components[0].ranks == std::vector<std::int32_t>{10, 12});
    CHECK(run.components[1].ranks == std::vector<std::int32_t>{11, 13});
    CHECK(run.remarks.empty());
}

TEST_CASE("parts: when the run's clock was 0, by the clock of day") {
    const RunParts parts =
        parts_of([&](ProcessRecord & /*record*/, Agreed &agreed, std::vector<Component> & /*all*/) {
            agreed.clock.zero_realtime_ns = 1'773'065'100'000'000'007;
        });
    CHECK(parts.run.run.zero.time == "2026-03-09T14:05:00.000000007Z"); // `date -u -d ... +%s` says 1773065100
}

TEST_CASE("parts: only those who came count, and not all were recorded") {
    const RunParts parts = parts_of([](ProcessRecord &record, Agreed &agreed, std::vector<Component> & /*all*/) {
        agreed.present = {0, 1, 3};
        agreed.clock.simulated_s = 86'400;
        record.partial = "1 of 5 is not recorded";
        record.clock_source = ClockSource::time_stamp_counter;
        record.settings.cores = 48;
        record.process_map.node_of_rank = {0, 0, 1, 1};
    });
    CHECK(parts.run.run.processes == 3);
    CHECK(parts.threads_of_processes == 4 + 1 + 1);
    CHECK_FALSE(parts.all_recorded);
    CHECK(parts.run.run.simulated_s == 86'400);
    CHECK(parts.run.run.cores == 48);
    CHECK(parts.run.run.cores_from == "nn_cores");
    CHECK(parts.run.clock.source == "time stamp counter");
    CHECK(parts.run.clock.nodes == 2);
}

TEST_CASE("parts: each problem is a remark with the model's rank and its component") {
    const RunParts parts =
        parts_of(nothing, {{"no memory", 3, 1, 1, error::memory}, {"no file", 2, 2, 0, error::io}});
    CHECK(parts.run.remarks == std::vector<std::string>{"no memory (3 times on process 11, atmosphere)",
                                                        "no file (on 2 of 4 processes, first 10, ocean)"});
}

TEST_CASE("parts: exchanges that were left out are told once, with the bound") {
    const RunParts parts = parts_of([](ProcessRecord & /*record*/, Agreed & /*agreed*/, std::vector<Component> &all) {
        all[0].table_left_out = all[1].table_left_out = true;
    });
    REQUIRE(parts.run.remarks.size() == 1);
    CHECK(parts.run.remarks[0].find("too many exchanges for the memory bound of 64 MiB (nn_max_mb)") !=
          std::string::npos);
}

// In a model of 15 processes, ranks 10 to 13 came to cpl_lb_init, and 12 did not come to cpl_lb_terminate.
TEST_CASE("parts: who is missing, by rank in the model") {
    CHECK(parts_of(nothing).run.run.missing_count == 0); // how many the model has is not known here
    const RunParts parts = parts_of([](ProcessRecord &record, Agreed &agreed, std::vector<Component> &components) {
        record.model_processes = 15;
        agreed.present = {0, 1, 3};
        components[0].no_processor.most = 3;
    });
    CHECK(parts.run.run.missing_count == 12);
    CHECK(parts.run.run.missing == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14});
    CHECK(parts.run.components[0].no_processor.most == 13); // its rank in the model, too
}
