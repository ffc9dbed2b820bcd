// Which GPUs components use, and how busy these are in their loops.
#include "run/live/gpus_gather.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/steps/own_meters.hpp"

#include "analysis/waiting_share.hpp"
#include "report/text_sections.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

using namespace cpl_lb;

namespace {

std::string uuid(int number) {
    return "GPU-" + std::to_string(number);
}

// A node with GPUs that all loops of components 1 and 2 keep busy by `busy`, and clocked by half.
GpusOfNode node_with(int gpus, int first = 0, double busy = 0.25) {
    GpusOfNode node;
    node.known = true;
    for (int i = 0; i < gpus; ++i)
        node.gpus.push_back({{"H100", uuid(first + i)}, {{1, busy + 0.5 * i, 0.5, ""}, {2, busy, 0.5, ""}}});
    return node;
}

ProcessGpus by_driver(std::vector<std::string> uuids) {
    ProcessGpus gpus;
    gpus.told = true;
    gpus.uuids = std::move(uuids);
    return gpus;
}

ProcessGpus by_environment(std::vector<std::string> visible, const std::string &from, bool of_job = false) {
    ProcessGpus gpus;
    gpus.visible = std::move(visible);
    gpus.visible_from = gpus.visible.empty() ? "" : from;
    gpus.of_job = of_job;
    return gpus;
}

// Ocean (1) and atmosphere (2) on these nodes.
CoupledRun run_on(const std::vector<GpusOfNode> &nodes, const std::vector<GpuUse> &uses, std::int64_t given = -1) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    for (const char *name : {"ocean", "atmosphere"}) {
        Component &c = run.components.emplace_back();
        c.name = name;
        c.id = static_cast<std::int32_t>(run.components.size());
    }
    run.meters.energy_wanted = true;
    run.meters.nodes.resize(nodes.size());
    std::vector<GpuUse> united;
    for (const GpuUse &use : uses)
        unite(united, {use});
    enter_gpus(nodes, united, given, run);
    return run;
}

} // namespace

TEST_CASE("gpus: each counts once, whoever of the component uses it") {
    const CoupledRun run = run_on({node_with(2), node_with(2, 2)},
                                  {use_of(1, 0, by_driver({uuid(0)})), use_of(1, 0, by_driver({uuid(0)})),
                                   use_of(1, 1, by_driver({uuid(2), uuid(3)})), use_of(2, 0, by_driver({uuid(0)})),
                                   use_of(2, 1, by_driver({}))});
    const ComponentGpus &ocean = run.components[0].gpus, &atmosphere = run.components[1].gpus;
    CHECK(ocean.count == 3);
    CHECK(ocean.kind == "H100");
    CHECK(ocean.from == "the driver");
    CHECK(ocean.busy_share == Approx((0.25 + 0.25 + 0.75) / 3));
    CHECK(ocean.clock_share == Approx(0.5));
    CHECK(ocean.shared_with == std::vector<std::int32_t>{2});
    CHECK(atmosphere.count == 1);
    CHECK(atmosphere.shared_with == std::vector<std::int32_t>{1});
    CHECK(run.meters.nodes[1].gpus_known);
    CHECK(run.meters.nodes[1].gpus[1].uuid == uuid(3));
}

TEST_CASE("gpus: processes that opened no GPU use none, and so do those of nodes without any") {
    GpusOfNode none;
    none.known = true;
    const CoupledRun run =
        run_on({node_with(4), none}, {use_of(1, 0, by_driver({})), use_of(2, 1, by_environment({}, ""))});
    for (const Component &c : run.components) {
        CHECK(c.gpus.count == 0);
        CHECK(c.gpus.from == "the driver");
        CHECK(c.gpus.why_missing.empty());
    }
    CHECK(gpu_sentences(run).empty());
}

