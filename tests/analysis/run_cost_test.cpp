// Hours of cores, nodes and GPUs, of runs that are literals; who shares nodes, and prices.
#include "analysis/run_cost.hpp"

#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

namespace {

using namespace cpl_lb;

NodeMeters node(const std::string &kind, std::int32_t installed, std::int32_t used, std::size_t gpus) {
    NodeMeters n;
    n.kind = kind;
    n.installed_cores = installed;
    n.cores = used;
    n.gpus_known = true;
    n.gpus.resize(gpus);
    return n;
}

Component component(const std::string &name, std::int32_t id, std::int32_t first_rank, std::int32_t processes,
                    std::vector<std::int32_t> nodes, std::vector<std::int32_t> counts, std::int64_t gpus) {
    Component c = test::component(name, id, first_rank, processes, 7'200'000'000'000); // two hours
    c.on_nodes = std::move(nodes);
    c.processes_on_nodes = std::move(counts);
    c.gpus.count = gpus;
    return c;
}

// Two hours. Nodes 0 and 1 have 72 cores and 4 GPUs each, nodes 2 and 3 128 cores. The atmosphere has four processes
// and three GPUs on each GPU node; ocean and server share node 2 with 96 and 32 processes; node 3 is the ocean's with
// 100 of its cores.
CoupledRun two_kinds() {
    CoupledRun run;
    run.run.wall_s = 7200;
    run.run.cores = 400; // of 72 + 72 + 128 + 128
    run.meters.nodes = {node("gpu", 72, 4, 4), node("gpu", 72, 4, 4), node("cpu", 128, 128, 0),
                        node("cpu", 128, 100, 0)};
    run.components = {component("atmosphere", 1, 0, 8, {0, 1}, {4, 4}, 6),
                      component("ocean", 2, 8, 196, {2, 3}, {96, 100}, 0),
                      component("server", 3, 204, 32, {2}, {32}, 0)};
    return run;
}

} // namespace

TEST_CASE("cost: a run on two kinds of nodes") {
    const RunCost cost = cost_of(two_kinds());
    CHECK(cost.components[0].core_hours == Approx(16)); // 8 cores, 2 hours
    CHECK(cost.components[0].node_hours == Approx(4));
    CHECK(cost.components[0].shared_node_hours == 0);
    CHECK(cost.components[0].gpu_hours == Approx(12));
    CHECK(cost.components[0].idle_cores == 136); // 2 x (72 - 4)
    CHECK(cost.components[0].idle_gpus == 2);    // 8 - 6
    // Node 2 by cores: 96 / 128 and 32 / 128 of it.
    CHECK(cost.components[1].node_hours == Approx(3.5)); // (0.75 + 1) x 2
    CHECK(cost.components[1].shared_node_hours == Approx(1.5));
    CHECK(cost.components[1].idle_cores == 28);
    CHECK(cost.components[1].gpu_hours == 0);
    CHECK(cost.components[2].node_hours == Approx(0.5));
    CHECK(cost.components[2].idle_cores == 0);
    CHECK(cost.run.core_hours == Approx(800));
    CHECK(cost.run.node_hours == Approx(8));
    CHECK(cost.run.shared_node_hours == Approx(2));
    CHECK(cost.run.gpu_hours == Approx(16)); // the eight that are reserved
    CHECK(cost.run.idle_gpus == 2);
    CHECK(cost.run.idle_cores == 164);
    CHECK(cost.run.kind_hours == std::map<std::string, double>{{"cpu", 4}, {"gpu", 4}});
    CHECK(cost.components[0].why_no_node_hours.empty());
    CHECK(cost.run.why_no_gpu_hours.empty());
}

TEST_CASE("cost: a component that ends earlier pays for its own time") {
    CoupledRun run = two_kinds();
    run.components[0].last_terminate = 3'600'000'000'000;
    const RunCost cost = cost_of(run);
    CHECK(cost.components[0].core_hours == Approx(8));
    CHECK(cost.components[0].node_hours == Approx(2));
    CHECK(cost.components[0].gpu_hours == Approx(6));
    CHECK(cost.run.node_hours == Approx(8));
}

TEST_CASE("cost: halves of the same node, whose GPUs one of them has") {
    CoupledRun run;
    run.run.wall_s = 3600;
    run.run.cores = 64;
    run.meters.nodes = {node("", 64, 60, 4)};
    run.components = {component("atmosphere", 1, 0, 4, {0}, {4}, 4), component("ocean", 2, 4, 56, {0}, {56}, 0)};
    for (Component &c : run.components)
        c.last_terminate = 3'600'000'000'000;
    const RunCost cost = cost_of(run);
    CHECK(cost.components[0].node_hours == Approx(4.0 / 60));
    CHECK(cost.components[1].node_hours == Approx(56.0 / 60));
    CHECK(cost.components[0].gpu_hours == Approx(4));
    CHECK(cost.components[1].gpu_hours == 0);
    CHECK(cost.components[0].idle_gpus == 0);
    CHECK(cost.components[1].idle_gpus == -1); // the atmosphere has them
    CHECK(cost.run.idle_gpus == 0);
    CHECK(cost.components[0].idle_cores == 4); // of the node, whoever is on it
    CHECK(cost.run.idle_cores == 4);
    const std::vector<SharedPlaces> shared = shared_nodes(run);
    REQUIRE(shared.size() == 1);
    CHECK(shared[0].components == std::vector<std::size_t>{0, 1});
    CHECK(shared[0].count == 1);
}

