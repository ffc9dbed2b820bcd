// One clock from several: processes whose CLOCK_MONOTONIC really differs (time namespaces), and one that is bent by a
// known offset and drift (a preloaded library). Jitter and waiting must come out as if there were one clock.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using scenario::run;

namespace {

// Within the bound that the run states, at each end of each of the 20 events, and what the scheduler may have put
// between the library's reading and the scenario's own.
void check_against_truth(const scenario::Result &r) {
    REQUIRE(r.exit_code == 0);
    const auto clock = r.info().at("clock");
    CHECK(clock.at("nodes") == 2);
    const double bound = clock.at("error_bound_s").get<double>();
    CHECK(bound < 0.01);
    CHECK(bound > 0.0);
    const double allowed = r.said.at("slack") + 20 * 2 * bound;
    const auto ocean = r.component("ocean");
    CHECK(std::abs(ocean.at("jitter_s").get<double>() - r.said.at("jitter")) <= allowed);
    CHECK(std::abs(ocean.at("waiting_s").get<double>() - r.said.at("waiting")) <= allowed);
    CHECK(clock.at("order_violations") == 0);
    CHECK(r.complaints.empty());
    WARN("clock bound " << bound << " s, jitter off by " << ocean.at("jitter_s").get<double>() - r.said.at("jitter")
                        << " s of " << r.said.at("jitter") << " s, allowed " << allowed << " s");
}

} // namespace

TEST_CASE("processes of one node share one clock") {
    const auto r = run("skewed", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("clock").at("nodes") == 1);
}

TEST_CASE("an offset of 5 s and 20 ppm of drift") {
    check_against_truth(run("skewed", 2,
                            "LD_PRELOAD=" SKEWED_CLOCK " SKEW_RANK=1 SKEW_OFFSET=5 SKEW_PPM=20 "
                            "CPL_LB_CLOCK=gettime"));
}

TEST_CASE("an offset of -3 s on the root, and the time stamp counter") {
    check_against_truth(run("skewed", 2, "LD_PRELOAD=" SKEWED_CLOCK " SKEW_RANK=0 SKEW_OFFSET=-3 SKEW_PPM=0"));
}

TEST_CASE("real time namespaces, 5 s apart") {
    if (std::system("unshare --time --monotonic 5 true 2>/dev/null") != 0) {
        WARN("skipped: no right to make a time namespace here");
        return;
    }
    check_against_truth(run("skewed", 2, "SHIFT_1=5", true, TIME_NAMESPACE_SCRIPT " 1 5"));
}
