// Who sits on which node, and the coupling fields with their bytes, as the page gets them. By hand.
#include "page/page_json.hpp"
#include "tests/json.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

Component on_nodes(const char *name, int processes, std::vector<std::int32_t> nodes,
                   std::vector<std::int32_t> counts) {
    Component c;
    c.name = name;
    c.ranks.resize(static_cast<std::size_t>(processes));
    c.nodes = static_cast<std::int32_t>(nodes.size());
    c.on_nodes = std::move(nodes);
    c.processes_on_nodes = std::move(counts);
    return c;
}

CoupledRun run_of(std::vector<Component> components, const std::vector<std::string> &nodes) {
    CoupledRun run;
    run.clock.nodes = static_cast<std::int32_t>(nodes.size());
    for (const std::string &name : nodes)
        run.meters.nodes.emplace_back().name = name;
    for (Component &c : components) {
        c.id = static_cast<std::int32_t>(run.component_names.size()) + 1;
        run.component_names.push_back(c.name);
        run.run.processes += static_cast<std::int64_t>(c.ranks.size());
        run.run.cores += c.cores();
    }
    run.components = std::move(components);
    return run;
}

nlohmann::json parsed(const JsonTree &tree) {
    return nlohmann::json::parse(tree.dump(-1));
}

using Pairs = std::vector<std::vector<int>>;

} // namespace

TEST_CASE("nodes with the same processes are one kind, in the order in which they come") {
    // Two nodes of 2 + 2 processes around one of 4: ocean 4 on the first and the last, atmosphere on all.
    const auto layout = parsed(
        layout_json(run_of({on_nodes("ocean", 4, {0, 2}, {2, 2}), on_nodes("atmosphere", 8, {0, 1, 2}, {2, 4, 2})},
                           {"n1", "n2", "n3"})));
    CHECK(layout.at("why_not").is_null());
    REQUIRE(layout.at("kinds").size() == 2);
    CHECK(layout.at("kinds")[0].at("count") == 2);
    CHECK(layout.at("kinds")[0].at("names") == nlohmann::json{"n1", "n3"});
    CHECK(layout.at("kinds")[0].at("of") == Pairs{{0, 2}, {1, 2}});
    CHECK(layout.at("kinds")[1].at("of") == Pairs{{1, 4}});
    CHECK(layout.at("not_counted") == false);
    CHECK(layout.at("in_turn") == false);
    CHECK(layout.at("unassigned_cores") == 0);
}

TEST_CASE("nodes of other kinds stand apart, with their GPUs and the cores that nobody uses") {
    CoupledRun run = run_of({on_nodes("ocean", 6, {0, 1, 2}, {2, 2, 2})}, {"n1", "n2", "n3"});
    for (NodeMeters &node : run.meters.nodes) {
        node.kind = "gpu";
        node.installed_cores = 8;
        node.cores = 2;
        node.gpus.resize(2);
        node.gpus[0].kind = "H100";
    }
    run.meters.nodes[1].kind = "cpu";
    run.meters.nodes[1].gpus.clear();
    run.meters.nodes[1].installed_cores = 0;
    const auto layout = parsed(layout_json(run));
    REQUIRE(layout.at("kinds").size() == 2);
    CHECK(layout.at("kinds")[0].at("count") == 2);
    CHECK(layout.at("kinds")[0].at("kind") == "gpu");
    CHECK(layout.at("kinds")[0].at("gpus") == nlohmann::json{"H100", "GPU"});
    CHECK(layout.at("kinds")[0].at("idle_cores") == 6); // 8 - 2
    CHECK(layout.at("kinds")[1].at("kind") == "cpu");
    CHECK(layout.at("kinds")[1].at("gpus").empty());
    CHECK(layout.at("kinds")[1].at("idle_cores").is_null());
}

TEST_CASE("files without counts: one node, nodes of one component, and nodes that are shared") {
    // All on one node.
    CoupledRun run = run_of({on_nodes("ocean", 2, {}, {}), on_nodes("atmosphere", 3, {0}, {})}, {"vm"});
    run.components[0].nodes = 1;
    run.run.cores = 8;
    auto layout = parsed(layout_json(run));
    REQUIRE(layout.at("kinds").size() == 1);
    CHECK(layout.at("kinds")[0].at("of") == Pairs{{0, 2}, {1, 3}});
    CHECK(layout.at("unassigned_cores") == 3); // 8 - 2 - 3
    // The second node is the ocean's own: the 5 processes there are its. The first is shared.
    run = run_of({on_nodes("ocean", 6, {0, 1}, {}), on_nodes("ice", 2, {0, 2}, {1, 2})}, {"a", "b", "c"});
    run.meters.nodes[1].processes = 5;
    layout = parsed(layout_json(run));
    REQUIRE(layout.at("kinds").size() == 3);
    CHECK(layout.at("kinds")[0].at("of").dump() == "[[0,null],[1,null]]"); // 1 + 2 are not ice's 2: no count
    CHECK(layout.at("kinds")[1].at("of") == Pairs{{0, 5}});
    CHECK(layout.at("not_counted") == true);
}

