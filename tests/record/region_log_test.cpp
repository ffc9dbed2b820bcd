// Calls of regions, summed between events; and what happens when there are too many sums.
#include "record/region_log.hpp"

#include "record/recorder.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace cpl_lb;

namespace {

std::uint64_t sum_of(std::span<const RegionCalls> all) {
    std::uint64_t sum = 0;
    for (const RegionCalls &calls : all)
        sum += calls.ticks;
    return sum;
}

} // namespace

TEST_CASE("calls of a region with no event between them are one sum") {
    RegionLog times(1000);
    times.add(2, 10, 13, 5);
    times.add(2, 20, 24, 5); // still nothing after the event at 5
    times.add(2, 40, 45, 30);
    times.add(1, 41, 42, 30);
    REQUIRE(times.of(2).size() == 2);
    CHECK(times.of(2)[0].first_ticks == 10);
    CHECK(times.of(2)[0].last_ticks == 24);
    CHECK(times.of(2)[0].ticks == 3 + 4);
    CHECK(times.of(2)[1].ticks == 5);
    CHECK(times.of(1).size() == 1);
    CHECK(times.of(7).empty());
    CHECK(times.complete());
    CHECK(times.closest_ticks() == 0);
}

TEST_CASE("a call with events inside it is a sum of its own") {
    RegionLog times(1000);
    times.add(1, 10, 12, 5);
    times.add(1, 13, 30, 20);
    REQUIRE(times.of(1).size() == 2);
    CHECK(times.of(1)[1].first_ticks == 13);
    CHECK(times.of(1)[1].ticks == 17);
}

TEST_CASE("many sums: the closest are united, nothing is lost, and the bound holds") {
    constexpr std::size_t most = 64;
    RegionLog times(most * sizeof(RegionCalls));
    // One call of 3 ticks in every 100, an event before each.
    constexpr std::uint64_t calls = 10'000;
    std::size_t largest = 0;
    for (std::uint64_t n = 1; n <= calls; ++n) {
        times.add(1, 100 * n, 100 * n + 3, 100 * n - 1);
        largest = std::max(largest, times.of(1).size());
    }
    CHECK(times.complete());
    CHECK(largest <= most);
    CHECK(sum_of(times.of(1)) == 3 * calls);
    // At most 64 sums, each with the gap behind it at most closest + 97 ticks long, fill 1,000,000 ticks: 15,528.
    CHECK(times.closest_ticks() >= 15'500);
    CHECK(times.closest_ticks() <= 2 * 100 * calls / (most / 2));
    for (const RegionCalls &one : times.of(1))
        CHECK(one.last_ticks - one.first_ticks < times.closest_ticks());
}

TEST_CASE("no room at all: the times are not known, and nothing else happens") {
    RegionLog none;
    none.add(1, 10, 20, 5);
    CHECK_FALSE(none.complete());
    CHECK(none.of(1).empty());
    RegionLog one(sizeof(RegionCalls)); // of two regions, which cannot be united
    one.add(1, 10, 20, 5);
    one.add(2, 30, 40, 25);
    CHECK_FALSE(one.complete());
}

TEST_CASE("a recorder separates calls by its events") {
    Recorder recorder({}, "ocean");
    const int region = recorder.regions().id("dynamics"), field = recorder.field("SST", "");
    for (int step = 0; step < 3; ++step) {
        for (int call = 0; call < 4; ++call) {
            recorder.region_begin(region);
            recorder.region_end(region);
        }
        recorder.begin(static_cast<int>(Kind::put), field);
        recorder.end(static_cast<int>(Kind::put), field);
    }
    CHECK(recorder.regions().times().of(region).size() == 3);
}