TEST_CASE("cost: what is not known is no figure, and has a reason") {
    CoupledRun run = two_kinds();
    run.components[1].gpus.count = -1;
    run.components[1].gpus.why_missing = "the driver does not answer";
    run.components[1].processes_on_nodes.clear();
    run.meters.nodes[2].installed_cores = 0;
    const RunCost cost = cost_of(run);
    CHECK(std::isnan(cost.components[1].gpu_hours));
    CHECK(cost.components[1].why_no_gpu_hours == "the driver does not answer");
    CHECK(std::isnan(cost.components[1].node_hours));
    CHECK(cost.components[1].why_no_node_hours ==
          "it shares nodes, and the files of this run do not tell how many of its processes are on each");
    CHECK(cost.components[1].kind_hours.empty());
    CHECK(std::isnan(cost.components[2].node_hours)); // it shares with one that is not counted
    CHECK(cost.components[1].idle_cores == -1);
    CHECK(cost.run.idle_cores == -1);
    CHECK(cost.run.idle_gpus == -1);
    CHECK(cost.run.node_hours == Approx(8));
    run.components[0].on_nodes = {0, 9}; // no such node
    const RunCost wrong = cost_of(run);
    CHECK(std::isnan(wrong.run.node_hours));
    CHECK(wrong.run.why_no_node_hours == "the files of this run do not tell on which nodes its processes were");
    CHECK(wrong.components[0].idle_cores == -1);
    CHECK(wrong.components[0].core_hours == Approx(16));
    run.sources = {{"run.wall_s", "timer"}};
    run.run.cores = 0;
    const RunCost timers = cost_of(run);
    CHECK(timers.run.why_no_node_hours == "the timers do not tell on which nodes the processes were");
    CHECK(timers.components[0].why_no_core_hours == "the timers do not tell the number of cores");
    CHECK(timers.run.why_no_core_hours == "the number of cores is not known");
    const RunCost none = cost_of(CoupledRun{});
    CHECK(std::isnan(none.run.core_hours));
    CHECK(std::isnan(none.run.node_hours));
    CHECK(std::isnan(none.run.gpu_hours));
}

TEST_CASE("cost: more processes than cores leave none idle, and unknown GPUs are not none") {
    CoupledRun run = two_kinds();
    run.meters.nodes[0].cores = 100;
    run.meters.nodes[1].gpus_known = false;
    const RunCost cost = cost_of(run);
    CHECK(cost.components[0].idle_cores == 68);
    CHECK(cost.components[0].idle_gpus == -1);
    CHECK(cost.run.idle_gpus == -1);
    CHECK(cost.run.gpu_hours == Approx(12)); // those that the components use
}

TEST_CASE("cost: the energy of the half without GPUs") {
    CoupledRun run = two_kinds();
    run.components[0].meters.energy_J = 1000;
    run.components[0].meters.gpu_J = 700;
    run.components[1].meters.energy_J = 1000;
    const RunCost cost = cost_of(run);
    CHECK(cost.components[0].host_J == Approx(300));
    CHECK(std::isnan(cost.components[1].host_J));
    CHECK(std::isnan(cost.run.host_J));
}

TEST_CASE("cost: prices") {
    const RunCost cost = cost_of(two_kinds());
    CHECK(price_of(cost.components[0], read_prices("gpu=12,cpu=1")) == Approx(160)); // 12 x 12 + 16
    CHECK(price_of(cost.run, read_prices("node=0.5")) == Approx(4));
    CHECK(price_of(cost.components[0], read_prices("gpu=0,cpu=2")) == Approx(32));
    CHECK(price_of(cost.run, read_prices("gpu=0,cpu=0")) == 0);
    CHECK(price_of(cost.components[1], {{"cpu", 1}, {"node", 2}}) == Approx(392 + 7)); // 196 x 2, 3.5 x 2
    // KIND-node: node hours of this kind.
    const Prices by_kind = read_prices("cpu-node=2,gpu-node=10");
    const CoupledRun run = two_kinds();
    CHECK_NOTHROW(check_prices(by_kind, run));
    CHECK(price_of(cost_of(run).run, by_kind) == Approx(48)); // 4 x 2 + 4 x 10
    CHECK(price_of(cost_of(run).components[0], by_kind) == Approx(40));
    Cost unknown_gpus = cost.run;
    unknown_gpus.gpu_hours = unknown;
    CHECK(std::isnan(price_of(unknown_gpus, read_prices("gpu=12,cpu=1"))));
    CHECK(price_of(unknown_gpus, read_prices("cpu=1")) == Approx(800));
}

TEST_CASE("cost: prices that are none") {
    const auto error = [](const char *text) {
        try {
            check_prices(read_prices(text), two_kinds());
        } catch (const std::invalid_argument &e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(error("gpu=12,cpu=1").empty());
    CHECK(error("gpu=-1") == "a price cannot be negative: 'gpu=-1'");
    for (const char *text : {"gpu", "gpu=", "=3", "gpu=1e", "gpu=nan", "gpu=inf", "", "gpu=1,"})
        CHECK(error(text).starts_with("not a unit and its price, as in gpu=12,cpu=1: "));
    CHECK(error("gpu=1,gpu=2") == "two prices of one unit: 'gpu'");
    CHECK(error("tpu=1") == "no unit 'tpu' in this run; there are: cpu, gpu, node, gpu-node, cpu-node");
    CHECK(error("tpu-node=1").starts_with("no unit 'tpu-node' in this run; "));
}
