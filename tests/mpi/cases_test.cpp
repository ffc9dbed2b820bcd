// All cases in memory: on many numbers of ranks, with delays and orders by seeds; then with messages that are lost
// and processes that stop: no figure is wrong without a failure that is told, and all end in time.
#include "tests/mpi/cases.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr double timeout_s = 10;

std::vector<Ended> run_case(const Case &c, const WorldSetup &setup, std::int64_t &end_ns) {
    MemoryWorld world(setup);
    const std::uint64_t seed = setup.seed;
    std::vector<Ended> ends = on_ranks(world, setup.ranks, timeout_s, [&](Transport &t) { return c.body(t, seed); });
    end_ns = world.true_ns();
    return ends;
}

void check_all_right(const Case &c, const WorldSetup &setup) {
    std::int64_t end_ns = 0;
    const std::vector<Ended> ends = run_case(c, setup, end_ns);
    for (std::size_t r = 0; r < ends.size(); ++r) {
        INFO(c.name << " on " << setup.ranks << " ranks, seed " << setup.seed << ", rank " << r);
        CHECK(ends[r].said.empty());
        CHECK_FALSE(ends[r].failed);
    }
}

// A rank has one wait at most that ends at its deadline. The wait before it may have lasted as long, on a rank that
// waited for one that waited; distress ends the others.
void check_ends_in_time(const Case &c, const WorldSetup &setup, bool figures_hold) {
    std::int64_t end_ns = 0;
    const std::vector<Ended> ends = run_case(c, setup, end_ns);
    INFO(c.name << " on " << setup.ranks << " ranks, seed " << setup.seed);
    CHECK(static_cast<double>(end_ns) <= 4e9 * timeout_s);
    for (std::size_t r = 0; r < ends.size(); ++r) {
        INFO("rank " << r << " said: " << ends[r].said);
        if (!ends[r].stopped && figures_hold) CHECK((ends[r].said.empty() || ends[r].failed));
    }
}

int failures_of(const Case &c, const WorldSetup &setup) {
    std::int64_t end_ns = 0;
    int failed = 0;
    for (const Ended &end : run_case(c, setup, end_ns))
        failed += end.failed ? 1 : 0;
    return failed;
}

} // namespace

TEST_CASE("each case on 1 to 64 ranks, with delays and orders by seeds") {
    for (const Case &c : all_cases()) {
        for (const int ranks : {1, 2, 3, 4, 8, 17, 64}) {
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                if (ranks > 17 && seed > 1) continue;
                WorldSetup setup;
                setup.ranks = ranks;
                setup.seed = seed;
                // Seed 2: every send waits for its receiver. Seed 3: hardly any does, and some come very late.
                setup.eager_bytes = seed == 2 ? 0 : seed == 3 ? 100'000'000 : 4096;
                if (seed == 3) {
                    setup.delay_ns = [](int, int, std::mt19937_64 &random) {
                        return std::int64_t{1'000} + static_cast<std::int64_t>(random() % 10 == 0 ? 50'000'000 : 0);
                    };
                }
                check_all_right(c, setup);
            }
        }
    }
}

TEST_CASE("a process that stops anywhere ends the others in time, and nobody takes half for the whole") {
    for (const Case &c : all_cases()) {
        for (const int ranks : {2, 3, 8}) {
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                WorldSetup setup;
                setup.ranks = ranks;
                setup.seed = seed;
                const auto who = static_cast<int>(figure_of(seed, 0, 1) % static_cast<std::uint64_t>(ranks));
                setup.stops[who] = static_cast<std::int64_t>(figure_of(seed, 0, 2) % 40);
                // The meeting goes on without it, and says so (meeting_test.cpp).
                check_ends_in_time(c, setup, std::string_view(c.name) != "meeting_of_all");
            }
        }
    }
}

TEST_CASE("lost messages: all end in time", "[long]") {
    for (const Case &c : all_cases()) {
        for (const int ranks : {2, 8, 17}) {
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                WorldSetup setup;
                setup.ranks = ranks;
                setup.seed = seed;
                setup.lost = seed % 2 == 0 ? 0.02 : 0.2;
                check_ends_in_time(c, setup, false);
            }
        }
    }
}

TEST_CASE("a process that sleeps for less than the timeout changes nothing; one that stops at once is told") {
    for (const Case &c : all_cases()) {
        WorldSetup setup;
        setup.ranks = 8;
        setup.stalls[3] = {5, 9'000'000'000};
        check_all_right(c, setup);
        setup.stalls = {};
        INFO(c.name);
        // Who only sends up the tree does not notice a dead leader, nor a leader of broadcasts a dead leaf.
        setup.stops = {{0, 0}};
        const int without_leader = failures_of(c, setup);
        setup.stops = {{7, 0}};
        CHECK(without_leader + failures_of(c, setup) > 0);
    }
}
