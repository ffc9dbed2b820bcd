// On which sockets processes may run, up the tree and into components, and from the files of several runs.
#include "run/live/gpus_gather.hpp"
#include "run/live/meters_gather.hpp"
#include "tests/named_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

using Sockets = std::vector<std::int32_t>;

} // namespace

TEST_CASE("sockets: processes of a component with the same binding are one entry") {
    std::vector<ToldSockets> all;
    for (const ToldSockets &one : {ToldSockets{1, 1, {1}}, ToldSockets{1, 0, {1}}, ToldSockets{1, 0, {0}},
                                   ToldSockets{1, 0, {1}}, ToldSockets{2, 0, {0, 1}}})
        unite(all, {one});
    CHECK(all.size() == 4);
    CoupledRun run = test::named_run({"ocean", "ice"});
    enter_sockets(all, run);
    const std::vector<SocketUse> &ocean = run.components[0].sockets.places;
    REQUIRE(ocean.size() == 3); // by node, then by socket
    CHECK(ocean[0].node == 0);
    CHECK(ocean[0].sockets == Sockets{0});
    CHECK(ocean[0].processes == 1);
    CHECK(ocean[1].sockets == Sockets{1});
    CHECK(ocean[1].processes == 2);
    CHECK(ocean[2].node == 1);
    CHECK(run.components[0].sockets.why_missing.empty());
    REQUIRE(run.components[1].sockets.places.size() == 1);
    CHECK(run.components[1].sockets.places[0].sockets == Sockets{0, 1});
}

TEST_CASE("sockets: who is not told, or not asked, has the reason and no guess") {
    CoupledRun run = test::named_run({"ocean", "ice", "land"});
    enter_sockets({{1, 0, {}, 3}, {1, 0, {1}, 1}, {2, 0, {}, 1}}, run);
    CHECK(run.components[0].sockets.places.size() == 1);
    CHECK(run.components[0].sockets.why_missing ==
          "the system does not tell the sockets of all processors on which its processes may run "
          "(physical_package_id)");
    CHECK(run.components[1].sockets.places.empty());
    CHECK(run.components[1].sockets.why_missing == run.components[0].sockets.why_missing);
    CHECK(run.components[2].sockets.why_missing == "its processes read no meters (ln_rss and ln_energy are off)");
}

TEST_CASE("sockets: what goes up the tree comes out of it") {
    GatheredMeters meters;
    meters.nodes.emplace_back().meters.sockets = 2;
    meters.sockets = {{1, 0, {0, 1}, 7}};
    const auto read = unpacked<GatheredMeters>(packed(meters), "meters");
    CHECK(read.nodes[0].meters.sockets == 2);
    REQUIRE(read.sockets.size() == 1);
    CHECK(read.sockets[0].component == 1);
    CHECK(read.sockets[0].sockets == Sockets{0, 1});
    CHECK(read.sockets[0].processes == 7);
}