TEST_CASE("gpus: the environment tells where it names fewer than the node has") {
    const CoupledRun run =
        run_on({node_with(4)}, {use_of(1, 0, by_environment({"0", "1"}, "CUDA_VISIBLE_DEVICES")),
                                use_of(2, 0, by_environment({"0", "1", "2", "3"}, "CUDA_VISIBLE_DEVICES"))});
    CHECK(run.components[0].gpus.count == 2);
    CHECK(run.components[0].gpus.from == "CUDA_VISIBLE_DEVICES");
    CHECK(run.components[0].gpus.busy_share == Approx(0.5)); // 0.25 and 0.75
    CHECK(run.components[1].gpus.count == -1);
    CHECK(run.components[1].gpus.why_missing ==
          "neither the driver nor the environment tells which GPUs its processes use: set nn_gpus");
    // Each process may use one of two: together they use both.
    const CoupledRun each = run_on({node_with(2)}, {use_of(1, 0, by_environment({"0"}, "CUDA_VISIBLE_DEVICES")),
                                                    use_of(1, 0, by_environment({"1"}, "CUDA_VISIBLE_DEVICES"))});
    CHECK(each.components[0].gpus.count == 2);
    // A batch system's list does, and so does a UUID, also one that is cut.
    const CoupledRun other =
        run_on({node_with(2)}, {use_of(1, 0, by_environment({"0", "1"}, "SLURM_JOB_GPUS", true)),
                                use_of(2, 0, by_environment({"GPU-1"}, "CUDA_VISIBLE_DEVICES"))});
    CHECK(other.components[0].gpus.count == 2);
    CHECK(other.components[1].gpus.shared_with == std::vector<std::int32_t>{1});
}

TEST_CASE("cores of nodes by PBS_NODEFILE") {
    const test::TemporaryFolder folder;
    const std::string file = folder / "nodes";
    std::ofstream(file) << "n1\nn1\nn1\nn2\nn2\nn2\n";
    std::map<std::string, std::string> variables = {{"PBS_NP", "6"}, {"PBS_NODEFILE", file}};
    const auto get = [&](const char *name) {
        const auto at = variables.find(name);
        return at == variables.end() ? nullptr : at->second.c_str();
    };
    const auto cores = [&](std::int32_t first, std::int32_t second) {
        std::vector<NodeMeters> nodes(2);
        nodes[0].name = "n1";
        nodes[1].name = "n2.site.org";
        nodes[0].installed_cores = first;
        nodes[1].installed_cores = second;
        enter_torque_cores(get, nodes);
        return std::pair(nodes[0].installed_cores, nodes[1].installed_cores);
    };
    CHECK(cores(8, 4) == std::pair(3, 3));
    CHECK(cores(8, 2) == std::pair(3, 2)); // three hardware threads of two cores
    CHECK(cores(0, 4) == std::pair(0, 3));
    for (const std::string none : {"/no/such/file", "/dev/zero", "/"}) {
        variables["PBS_NODEFILE"] = none;
        CHECK(cores(8, 4) == std::pair(8, 4));
    }
}

TEST_CASE("gpus: nn_gpus where nothing else tells, on each node") {
    const GpusOfNode unknown_node;
    const CoupledRun run = run_on(
        {unknown_node, unknown_node},
        {use_of(1, 0, by_environment({}, "")), use_of(1, 1, by_environment({}, "")), use_of(2, 1, by_driver({}))}, 3);
    CHECK(run.components[0].gpus.count == 6);
    CHECK(run.components[0].gpus.from == "nn_gpus");
    CHECK(run.components[1].gpus.count == 0);
    CHECK(run.meters.nodes[0].gpus_known);
    CHECK(run.meters.nodes[0].gpus.size() == 3);
    const CoupledRun without = run_on({unknown_node}, {use_of(1, 0, by_environment({}, ""))});
    CHECK(without.components[0].gpus.count == -1);
    CHECK_FALSE(without.meters.nodes[0].gpus_known);
    CHECK(without.components[1].gpus.why_missing == "its processes read no meters (ln_rss and ln_energy are off)");
}

TEST_CASE("gpus: half of the utilisation is no figure") {
    std::vector<GpusOfNode> nodes = {node_with(2)};
    nodes[0].gpus[1].loops[0] = {1, unknown, unknown, "it is divided"};
    const CoupledRun run =
        run_on(nodes, {use_of(1, 0, by_driver({uuid(0), uuid(1)})), use_of(2, 0, by_driver({uuid(0), uuid(7)}))});
    CHECK(run.components[0].gpus.count == 2);
    CHECK_FALSE(is_known(run.components[0].gpus.busy_share));
    CHECK(run.components[0].gpus.why_missing == "it is divided");
    // A GPU that the node's first process does not see.
    CHECK(run.components[1].gpus.count == 2);
    CHECK(run.components[1].gpus.why_missing ==
          "the process that reads the meters of the node does not see all GPUs of this component");
    CHECK(run.meters.nodes[0].gpus.size() == 3);
}

