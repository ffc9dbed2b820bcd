// Who came to terminate, in memory: all, some, without rank 0, late ones, with clocks that are bent. Whatever
// happens, two processes never decide differently.
#include "mpi/meeting.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr double timeout_s = 20;
constexpr std::int64_t second = 1'000'000'000;

// Components of `per_component` ranks each, one after the other.
ProcessMap process_map_of(int ranks, int per_component) {
    ProcessMap process_map;
    for (int r = 0; r < ranks; ++r) {
        process_map.component_of_rank.push_back(r / per_component);
        process_map.node_of_rank.push_back(0);
        process_map.threads_of_rank.push_back(1);
    }
    for (int c = 0; c * per_component < ranks; ++c)
        process_map.component_names.push_back("component" + std::to_string(c));
    return process_map;
}

struct Came {
    Meeting meeting;
    bool came = false;
};

std::vector<Came> hold(WorldSetup setup, const ProcessMap &process_map, const std::vector<int> &never) {
    std::vector<Came> all(static_cast<std::size_t>(setup.ranks));
    MemoryWorld world(setup);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        if (std::count(never.begin(), never.end(), rank) != 0) return;
        Came &mine = all[static_cast<std::size_t>(rank)];
        Transport t(std::move(carrier), timeout_s);
        const std::int64_t offset = setup.clock ? -setup.clock(rank).offset_ns : 0;
        mine.meeting = meet(t, process_map, t.now_ns() + offset, offset);
        mine.came = true;
    });
    return all;
}

// What those who think that it is held think is the same, and includes those who say so.
void check_one_decision(const std::vector<Came> &all) {
    const Meeting *first = nullptr;
    for (std::size_t r = 0; r < all.size(); ++r) {
        const Meeting &m = all[r].meeting;
        INFO("rank " << r);
        if (!all[r].came || !m.held) continue;
        if (first == nullptr) first = &m;
        CHECK(m.present == first->present);
        CHECK(m.missing == first->missing);
        CHECK(m.earliest_ns == first->earliest_ns);
        CHECK(m.latest_ns == first->latest_ns);
        CHECK(m.includes_me == (std::count(m.present.begin(), m.present.end(), static_cast<int>(r)) == 1));
    }
}

std::vector<int> all_but(int ranks, const std::vector<int> &out) {
    std::vector<int> in;
    for (int r = 0; r < ranks; ++r)
        if (std::count(out.begin(), out.end(), r) == 0) in.push_back(r);
    return in;
}

void check_held_without(const std::vector<Came> &all, const std::vector<int> &out) {
    for (const int r : all_but(static_cast<int>(all.size()), out)) {
        INFO("rank " << r);
        const Meeting &m = all[static_cast<std::size_t>(r)].meeting;
        CHECK(m.held);
        CHECK(m.includes_me);
        CHECK(m.missing == out);
    }
    check_one_decision(all);
}

WorldSetup world_of(int ranks, std::uint64_t seed) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.seed = seed;
    return setup;
}

} // namespace

TEST_CASE("all there, at different times within the timeout and on bent clocks: held with all") {
    for (const int ranks : {1, 2, 3, 4, 8, 17, 64}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            INFO(ranks << " ranks, seed " << seed);
            WorldSetup setup = world_of(ranks, seed);
            setup.clock = [](int rank) { return BentClock{(rank % 5 - 2) * (3000 * second), 0}; };
            for (int r = 0; r < ranks; ++r)
                setup.starts_at_ns[r] =
                    static_cast<std::int64_t>(figure_of(seed, static_cast<std::uint64_t>(r), 9) % 19) * second;
            const std::vector<Came> all = hold(setup, process_map_of(ranks, 3), {});
            check_held_without(all, {});
            std::int64_t latest = 0;
            for (const auto &[r, at] : setup.starts_at_ns)
                latest = std::max(latest, at);
            CHECK(std::abs(all[0].meeting.latest_ns - latest) < second);
        }
    }
}