TEST_CASE("nothing is told of nodes that are not known") {
    auto layout = parsed(layout_json(run_of({on_nodes("ocean", 2, {}, {})}, {})));
    CHECK(layout.at("why_not") == "the files of this run do not tell on which nodes its processes were");
    // A place that no node has, and one component more.
    CoupledRun run = run_of({on_nodes("ocean", 2, {7}, {2}), on_nodes("ice", 2, {0}, {2})}, {"a"});
    layout = parsed(layout_json(run));
    CHECK(layout.at("without") == nlohmann::json{"ocean"});
    REQUIRE(layout.at("kinds").size() == 1);
    CHECK(layout.at("kinds")[0].at("of") == Pairs{{1, 2}});
    run.sources = {{"figure", "timer"}};
    run.components[1].on_nodes = {-1};
    CHECK(parsed(layout_json(run)).at("why_not") == "the timers do not tell on which nodes the processes were");
}

TEST_CASE("names that count up are a range from three on") {
    CHECK(ranges_of_names({"nid0009", "nid0010", "nid0011", "nid0013", "gpu1", "gpu2"}) ==
          std::vector<std::string>{"nid0009 to nid0011", "nid0013", "gpu1", "gpu2"});
    CHECK(ranges_of_names({"n9", "n10", "n11"}) == std::vector<std::string>{"n9", "n10", "n11"}); // other widths
    CHECK(ranges_of_names({"7", "8", "9", "x"}) == std::vector<std::string>{"7 to 9", "x"});
    CHECK(ranges_of_names({}).empty());
}

TEST_CASE("a field has the times of both its ends, and the sender's bytes") {
    CoupledRun run = run_of({on_nodes("ocean", 1, {}, {}), on_nodes("atmosphere", 1, {}, {})}, {});
    run.component_names.emplace_back("river"); // not recorded
    run.field_names = {"SST", "runoff"};
    constexpr Nanoseconds s = 1'000'000'000;
    const auto span = [](Nanoseconds start, Nanoseconds last, Nanoseconds stop) {
        return EventSpan{start, last, stop, 1};
    };
    // Two PUTs of 1 and 2 s after the last process came, a GET of 4 s, and a MAP that is no exchange.
    run.components[0].table.keys = {{Kind::put, 1, 2}, {Kind::map, 1, 0}, {Kind::put, 1, 2}, {Kind::get, 2, 3}};
    run.components[0].table.spans = {span(0, 1 * s, 2 * s), span(2 * s, 2 * s, 9 * s), span(9 * s, 9 * s, 11 * s),
                                     span(11 * s, 11 * s, 11 * s)};
    run.components[1].table.keys = {{Kind::get, 1, 1}};
    run.components[1].table.spans = {span(0, 0, 4 * s)};
    // The sender does not name a target for the second part: SST has only one way from the ocean.
    run.components[0].fields = {
        {"SST", "atmosphere", 5, 3'000'000}, {"SST", "", 1, 145'728}, {"only bytes", "", 1, 10}};
    const auto fields = parsed(fields_json(run));
    REQUIRE(fields.at("rows").size() == 3);
    CHECK(fields.at("rows")[0] == nlohmann::json{{"field", "SST"},
                                                 {"source", "ocean"},
                                                 {"target", "atmosphere"},
                                                 {"exchanges", 2},
                                                 {"put_s", 3.0},
                                                 {"get_s", 4.0},
                                                 {"messages", 6},
                                                 {"bytes", 3'145'728}});
    CHECK(fields.at("rows")[1].at("field") == "only bytes");
    CHECK(fields.at("rows")[1].at("put_s").is_null());
    CHECK(fields.at("rows")[1].at("target") == "(not known)");
    CHECK(fields.at("rows")[2].at("source") == "river");
    CHECK(fields.at("rows")[2].at("get_s") == 0.0);
    CHECK(fields.at("rows")[2].at("bytes").is_null()); // null, and not 0
    CHECK(fields.at("left_out") == 0);
}