// 12 samples, one each second: busy for half of the first 6 s and for all of the rest. The loop from 2 s to 10 s:
// 2 s + 4 s of 8 s.
TEST_CASE("gpus: busy seconds of the loop, by lines between samples") {
    ProcessMeters::NodeGpuSamples gpu;
    for (int s = 0; s <= 12; ++s) {
        gpu.busy_s.push_back({from_seconds(s), s <= 6 ? 0.5 * s : 3.0 + (s - 6)});
        gpu.clock.push_back({from_seconds(s), s <= 6 ? 0.5 : 1.0});
    }
    GpuInLoop share = in_loop(gpu, 1, {from_seconds(1.5), from_seconds(11.5)});
    // 0.75 s to 8.5 s of 10 s.
    CHECK(share.busy_share == Approx(0.775));
    // From 2 s to 11 s: 4 s of 0.5, 1 s of 0.75, 4 s of 1.
    CHECK(share.clock_share == Approx(6.75 / 9));
    CHECK(in_loop(gpu, 1, {}).why_missing == "there is no coupling loop");
    CHECK(in_loop(gpu, 1, {from_seconds(2), from_seconds(10)}).why_missing ==
          "fewer than ten samples of its GPUs fall into the coupling loop: lower rn_sample");
    CHECK(in_loop(gpu, 1, {0, from_seconds(20)}).why_missing ==
          "the utilisation of a GPU is known for a part of the coupling loop only");
    // Lost at 11 s: what is known covers 10.5 of 11.5 s.
    for (std::size_t i = 12; i < gpu.busy_s.size(); ++i)
        gpu.busy_s[i].value = unknown;
    share = in_loop(gpu, 1, {from_seconds(0.5), from_seconds(12)});
    CHECK(share.busy_share == Approx((8 - 0.25) / 10.5));
}

// 70 s of a loop of 100 s; busy for 41 s, or for 90 s.
TEST_CASE("gpus: computing is split into bounds, and told in one sentence") {
    CoupledRun run = run_on({node_with(1)}, {use_of(1, 0, by_driver({uuid(0)}))});
    Component &ocean = run.components[0];
    ocean.balance.loop_s = 100;
    ocean.balance.computing_s = 70;
    ocean.gpus.busy_share = 0.41;
    CHECK(gpu_split(ocean).busy_most_s == Approx(41));
    CHECK(gpu_split(ocean).idle_least_s == Approx(29));
    CHECK(gpu_sentences(run) == "ocean computes 70 % of its coupling loop; its GPU (H100) is busy in 41 % of it,\n"
                                "with a clock of 50 % of the largest.\n"
                                "atmosphere: its GPUs are n/a: its processes read no meters (ln_rss and ln_energy\n"
                                "are off).\n");
    ocean.gpus.busy_share = 0.9;
    CHECK(gpu_split(ocean).busy_most_s == Approx(70));
    CHECK(gpu_split(ocean).idle_least_s == Approx(0));
    ocean.gpus.busy_share = unknown;
    CHECK_FALSE(is_known(gpu_split(ocean).idle_least_s));
}

TEST_CASE("gpus: what goes up the tree comes out of it") {
    GatheredMeters meters;
    meters.nodes.emplace_back().gpus = node_with(2);
    meters.gpu_uses = {use_of(1, 0, by_environment({"3"}, "SLURM_JOB_GPUS", true))};
    const auto read = unpacked<GatheredMeters>(packed(meters), "meters");
    REQUIRE(read.nodes.size() == 1);
    CHECK(read.nodes[0].gpus.known);
    CHECK(read.nodes[0].gpus.gpus[1].gpu.uuid == uuid(1));
    CHECK(read.nodes[0].gpus.gpus[1].loops[0].busy_share == 0.75);
    REQUIRE(read.gpu_uses.size() == 1);
    CHECK(read.gpu_uses[0].visible == std::vector<std::string>{"3"});
    CHECK(read.gpu_uses[0].of_job);
}
