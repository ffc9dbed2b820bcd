// Long data over slow links: how many messages wait for one another. Every message takes the same time here, and
// nothing else takes any, so that the time at the end is the longest chain of messages.
#include "mpi/group.hpp"
#include "support/number_list.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <catch2/catch.hpp>
#include <cstring>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr std::int64_t delay_ns = 10'000'000'000;

double chain_of(int ranks, const std::function<std::string(Transport &)> &body) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.least_delay_ns = setup.most_delay_ns = delay_ns;
    MemoryWorld world(setup);
    for (const Ended &end : on_ranks(world, ranks, 100'000, body)) {
        CHECK_FALSE(end.failed);
        CHECK(end.said.empty());
    }
    return static_cast<double>(world.true_ns()) / static_cast<double>(delay_ns);
}

Group all_of(Transport &t) {
    return {t, NumberList::counting_from(0, static_cast<std::size_t>(t.size()))};
}

constexpr std::size_t blocks = 64, numbers = blocks * group_block_bytes / sizeof(std::int64_t);

} // namespace

// 64 blocks, 8 of them under way between any two: they take 8 times as long as one message, and the last has 6 levels
// to go on 64 ranks. With one block at a time it would be 64 and 6, and where each child is waited for 64 times 6.
TEST_CASE("blocks go up the tree with several under way") {
    const double chain = chain_of(64, [](Transport &t) {
        Group all = all_of(t);
        std::vector<std::int64_t> mine(numbers, t.rank());
        all.reduce(std::span(mine), [](std::int64_t &a, std::int64_t b) { a += b; });
        const bool right = !all.leads() || mine == std::vector<std::int64_t>(numbers, 64 * 63 / 2);
        return right ? "" : "the sum is wrong";
    });
    CHECK(chain >= 8);
    CHECK(chain <= 8 + 6 + 2);
}

TEST_CASE("blocks go down the tree with several under way") {
    const double chain = chain_of(64, [](Transport &t) {
        Group all = all_of(t);
        std::size_t next = 0, wrong = 0;
        const auto give = [&](std::size_t at, std::span<std::byte> block) {
            std::memset(block.data(), static_cast<int>(at / group_block_bytes), block.size());
        };
        const auto take = [&](std::size_t at, std::span<const std::byte> block) {
            wrong += at == next ? 0 : 1;
            wrong += block.back() == static_cast<std::byte>(at / group_block_bytes) ? 0 : 1;
            next = at + block.size();
        };
        all.stream_down(blocks * group_block_bytes, 16, give, take);
        return wrong == 0 && (all.leads() || next == blocks * group_block_bytes) ? "" : "other blocks";
    });
    CHECK(chain >= 8);
    CHECK(chain <= 8 + 6 + 2);
}
