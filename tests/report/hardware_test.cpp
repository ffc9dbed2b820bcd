// "What the components run on": the table, and the sentences below it.
#include "report/text_sections.hpp"
#include "tests/report/example_run.hpp"
#include "tests/report/sentence_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// One hour: the atmosphere on one node with GPUs, ocean and server together on another one.
CoupledRun two_kinds() {
    constexpr Nanoseconds hour = 3'600'000'000'000;
    CoupledRun run;
    run.run.wall_s = 3600;
    run.run.cores = 136;
    run.component_names = {"atmosphere", "ocean", "server"};
    run.components = {test::component("atmosphere", 1, 0, 4, hour), test::component("ocean", 2, 4, 96, hour),
                      test::component("server", 3, 100, 32, hour)};
    run.meters.nodes.resize(2);
    run.meters.nodes[0].kind = "72 cores + 4 x H100";
    run.meters.nodes[0].installed_cores = 72;
    run.meters.nodes[0].cores = 4;
    run.meters.nodes[0].gpus.resize(4);
    run.meters.nodes[1].kind = "128 cores";
    run.meters.nodes[1].installed_cores = run.meters.nodes[1].cores = 128;
    for (NodeMeters &node : run.meters.nodes)
        node.gpus_known = true;
    for (Component &c : run.components) {
        c.nodes = 1;
        c.on_nodes = {c.id == 1 ? 0 : 1};
        c.processes_on_nodes = {static_cast<std::int32_t>(c.ranks.size())};
        c.gpus.count = c.id == 1 ? 3 : 0;
    }
    return run;
}

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("what components run on: hours, kinds, and who shares") {
    const std::string text = hardware_table(two_kinds());
    INFO(text);
    CHECK(has(text, "72 cores + 4 x H100\n"));
    // 96 / 128 and 32 / 128 of a node hour.
    CHECK(has(text, "0.750"));
    CHECK(has(text, "0.250"));
    const std::size_t at = text.find("ocean and server share 1 node.");
    REQUIRE(at != std::string::npos);
    std::string words = text.substr(at);
    std::replace(words.begin(), words.end(), '\n', ' ');
    words.pop_back();
    const std::vector<test::ReadSentence> read = test::read_sentences(words);
    REQUIRE(read.size() == 3);
    CHECK(read[0].id == "nodes_shared");
    CHECK(read[1].id == "cores_reserved_idle");
    CHECK(read[1].figures.at("cores") == "68 cores"); // 72 - 4
    CHECK(read[1].figures.at("names") == "atmosphere");
    CHECK(read[2].id == "gpus_reserved_idle");
    CHECK(read[2].figures.at("gpus") == "1 GPU");
}

TEST_CASE("what components run on: idle cores of the same nodes are told once") {
    CoupledRun run = two_kinds();
    run.meters.nodes[1].installed_cores = 130; // 128 have processes of ocean and server
    const std::string text = hardware_table(run);
    INFO(text);
    CHECK(has(text, "Reserved and idle on the nodes of ocean and server: 2 cores."));
    CHECK(text.find("2 cores.") == text.rfind("2 cores."));
}

TEST_CASE("what components run on: nothing without nodes and GPUs, reasons once") {
    CHECK(hardware_table(test::appendix3()).empty());
    CoupledRun run = two_kinds();
    for (Component &c : run.components)
        c.gpus.count = -1;
    const std::string text = hardware_table(run);
    INFO(text);
    CHECK_FALSE(has(text.substr(0, text.find('\n')), "GPUs")); // a column without figures
    CHECK(has(text, "GPUs it uses is not known)\n"));
    CHECK(text.find("not known)") == text.rfind("not known)"));
    run.components[0].gpus.shared_with = {2};
    CHECK(has(hardware_table(run), "atmosphere and ocean share GPUs."));
}

TEST_CASE("node hours and GPU hours of a simulated year stand behind CHSY, if they are known") {
    CoupledRun run = two_kinds();
    run.run.simulated_s = 31'536'000.0 / 2; // half a year
    CHECK_FALSE(has(cpmip_text(run), "Node hours"));
    run.cpmip.node_hours = 4; // 2 nodes, one hour, for half a year
    run.cpmip.gpu_hours = 0;
    CHECK(has(cpmip_text(run), "Node hours"));
    CHECK_FALSE(has(cpmip_text(run), "GPU hours"));
    run.cpmip.gpu_hours = 8;
    CHECK(has(cpmip_text(run), "GPU hours"));
}
