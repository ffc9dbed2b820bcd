// Everything that the library holds at any moment, on every process: at most 1.5 times nn_max_mb and 4 MiB, beside
// what a run of one event takes. Each case records far more than the bound holds, or just as much, in a way of its
// own.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>

using scenario::run;

static const scenario::Program program("scenarios");

namespace {

constexpr int bound_MiB = 16;
constexpr long mark_bytes = bound_MiB * 1024L * 1024 / 5; // of the bound, while the model runs

double grown(const std::string &model, long events, const std::string &more = "") {
    const auto r =
        run(model, 3, more + "CPL_LB_MAX_MB=" + std::to_string(bound_MiB) + " EVENTS=" + std::to_string(events));
    INFO(model << " " << events);
    CHECK(r.exit_code == 0);
    CHECK(r.has("load_balancing_info.json"));
    return r.said.at("grown");
}

} // namespace

// events: of 16 bytes, of 8 (begins alone) or of 32 (a date with each): not quite as many as the marks have room for,
// so that none is dropped while the model runs; then ten times as many.
TEST_CASE("memory stays within 1.5 times the bound") {
    const auto [model, event_bytes] = GENERATE(table<std::string, long>({{"memory_whole", 16},
                                                                         {"memory_begins", 8},
                                                                         {"memory_deep", 16},
                                                                         {"memory_interleaved", 16},
                                                                         {"memory_unequal", 16},
                                                                         {"memory_more", 16},
                                                                         {"memory_all_different", 32},
                                                                         {"memory_different_begins", 8},
                                                                         {"memory_coupled", 16}}));
    const long fits = mark_bytes / event_bytes * 9 / 10;
    const double base = grown(model, 1);
    CHECK(base > 0);
    for (const long events : {fits, 10 * fits}) {
        INFO(model << ", " << events << " events");
        CHECK(grown(model, events) - base <= 1.5 * bound_MiB + 4);
    }
}

// HDF5 holds chunks of its own while it writes and while the page reads.
TEST_CASE("memory stays within the bound with compressed timelines") {
    const std::string compressed = "CPL_LB_COMPRESS=1 ";
    const double base = grown("memory_whole", 1, compressed);
    CHECK(grown("memory_whole", 2 * mark_bytes / 16, compressed) - base <= 1.5 * bound_MiB + 4);
}

// The union of 3 x 94,371 events, each of one process only, is 283,113. A bound of 16 MiB takes 16 x 2^20 / 120 =
// 139,810 together: the earliest stay, TERM among them, the others are counted, and the figures end there.
TEST_CASE("processes whose events are all different: the earliest stay") {
    const auto r = run("memory_all_different", 3, "CPL_LB_MAX_MB=16 EVENTS=94371");
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    const auto events = ocean.at("events").get<long>();
    CHECK(events <= 139'810 + 1);
    CHECK(events > 139'810 - 100);
    // Each event is of one process; TERM of all three, and none of it is dropped.
    CHECK(ocean.at("dropped_events").get<long>() == 3L * 94'371 - (events - 1));
    CHECK(r.complaints_with("16 MiB (nn_max_mb)") == 1);
    CHECK(r.said.at("code") == -9);
}
