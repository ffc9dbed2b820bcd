// Coupling calls in a model with OpenMP: those of the thread that called cpl_lb_init are recorded, wherever they
// stand; those of the other threads are counted and told.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>

static const scenario::Program program("openmp_model");

TEST_CASE("coupling calls around, inside and among the threads of OpenMP regions") {
    const auto r = scenario::run("", 2);
    REQUIRE(r.exit_code == 0);
    REQUIRE(r.said.at("threads") == 4);
    CHECK(r.said.at("sum") == 10 * 499'500); // 10 x (0 + ... + 999)
    CHECK(r.said.at("code") == -8);          // CPL_LB_ETHREAD
    // 10 steps of PUT, MAP, GET and OUT by the first thread, and TERM.
    const auto t = scenario::timeline(r, "ocean");
    CHECK(t.header.keys.size() == 41);
    REQUIRE(t.rows.size() == 2);
    for (const cpl_lb::Row &row : t.rows)
        for (std::size_t k = 0; k < t.header.keys.size(); ++k)
            CHECK(row.stop[k] >= row.start[k]);
    // 2 processes x 10 steps x 3 other threads x (begin and end) of the OUT.
    CHECK(r.complaints.size() == 1);
    CHECK(r.complaints_with("calls from threads other than that of cpl_lb_init, not recorded (120 times") == 1);
}

TEST_CASE("threads take no more cores than their process is bound to") {
    const std::string threads = "OMP_NUM_THREADS=2 ";
    const auto cores = [](const scenario::Result &r, int all, const std::string &from) {
        REQUIRE(r.exit_code == 0);
        const nlohmann::json ocean = r.component("ocean");
        CHECK(ocean.at("threads") == 2);
        CHECK(ocean.at("cores") == all);
        CHECK(ocean.at("nodes") == 1);
        CHECK(r.info().at("run").at("cores") == all);
        CHECK(r.info().at("run").at("cores_from") == from);
        const std::string layout =
            "Layout: ocean: 2 processes x 2 threads on 1 node, " + std::to_string(all) + " cores\n";
        CHECK(scenario::slurp(r.folder / "load_balancing_info.txt").find(layout) != std::string::npos);
    };
    // Bound to nothing: 2 processes x 2 threads. Then both are bound to the first core: it counts for each of them.
    cores(scenario::run("", 2, threads + "OMPI_MCA_hwloc_base_binding_policy=none"), 4, "processes x threads");
    cores(scenario::run("", 2, threads + "OMPI_MCA_hwloc_base_binding_policy=none", true, "taskset -c 0"), 2,
          "processes x cores they are bound to");
}
