// MPI inside the components goes through load_balancing_info.json and comes back; what was not recorded is null.
#include "io/json/info_json.hpp"
#include "tests/inside_run.hpp"
#include "tests/json.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;

namespace {

// As it is written; what is read of that and written again is the same text.
json written(const CoupledRun &run) {
    const std::string text = info_json(run);
    CHECK(info_json(run_from_json("x.json", text)) == text);
    return json::parse(text);
}

} // namespace

TEST_CASE("efficiencies and time in MPI in the json") {
    const json info = written(test::inside_run());
    const json &ocean = info.at("components").at(0);
    CHECK(ocean.at("efficiency").at("total") == Approx(0.5));
    CHECK(ocean.at("efficiency").at("coupling") == Approx(0.8));
    CHECK(ocean.at("efficiency").at("inside") == Approx(0.625));
    CHECK(ocean.at("efficiency").at("load_balance") == Approx(5. / 6));
    CHECK(ocean.at("efficiency").at("communication") == Approx(0.75));
    CHECK(ocean.at("mpi").at("point_to_point_s") == 2); // the mean of 1.5 and 2.5
    CHECK(ocean.at("mpi").at("collective_s") == 0.75);
    CHECK(ocean.at("mpi").at("one_sided_s") == 0);
    CHECK(info.at("components").at(1).at("mpi").at("files_s") == 0.5); // 1.5 / 3
    CHECK(ocean.at("mpi").at("point_to_point").at("calls") == 1200);
    CHECK(ocean.at("mpi").at("point_to_point").at("max") == 2.5);
    CHECK(ocean.at("mpi").at("why_not").is_null());
    CHECK(info.at("run").at("efficiency").at("total") == Approx(23.5 / 80));
    CHECK(info.at("run").at("efficiency").at("coupling") == Approx(31. / 80));
    CHECK(info.at("run").at("efficiency").at("inside") == Approx(23.5 / 31));
}

TEST_CASE("MPI not recorded: the coupling alone, and the rest null") {
    CoupledRun run = test::inside_run();
    for (Component &c : run.components)
        c.inside = {};
    const json info = written(run);
    for (const char *name : {"total", "inside", "load_balance", "communication"}) {
        CHECK(info.at("components").at(0).at("efficiency").at(name).is_null());
    }
    CHECK(info.at("components").at(0).at("efficiency").at("coupling") == Approx(0.8));
    CHECK(info.at("run").at("efficiency").at("coupling") == Approx(31. / 80));
    CHECK(info.at("run").at("efficiency").at("total").is_null());
    const json &mpi = info.at("components").at(0).at("mpi");
    CHECK(mpi.size() == 4);
    for (const char *name : {"point_to_point_s", "collective_s", "one_sided_s", "files_s"})
        CHECK(mpi.at(name).is_null());
}

TEST_CASE("who talks to whom, and the messages of fields, come back from the json") {
    CoupledRun run = test::inside_run();
    test::add_traffic(run.components[1]);
    run.components[1].fields = {{"sst", "ocean", 3, 800}, {"wind", "", 1, 8}};
    const json info = written(run);
    CHECK_FALSE(info.at("components").at(0).at("mpi").contains("traffic"));
    CHECK_FALSE(info.at("components").at(0).contains("fields"));
    const json &traffic = info.at("components").at(1).at("mpi").at("traffic");
    CHECK(traffic.at("groups") == 3);
    CHECK(traffic.at("from") == json({0, 0, 2}));
    CHECK(traffic.at("to") == json({1, 2, 0}));
    CHECK(traffic.at("messages") == json({400, 0, 20}));
    CHECK(traffic.at("bytes") == json({3145728, 0, 1048576}));
    CHECK(traffic.at("waited_s") == json({1.5, 0.5, 0.25}));
    CHECK(traffic.at("waited_for").at(0).at("process") == 0);
    CHECK(traffic.at("waited_for").at(0).at("in_loop_s") == 3);
    const json &fields = info.at("components").at(1).at("fields");
    CHECK(fields.at(0).at("message_bytes") == 800);
    CHECK(fields.at(1).at("counterpart").is_null());
}

TEST_CASE("groups that cannot be are not read") {
    CoupledRun run = test::inside_run();
    test::add_traffic(run.components[1]);
    json info = json::parse(info_json(run));
    json &traffic = info["components"][1]["mpi"]["traffic"];
    traffic["to"][1] = 3;
    traffic["messages"][2] = "many";
    const InsideTraffic read = run_from_json("x.json", info.dump()).components[1].inside.traffic;
    REQUIRE(read.pairs.size() == 2);
    CHECK(read.pairs[0].to == 1);
    CHECK(read.pairs[1].from == 2);
    CHECK(read.pairs[1].messages == 0);
    traffic["groups"] = 65;
    CHECK_FALSE(run_from_json("x.json", info.dump()).components[1].inside.traffic.known());
    traffic["groups"] = -1;
    CHECK_FALSE(run_from_json("x.json", info.dump()).components[1].inside.traffic.known());
}

// 4,096 pairs each: the page has those of the first four.
TEST_CASE("a page stays small, whoever talks to whom") {
    CoupledRun run = test::inside_run();
    run.components.resize(1);
    InsideTraffic &traffic = run.components[0].inside.traffic;
    traffic.groups = 64;
    for (std::int32_t i = 0; i < 64 * 64; ++i)
        traffic.pairs.push_back({i / 64, i % 64, 1, 1, 0});
    run.components.resize(6, run.components[0]);
    const json whole = json::parse(info_json(run)), small = json::parse(info_json(run, InfoDetail::figures));
    for (std::size_t c = 0; c < 6; ++c) {
        CHECK(whole.at("components").at(c).at("mpi").contains("traffic"));
        CHECK(small.at("components").at(c).at("mpi").contains("traffic") == (c < 4));
    }
}

TEST_CASE("MPI inside the components comes back from the json") {
    CoupledRun run = test::inside_run();
    run.components[0].inside.of_whole_run = true;
    run.components[1].inside = {};
    run.components[1].inside.why_not = "MPI was recorded on 1 of its 3 processes only";
    const std::string text = info_json(run);
    const CoupledRun back = run_from_json("x.json", text);
    const ComponentInside &ocean = back.components[0].inside;
    CHECK(ocean.known());
    CHECK(ocean.of_whole_run);
    CHECK(ocean.length_s == 10);
    CHECK(ocean.useful_s.max == 6);
    CHECK(ocean.in_class_s[0].sum == 4);
    CHECK(ocean.calls[1] == 34);
    CHECK_FALSE(back.components[1].inside.known());
    CHECK(back.components[1].inside.why_not == "MPI was recorded on 1 of its 3 processes only");
    CHECK(info_json(back) == text);
}
