// One clock from clocks that are bent: offsets of hours, drift, messages that are slower one way than the other. The
// stated bound has to contain the truth.
#include "mpi/clock_sync.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr std::int64_t second = 1'000'000'000;

struct Measured {
    ClockOffset first, last;
    std::int64_t local_ns = 0; // a reading in between
    std::int64_t true_ns = 0;
};

// Nodes of two ranks that share a clock; node 0 is the reference.
BentClock clock_of_node(std::uint64_t seed, int node, double most_drift) {
    if (node == 0) return {};
    const auto x = figure_of(seed, static_cast<std::uint64_t>(node), 1);
    const auto offset = static_cast<std::int64_t>(x % 20'000) * second - 10'000 * second;
    return {offset, most_drift * (static_cast<double>(x % 201) - 100) / 100};
}

std::int64_t read(const BentClock &c, std::int64_t true_ns) {
    return c.offset_ns + true_ns + static_cast<std::int64_t>(c.drift * static_cast<double>(true_ns));
}

ProcessMap process_map_of(int ranks) {
    ProcessMap process_map;
    for (int r = 0; r < ranks; ++r) {
        process_map.component_of_rank.push_back(0);
        process_map.node_of_rank.push_back(r / 2);
        process_map.threads_of_rank.push_back(1);
    }
    process_map.component_names = {"ocean"};
    return process_map;
}

// Measures, sleeps until an hour of the true time is over, measures again.
std::vector<Measured> measure(WorldSetup setup) {
    std::vector<Measured> all(static_cast<std::size_t>(setup.ranks));
    MemoryWorld world(setup);
    const ProcessMap process_map = process_map_of(setup.ranks);
    on_ranks(world, setup.ranks, 60, [&](Transport &t) {
        Measured &mine = all[static_cast<std::size_t>(t.rank())];
        Group everybody(t, ranks_below(t.size()));
        mine.first = measure_offset(everybody, process_map, {});
        Patience patience{std::chrono::microseconds{1}};
        const std::int64_t end = read(setup.clock(t.rank()), 3600 * second);
        while (t.now_ns() < end)
            t.pause(patience, end);
        mine.last = measure_offset(everybody, process_map, {});
        return "";
    });
    return all;
}

// At the two times of measuring, and in between, where the truth lies on the straight line. What both clocks of an
// exchange drift while the tree is measured is not in the bound: exchange_ns long, that much more is allowed.
void check_bounds(const WorldSetup &setup, double drift, std::int64_t exchange_ns) {
    const std::vector<Measured> all = measure(setup);
    const auto allowed = static_cast<std::int64_t>(2 * drift * static_cast<double>(exchange_ns)) + 100;
    for (int r = 0; r < setup.ranks; ++r) {
        const Measured &m = all[static_cast<std::size_t>(r)];
        const BentClock clock = setup.clock(r);
        INFO("rank " << r << " of " << setup.ranks << ", seed " << setup.seed);
        for (const ClockOffset &o : {m.first, m.last}) {
            const auto true_ns = std::llround(static_cast<double>(o.at - clock.offset_ns) / (1 + clock.drift));
            CHECK(std::abs(o.at + o.offset - true_ns) <= o.bound + allowed);
        }
        const CommonClock common(m.first, m.last);
        const std::int64_t half_an_hour = 1800 * second;
        CHECK(std::abs(common.to_common(read(clock, half_an_hour)) - half_an_hour) <= common.bound() + allowed);
        CHECK((common.bound() == 0) == (r / 2 == 0));
    }
}

} // namespace

TEST_CASE("the bound contains the truth: offsets of hours, clocks that drift, delays by chance") {
    for (const int ranks : {1, 2, 3, 4, 8, 17, 64}) {
        for (std::uint64_t seed = 1; seed <= (ranks > 17 ? 2U : 8U); ++seed) {
            WorldSetup setup;
            setup.ranks = ranks;
            setup.seed = seed;
            const double drift = seed % 2 == 0 ? 5e-4 : 0;
            setup.clock = [=](int rank) { return clock_of_node(seed, rank / 2, drift); };
            check_bounds(setup, drift, 30'000'000);
        }
    }
}

// One way 1 us, the other 80 us: the offset is wrong by some 40 us, and the bound says 40 us.
TEST_CASE("the bound contains the truth where messages are slower one way") {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        WorldSetup setup;
        setup.ranks = 8;
        setup.seed = seed;
        setup.clock = [=](int rank) { return clock_of_node(seed, rank / 2, 0); };
        setup.delay_ns = [](int from, int to, std::mt19937_64 &) { return from < to ? 1'000 : 80'000; };
        check_bounds(setup, 0, 0);
        const std::vector<Measured> all = measure(setup);
        CHECK(all[2].first.bound >= 40'500);
        CHECK(all[2].first.bound < 42'000);
    }
}

// Ranks 2 and 3 say that they are on one node, but read different clocks, one behind or ahead: 3 becomes a node of
// its own.
TEST_CASE("a process that does not read its node's clock is found") {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        WorldSetup setup;
        setup.ranks = 6;
        setup.seed = seed;
        const std::int64_t apart = (seed % 2 == 0 ? 50 : -50) * second;
        setup.clock = [=](int rank) { return BentClock{rank == 3 ? apart : 0, 0}; };
        MemoryWorld world(setup);
        const auto ends = on_ranks(world, 6, 60, [&](Transport &t) {
            ProcessMap process_map = process_map_of(6);
            Group all(t, ranks_below(6));
            check_nodes(all, process_map, "here");
            return process_map.node_of_rank == std::vector<std::int32_t>{0, 0, 1, 3, 2, 2} ? "" : "wrong";
        });
        for (const Ended &end : ends)
            CHECK(end.said.empty());
    }
}

// Copies of one machine say that they are one node. Ranks 2 and 3 are on one copy, 4 and 5 on another. 6 has the name
// of the latter but another clock, and 7 the name of the first and its clock.
TEST_CASE("copies of one machine are nodes by their names and clocks") {
    WorldSetup setup;
    setup.ranks = 8;
    const std::vector<std::int64_t> ahead_s = {0, 0, 50, 50, -7, -7, 1000, 0};
    const std::vector<std::string> names = {"a", "a", "b", "b", "c", "c", "c", "a"};
    setup.clock = [=](int rank) { return BentClock{ahead_s[static_cast<std::size_t>(rank)] * second, 0}; };
    MemoryWorld world(setup);
    const auto ends = on_ranks(world, 8, 60, [&](Transport &t) {
        ProcessMap process_map = process_map_of(8);
        process_map.node_of_rank.assign(8, 0);
        Group all(t, ranks_below(8));
        check_nodes(all, process_map, names[static_cast<std::size_t>(t.rank())]);
        return process_map.node_of_rank == std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 0} ? "" : "wrong";
    });
    for (const Ended &end : ends)
        CHECK(end.said.empty());
}