TEST_CASE("missing ranks: held without them, rank 0 too") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        INFO("seed " << seed);
        check_held_without(hold(world_of(8, seed), process_map_of(8, 2), {3}), {3});
        check_held_without(hold(world_of(8, seed), process_map_of(8, 2), {1, 6, 7}), {1, 6, 7});
        check_held_without(hold(world_of(8, seed), process_map_of(8, 2), {0}), {0});       // the first candidate
        check_held_without(hold(world_of(8, seed), process_map_of(8, 2), {0, 2}), {0, 2}); // and the second
        check_held_without(hold(world_of(8, seed), process_map_of(8, 2), {0, 2, 4}),
                           {0, 2, 4}); // only the last is left
        check_held_without(hold(world_of(64, seed), process_map_of(64, 16), {0, 17, 63}), {0, 17, 63});
    }
}

// 25 s after the others have started, who wait 20 s: the verdict is without it, and it is told so.
TEST_CASE("who comes after the others went on is told so") {
    for (const int late : {0, 5}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            INFO("rank " << late << ", seed " << seed);
            WorldSetup setup = world_of(8, seed);
            setup.starts_at_ns[late] = 27 * second;
            const std::vector<Came> all = hold(setup, process_map_of(8, 2), {});
            check_one_decision(all);
            for (int r = 0; r < 8; ++r) {
                INFO("rank " << r);
                CHECK(all[static_cast<std::size_t>(r)].meeting.held);
                CHECK(all[static_cast<std::size_t>(r)].meeting.includes_me == (r != late));
            }
        }
    }
}

TEST_CASE("all candidates missing: nobody decides, and nobody waits for ever") {
    const std::vector<Came> all = hold(world_of(6, 1), process_map_of(6, 3), {0, 3});
    for (const int r : {1, 2, 4, 5})
        CHECK_FALSE(all[static_cast<std::size_t>(r)].meeting.held);
}

// Arrivals all around the timeout (20 s) and the margins of the candidates (2 s each), and messages that take up to
// 0.9 s, less than half a margin: the hardest for the rule that the next candidate decides a margin later.
TEST_CASE("arrivals around the timeout and slow messages: two never decide differently") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        INFO("seed " << seed);
        const int ranks = 2 + static_cast<int>(seed % 9);
        WorldSetup setup = world_of(ranks, seed);
        setup.least_delay_ns = 0;
        setup.most_delay_ns = 900'000'000;
        for (int r = 0; r < ranks; ++r) {
            const std::uint64_t x = figure_of(seed, static_cast<std::uint64_t>(r), 3);
            if (x % 3 != 0) setup.starts_at_ns[r] = 17 * second + static_cast<std::int64_t>(x % 10'000) * 1'000'000;
        }
        check_one_decision(hold(setup, process_map_of(ranks, 1 + static_cast<int>(seed % 3)), {}));
    }
}

TEST_CASE("processes that stop in the meeting, and lost messages: it ends, and no two decide differently") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        INFO("seed " << seed);
        WorldSetup setup = world_of(6, seed);
        setup.stops[static_cast<int>(seed % 6)] = static_cast<std::int64_t>(seed / 6);
        check_one_decision(hold(setup, process_map_of(6, 2), {}));
    }
}

// Candidates are 0, 2, 4 and 6. Rank 0 decides after 20 s, without rank 7, which comes a second later. The verdict
// (tag 15) does not get to rank 2, whose turn would be a second after that: it knows that rank 0 came in time, and so
// leaves it alone.
TEST_CASE("a candidate that missed the verdict makes none of its own, though it knows of more by then") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        INFO("seed " << seed);
        WorldSetup setup = world_of(8, seed);
        setup.starts_at_ns[7] = 21 * second;
        setup.loses = [](int from, int to, int tag) { return from == 0 && to == 2 && tag == 15; };
        const std::vector<Came> all = hold(setup, process_map_of(8, 2), {});
        check_one_decision(all);
        CHECK_FALSE(all[2].meeting.held);
        for (const int r : {0, 1, 3, 4, 5, 6}) {
            INFO("rank " << r);
            CHECK(all[static_cast<std::size_t>(r)].meeting.held);
            CHECK(all[static_cast<std::size_t>(r)].meeting.missing == std::vector<int>{7});
        }
        CHECK_FALSE(all[7].meeting.includes_me);
    }
}
