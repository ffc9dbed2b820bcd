// The balance while the model runs, on ranks in memory: sums by hand, somebody who does not come, the slow side.
#include "run/live/balance_now.hpp"

#include "tests/mpi/on_ranks.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

BalanceNow of_process(const std::string &name, double seconds, double waiting_s, int steps = 4) {
    BalanceNow one;
    one.name = name;
    one.processes = 1;
    one.measured = seconds > 0 ? 1 : 0;
    one.steps = seconds > 0 ? steps : 0;
    one.seconds = seconds;
    one.waiting_s = waiting_s;
    one.coupling_s = waiting_s + 1;
    return one;
}

std::string in_words(const ComponentsNow &now) {
    std::string text = now.together ? "" : "not together: ";
    for (const BalanceNow &c : now.components) {
        text += c.name + " " + std::to_string(c.measured) + "/" + std::to_string(c.processes) + " " +
                std::to_string(c.steps) + " steps " + std::to_string(c.waiting_s) + "/" + std::to_string(c.seconds) +
                "; ";
    }
    return text;
}

std::optional<std::size_t> slow_of(const std::vector<double> &shares) {
    std::vector<BalanceNow> components;
    components.reserve(shares.size());
    for (const double share : shares)
        components.push_back(of_process("c", share < 0 ? 0 : 100, 100 * share));
    return slow_side_now(components);
}

} // namespace

TEST_CASE("balance now: all get the same sums, in the order of the lowest ranks") {
    // Ranks 0, 2, 4 are the ocean, 1, 3 the ice; rank 4 has no step. Ocean: 10 + 12 s, 1 + 3 s; ice: 11 + 13, 2 + 4.
    MemoryWorld world({.ranks = 5});
    const auto ends = on_ranks(world, 5, 10, [](Transport &t) {
        Group group(t, first_ranks(5), balance_now_tag);
        const int r = t.rank();
        const std::string name = r % 2 == 0 ? "ocean" : "ice";
        return in_words(
            agree_on_now(group, r == 4 ? of_process(name, 0, 0) : of_process(name, 10 + r, 1 + r, 4 + r)));
    });
    for (const Ended &end : ends)
        CHECK(end.said == "ocean 2/3 4 steps 4.000000/22.000000; ice 2/2 5 steps 6.000000/24.000000; ");
}

TEST_CASE("balance now: a communicator of one, of some, and of the wrong ones") {
    MemoryWorld world({.ranks = 3});
    const auto ends = on_ranks(world, 3, 10, [](Transport &t) {
        if (t.rank() == 1) {
            Group alone(t, {1}, balance_now_tag);
            return in_words(agree_on_now(alone, of_process("ice", 10, 1)));
        }
        Group two(t, {0, 2}, balance_now_tag);
        return in_words(agree_on_now(two, of_process("ocean", 10, 2)));
    });
    CHECK(ends[0].said == "ocean 2/2 4 steps 4.000000/20.000000; ");
    CHECK(ends[1].said == "ice 1/1 4 steps 1.000000/10.000000; ");
    CHECK(ends[2].said == ends[0].said);
    ComponentsNow mine{{of_process("ocean", 10, 2)}, 0, 2}, theirs{{of_process("ice", 10, 2)}, 0, 3};
    unite(mine, theirs);
    CHECK_FALSE(mine.together);
}

TEST_CASE("balance now: who does not come is waited for rn_timeout, and nobody longer") {
    MemoryWorld world({.ranks = 4});
    const auto ends = on_ranks(world, 4, 5, [](Transport &t) {
        if (t.rank() == 2) return std::string("elsewhere");
        Group group(t, first_ranks(4), balance_now_tag);
        const std::int64_t begin = t.now_ns();
        const bool failed = fails([&] { static_cast<void>(agree_on_now(group, of_process("ocean", 10, 2))); });
        CHECK(static_cast<double>(t.now_ns() - begin) * 1e-9 < 11);
        return std::string(failed ? "nothing" : "something");
    });
    CHECK(ends[0].said == "nothing");
    CHECK(ends[1].said == "nothing");
    CHECK(ends[3].said == "nothing");
}

TEST_CASE("balance now: steps of long ago do not count") {
    // Two processes from 50 to 90 s, one that left at 20 s: in whatever order.
    for (const std::vector<std::int64_t> &order :
         {std::vector<std::int64_t>{90, 80, 20}, {20, 90, 80}, {80, 20, 90}}) {
        ComponentsNow all;
        for (const std::int64_t to : order) {
            BalanceNow one = of_process("ocean", 40, to == 20 ? 39 : 10, to == 20 ? 1 : 4);
            one.to_ns = to * 1'000'000'000;
            one.from_ns = (to == 20 ? 0 : 50) * std::int64_t{1'000'000'000};
            unite(all, {{one}});
        }
        CHECK(in_words(all) == "ocean 2/3 4 steps 20.000000/80.000000; ");
    }
}

TEST_CASE("balance now: messages there and back; a damaged one is refused") {
    ComponentsNow now{{of_process("ocean", 10, 2), of_process("", 0, 0)}, 3, 5, false};
    const Bytes bytes = packed(now);
    CHECK(packed(unpacked<ComponentsNow>(bytes, "now")) == bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        CHECK_THROWS_AS(
            unpacked<ComponentsNow>(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)), "now"),
            DamagedMessage);
    }
}

TEST_CASE("balance now: the slow side is who waits clearly least, if somebody waits") {
    CHECK(slow_of({0.30, 0.01}) == 1);
    CHECK(slow_of({0.01, 0.30}) == 0);
    CHECK(slow_of({0.40, 0.36, 0.90}) == std::nullopt); // not 5 points apart
    CHECK(slow_of({0.40, 0.34, 0.90}) == 1);
    CHECK(slow_of({0.06, 0}) == 1);
    CHECK(slow_of({0.019, 0}) == std::nullopt);
    CHECK(slow_of({0.30}) == std::nullopt);     // one executable only
    CHECK(slow_of({0.30, -1}) == std::nullopt); // the other one is not known
    CHECK(slow_of({-1, 0.30, 0.10}) == 2);
    CHECK(slow_of({}) == std::nullopt);
    std::vector<BalanceNow> two = {of_process("ocean", 100, 30), of_process("ioserver", 100, 1)};
    two[1].io_servers = 1;
    CHECK(slow_side_now(two) == std::nullopt);
}
