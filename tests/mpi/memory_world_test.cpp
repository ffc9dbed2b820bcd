// What the world in memory promises: MPI's order, delays, losses, stops, bent clocks, and the same again for a seed.
#include "tests/mpi/memory_world.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

// Each rank but 0 sends `count` numbers with each of two tags; the order in which they reach rank 0.
struct Arrival {
    int from = 0, tag = 0, number = 0;
    friend bool operator==(const Arrival &, const Arrival &) = default;
};

std::vector<Arrival> arrivals(const WorldSetup &setup, int count) {
    std::vector<Arrival> order;
    MemoryWorld world(setup);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), 60);
        if (rank > 0) {
            for (int n = 0; n < count; ++n)
                for (const int tag : {1, 2})
                    t.send(0, tag, as_wire(n));
            return;
        }
        std::array<Letter, 2> letters = {t.start_receive(any_rank, 1, 4), t.start_receive(any_rank, 2, 4)};
        Patience patience{std::chrono::microseconds{10}};
        while (order.size() < 2 * static_cast<std::size_t>(count) * static_cast<std::size_t>(setup.ranks - 1)) {
            for (int tag = 1; tag <= 2; ++tag) {
                Letter &letter = letters[static_cast<std::size_t>(tag - 1)];
                int from = -1;
                if (!t.test(letter, &from)) continue;
                order.push_back({from, tag, WireReader(letter.data()).get<int>()});
                letter = t.start_receive(any_rank, tag, 4);
            }
            t.pause(patience, t.now_ns() + 1'000'000'000);
        }
    });
    return order;
}

WorldSetup world_of(int ranks, std::uint64_t seed) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.seed = seed;
    return setup;
}

} // namespace

TEST_CASE("messages of one sender and tag keep their order; others overtake each other") {
    bool overtaken = false;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO("seed " << seed);
        const std::vector<Arrival> order = arrivals(world_of(4, seed), 10);
        REQUIRE(order.size() == 60);
        for (int from = 1; from < 4; ++from) {
            for (const int tag : {1, 2}) {
                int next = 0;
                for (const Arrival &a : order)
                    if (a.from == from && a.tag == tag) CHECK(a.number == next++);
                CHECK(next == 10);
            }
        }
        overtaken = overtaken || !std::is_sorted(order.begin(), order.end(), [](const Arrival &a, const Arrival &b) {
                        return a.number < b.number;
                    });
    }
    CHECK(overtaken);
}

TEST_CASE("the same seed gives the same run, another one another") {
    CHECK(arrivals(world_of(5, 7), 8) == arrivals(world_of(5, 7), 8));
    CHECK_FALSE(arrivals(world_of(5, 7), 8) == arrivals(world_of(5, 8), 8));
}

TEST_CASE("a wait for a message that never comes takes the timeout, in no time") {
    MemoryWorld world(world_of(2, 1));
    const auto ends = on_ranks(world, 2, 3600, [](Transport &t) {
        std::int64_t never = 0;
        if (t.rank() == 0) t.receive(1, 5, as_wire_out(never));
        return std::string();
    });
    CHECK(ends[0].timed_out);
    CHECK_FALSE(ends[1].failed);
    CHECK(world.true_ns() >= 3'600'000'000'000);
    CHECK(world.true_ns() < 3'601'000'000'000);
}

TEST_CASE("a long send ends when it is received, a short one at once; both are counted") {
    MemoryWorld world(world_of(2, 1));
    const Bytes data(5000);
    const auto ends = on_ranks(world, 2, 10, [&](Transport &t) {
        if (t.rank() == 1) return std::string();
        t.send(1, 5, std::span(data).first(4096));
        return std::string(fails([&] { t.send(1, 6, data); }) ? "" : "wrong");
    });
    CHECK(ends[0].said.empty());
    CHECK(ends[0].timed_out);
    CHECK(world.traffic(0).messages == 3); // one more tells of the failure
    CHECK(world.traffic(0).bytes == 9096);
    CHECK(ends[1].said.empty());
}

TEST_CASE("a message of a wrong length is an error, and no memory that nobody wrote is taken for it") {
    for (const std::size_t came : {std::size_t{4}, std::size_t{12}}) {
        MemoryWorld world(world_of(2, 1));
        const auto ends = on_ranks(world, 2, 10, [&](Transport &t) {
            std::int64_t word = 42;
            const Bytes data(came);
            if (t.rank() == 1) return std::string(fails([&] { t.send(0, 5, data); }) ? "not sent" : "");
            const bool failed = fails([&] { t.receive(1, 5, as_wire_out(word)); });
            return std::string(failed && word == 42 ? "" : "taken");
        });
        CHECK(ends[0].said.empty());
        CHECK(ends[0].failed);
        CHECK_FALSE(ends[0].timed_out);
    }
}

TEST_CASE("stopped, late and sleeping ranks") {
    WorldSetup setup = world_of(4, 3);
    setup.stops[1] = 0;
    setup.starts_at_ns[2] = 5'000'000'000;
    setup.stalls[3] = {1, 2'000'000'000};
    MemoryWorld world(setup);
    std::vector<std::int64_t> began(4);
    const auto ends = on_ranks(world, 4, 10, [&](Transport &t) {
        t.send((t.rank() + 1) % 4, 9, {});
        began[static_cast<std::size_t>(t.rank())] = t.now_ns();
        return std::string();
    });
    CHECK(world.stopped(1));
    CHECK_FALSE(world.stopped(0));
    CHECK(ends[1].stopped);
    CHECK(began[0] < 1'000'000);
    CHECK(began[2] >= 5'000'000'000);
    CHECK(began[3] >= 2'000'000'000);
}

TEST_CASE("clocks that are bent run as they say") {
    WorldSetup setup = world_of(2, 1);
    setup.clock = [](int rank) { return BentClock{rank * 5'000'000'000'000, rank * 1e-4}; };
    setup.starts_at_ns = {{0, 1'000'000'000}, {1, 1'000'000'000}};
    MemoryWorld world(setup);
    std::vector<std::int64_t> read(2);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        read[static_cast<std::size_t>(rank)] = carrier->now_ns();
    });
    CHECK(std::abs(read[0] - 1'000'000'000) < 1'000);
    CHECK(std::abs(read[1] - 5'001'000'100'000) < 1'000); // 1 s and 1e-4 of it
}

// The first message gets lost: the next of the same length comes in its place.
TEST_CASE("lost messages never arrive") {
    WorldSetup setup = world_of(2, 1);
    setup.loses = [n = 0](int, int, int) mutable { return n++ == 0; };
    MemoryWorld world(setup);
    const auto ends = on_ranks(world, 2, 10, [](Transport &t) {
        int word = 0;
        for (const int sent : {1, 2})
            if (t.rank() == 1) t.send(0, 5, as_wire(sent));
        if (t.rank() == 0) t.receive(1, 5, as_wire_out(word));
        return std::string(t.rank() == 1 || word == 2 ? "" : "not the second");
    });
    CHECK(ends[0].said.empty());
    CHECK(ends[1].said.empty());
}

TEST_CASE("what a body throws comes out of the world") {
    MemoryWorld world(world_of(3, 1));
    CHECK_THROWS_AS(world.run([](int rank, std::unique_ptr<Carrier>) {
        if (rank == 2) throw std::runtime_error("wrong");
    }),
                    std::runtime_error);
}
