// Whom a process talks to: sums for each partner, by hand, and a bounded table.
#include "record/peers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

using namespace cpl_lb;

namespace {

std::map<int, Peer> all_of(const Peers &peers) {
    std::map<int, Peer> all;
    peers.for_each([&](const Peer &peer) { all.emplace(peer.rank, peer); });
    return all;
}

void wait_for(Peers &peers, const std::vector<int> &ranks, std::uint64_t ticks) {
    peers.waited(ranks, ticks);
}

} // namespace

TEST_CASE("peers: nobody at first") {
    const Peers peers;
    CHECK(all_of(peers).empty());
    CHECK(peers.others().sent.count == 0);
}

TEST_CASE("peers: messages and bytes of each") {
    Peers peers;
    peers.sent(7, 100);
    peers.sent(7, 20);
    peers.sent(0, 8);
    peers.sent(7, 0);
    const auto all = all_of(peers);
    REQUIRE(all.size() == 2);
    CHECK(all.at(7).sent.count == 3);
    CHECK(all.at(7).sent.bytes == 120);
    CHECK(all.at(0).sent.count == 1);
    CHECK(all.at(0).sent.bytes == 8);
    CHECK(all.at(7).waits == 0);
}

TEST_CASE("peers: a wait for several is divided, and counts whole as a wait together") {
    Peers peers;
    wait_for(peers, {3}, 100);
    wait_for(peers, {3, 5, 3, 9}, 90); // three processes: 30 each
    wait_for(peers, {5, -1}, 7);       // -1: of another component, or not known
    wait_for(peers, {-1}, 1000);
    wait_for(peers, {}, 1000);
    const auto all = all_of(peers);
    REQUIRE(all.size() == 3);
    CHECK(all.at(3).waits == 2);
    CHECK(all.at(3).ticks == 100 + 30);
    CHECK(all.at(3).with_ticks == 100 + 90);
    CHECK(all.at(5).waits == 2);
    CHECK(all.at(5).ticks == 30 + 7);
    CHECK(all.at(5).with_ticks == 90 + 7);
    CHECK(all.at(9).waits == 1);
    CHECK(all.at(9).ticks == 30);
    CHECK(all.at(9).with_ticks == 90);
}

// Two rounds, so that each partner is found again after the table has grown.
TEST_CASE("peers: many, and those beyond the bound share an entry") {
    Peers peers;
    const int count = GENERATE(33, 1000, 5000);
    for (int round = 1; round <= 2; ++round)
        for (int rank = 0; rank < count; ++rank)
            peers.sent(64 * rank, rank);
    const auto all = all_of(peers);
    const int kept = std::min(count, static_cast<int>(Peers::most));
    REQUIRE(static_cast<int>(all.size()) == kept);
    for (int rank = 0; rank < kept; ++rank) {
        CHECK(all.at(64 * rank).sent.count == 2);
        CHECK(all.at(64 * rank).sent.bytes == std::int64_t{2} * rank);
    }
    CHECK(peers.others().sent.count == std::int64_t{2} * (count - kept));
    wait_for(peers, {64 * (count - 1), 64 * count, 0}, 60);
    CHECK(all_of(peers).at(0).ticks == (count > kept ? 30 : 20)); // the others are one
}
