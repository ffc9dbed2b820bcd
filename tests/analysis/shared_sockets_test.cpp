// Who is bound to the sockets of a node, and with whom: runs that are literals.
#include "analysis/run_cost.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

Component with_sockets(std::vector<SocketUse> places) {
    Component c;
    c.sockets.places = std::move(places);
    return c;
}

// Nodes 0 and 1 have two sockets, node 2 has one. Ocean and ice are bound to socket 0 of nodes 0 and 1, ice and land
// to socket 1 of node 0, all of them to the socket of node 2. The atmosphere's processes on node 0 are bound to
// nothing.
CoupledRun bound_run() {
    CoupledRun run;
    run.meters.nodes.resize(3);
    run.meters.nodes[0].sockets = run.meters.nodes[1].sockets = 2;
    run.meters.nodes[2].sockets = 1;
    run.components = {with_sockets({{0, {0}, 2}, {1, {0}, 2}, {2, {0}, 1}}),
                      with_sockets({{0, {0}, 1}, {0, {1}, 1}, {1, {0}, 2}, {2, {0}, 1}}),
                      with_sockets({{0, {1}, 4}, {2, {0}, 1}}), with_sockets({{0, {0, 1}, 8}})};
    return run;
}

} // namespace

TEST_CASE("shared sockets: of nodes with several, by processes that are bound to one") {
    const std::vector<SharedPlaces> shared = shared_sockets(bound_run());
    REQUIRE(shared.size() == 2);
    CHECK(shared[0].components == std::vector<std::size_t>{0, 1}); // socket 0 of nodes 0 and 1
    CHECK(shared[0].count == 2);
    CHECK(shared[1].components == std::vector<std::size_t>{1, 2}); // socket 1 of node 0
    CHECK(shared[1].count == 1);
}

TEST_CASE("shared sockets: none where nobody is bound, or nodes are not known") {
    CoupledRun run = bound_run();
    for (NodeMeters &node : run.meters.nodes)
        node.sockets = 0;
    CHECK(shared_sockets(run).empty());
    run.meters.nodes.clear(); // a file may say anything
    CHECK(shared_sockets(run).empty());
    CHECK(shared_sockets({}).empty());
    CHECK(sockets_on(run, run.components[0], 0).empty());
    CHECK(sockets_on(bound_run(), run.components[1], 0).size() == 2);
    CHECK(sockets_on(bound_run(), run.components[1], 2).empty()); // it has one
}
