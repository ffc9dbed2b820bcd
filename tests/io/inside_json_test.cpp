// MPI inside the components goes through load_balancing_info.json and comes back; what was not recorded is null.
#include "io/json/info_json.hpp"
#include "tests/inside_run.hpp"
#include "tests/json.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;

TEST_CASE("efficiencies and time in MPI in the json") {
    const json info = json::parse(info_json(test::inside_run()));
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
    const json info = json::parse(info_json(run));
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
    const CoupledRun back = run_from_json("x.json", info_json(run));
    CHECK_FALSE(back.components[0].inside.known());
    CHECK(info_json(back) == info_json(run));
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
