// One clock from several: processes whose CLOCK_MONOTONIC really differs (time namespaces), and one that is bent by a
// known offset and drift (a preloaded library). Jitter and waiting must come out as if there were one clock.
#include "balance_check.hpp"
#include "picture_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using scenario::run;

static const scenario::Program program("scenarios");

namespace {

const std::string skewed_clock = scenario::beside("../stubs/libskewed_clock.so") + ":$LD_PRELOAD";

// Within the bound that the run states, at each end of each of the 20 events, and what the scheduler may have put
// between the library's reading and the scenario's own.
void check_against_truth(const scenario::Result &r, int nodes = 2) {
    REQUIRE(r.exit_code == 0);
    const auto clock = r.info().at("clock");
    CHECK(clock.at("nodes") == nodes);
    const double bound = clock.at("error_bound_s").get<double>();
    // How small the bound is depends on the machine. With 0.1 s the figures may be off by 20 x 2 x 0.1 s = 4 s;
    // clocks 5 s apart that nobody brought together would put them off by 20 x 5 s = 100 s.
    CHECK(bound < 0.1);
    CHECK(bound > 0.0);
    const double allowed = r.said.at("slack") + 20 * 2 * bound;
    const auto ocean = r.component("ocean");
    INFO("clock bound " << bound << " s, jitter off by " << ocean.at("jitter_s").get<double>() - r.said.at("jitter")
                        << " s of " << r.said.at("jitter") << " s, allowed " << allowed << " s");
    CHECK(std::abs(ocean.at("jitter_s").get<double>() - r.said.at("jitter")) <= allowed);
    CHECK(std::abs(ocean.at("waiting_s").get<double>() - r.said.at("waiting")) <= allowed);
    CHECK(clock.at("order_violations") == 0);
    CHECK(r.complaints.empty());
}

} // namespace

TEST_CASE("processes of one node share one clock") {
    const auto r = run("skewed", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("clock").at("nodes") == 1);
}

TEST_CASE("an offset of 5 s and 20 ppm of drift") {
    check_against_truth(run("skewed", 2, "LD_PRELOAD=" + skewed_clock + " SKEW_1='5 20' CPL_LB_CLOCK=gettime"));
}

// 0.7 s of a run are too short for 20 ppm to show: with 900 ppm the events are up to 0.6 ms off where nobody takes
// the drift out.
TEST_CASE("a drift that the offset alone does not hide") {
    check_against_truth(run("skewed", 2, "LD_PRELOAD=" + skewed_clock + " SKEW_1='5 900' CPL_LB_CLOCK=gettime"));
}

TEST_CASE("an offset of -3 s on the root, and the time stamp counter") {
    check_against_truth(run("skewed", 2, "LD_PRELOAD=" + skewed_clock + " SKEW_0='-3 0'"));
}

// Rank 3 is two steps of the tree away from the root: its bound is the sum of both.
TEST_CASE("four clocks, each with an offset and a drift of its own") {
    const auto r =
        run("skewed", 4,
            "LD_PRELOAD=" + skewed_clock + " SKEW_1='5 20' SKEW_2='-3 -50' SKEW_3='1000 35' CPL_LB_CLOCK=gettime");
    check_against_truth(r, 4);
    const auto header = scenario::timeline(r, "ocean").header;
    REQUIRE(header.clock_error_bounds_s.size() == 4);
    // The root's clock is the run's: all that is unknown is how long its first reading took.
    CHECK(header.clock_error_bounds_s[0] < header.clock_error_bounds_s[1]);
    const double largest = *std::max_element(header.clock_error_bounds_s.begin(), header.clock_error_bounds_s.end());
    CHECK(r.info().at("clock").at("error_bound_s").get<double>() == Approx(largest).epsilon(1e-9));
}

// No kernel steps CLOCK_MONOTONIC, but a machine that was put to sleep or moved does about that. The run ends well
// and says so, because then no figure with this process in it is worth much.
TEST_CASE("a clock that steps by 100 s, or back by 10, in the middle of the run") {
    for (const std::string step : {"100", "-10"}) {
        INFO(step);
        const auto r =
            run("skewed", 2, "LD_PRELOAD=" + skewed_clock + " SKEW_1='5 0 " + step + "' CPL_LB_CLOCK=gettime");
        REQUIRE(r.exit_code == 0);
        CHECK(r.complaints_with("more than a clock drifts") == 1);
        CHECK(r.complaints_with(step == "100" ? "gained 100 s" : "lost 10 s") == 1);
        const auto ocean = r.component("ocean");
        for (const std::string figure : {"loop_s", "computing_s", "waiting_s", "away_s", "jitter_s"}) {
            INFO(figure);
            CHECK(ocean.at(figure).get<double>() >= 0.0);
        }
        // Every event is there, stepped over or not: 22 GETs and TERM, on both.
        const auto t = scenario::timeline(r, "ocean");
        CHECK(t.header.keys.size() == 23);
        for (const cpl_lb::Row &row : t.rows)
            for (std::size_t k = 0; k < 23; ++k)
                CHECK(row.stop[k] >= row.start[k]);
    }
}

// Two processes of the master's node write their rows themselves, the third's comes in pieces: 40 GETs of at least 1
// ms, one after the other, and TERM, in each row, on one clock.
TEST_CASE("rows of the master's node and of another in one file") {
    for (const std::string setting : {"", " CPL_LB_COMPRESS=1"}) {
        INFO(setting);
        const auto r = run("dated", 3, "LD_PRELOAD=" + skewed_clock + " SKEW_2='7 0' CPL_LB_CLOCK=gettime" + setting);
        REQUIRE(r.exit_code == 0);
        CHECK(r.info().at("clock").at("nodes") == 2);
        const auto t = scenario::timeline(r, "ocean");
        REQUIRE(t.rows.size() == 3);
        REQUIRE(t.header.keys.size() == 41);
        for (const cpl_lb::Row &row : t.rows) {
            for (std::size_t k = 0; k < 40; ++k) {
                CHECK(row.stop[k] - row.start[k] >= 999'000); // rounded to 2^-20 s where compressed
                CHECK(row.stop[k] <= row.start[k + 1] + 1000);
                CHECK(row.start[k] < 5'000'000'000); // not 7 s away
            }
        }
        scenario::check_picture(r, "ocean", 100'000); // compressed times are rounded to 1 microsecond, 80 of them
        CHECK(r.complaints.empty());
    }
}

// On process 0 the end of a PUT and the whole MAP after it often have the same time: by their times the MAP lies
// inside.
TEST_CASE("a clock so coarse on one process that events lie inside others there alone") {
    const auto r =
        run("mapping_after", 3, "LD_PRELOAD=" + skewed_clock + " SKEW_0='0 0 0 0.02' CPL_LB_CLOCK=gettime");
    REQUIRE(r.exit_code == 0);
    const auto t = scenario::timeline(r, "ocean");
    REQUIRE(t.rows.size() == 3);
    int only_there = 0;
    for (std::size_t k = 0; k + 1 < t.header.keys.size(); ++k) {
        if (t.header.keys.what(k).kind != cpl_lb::Kind::put) continue;
        const auto inside = [&](const cpl_lb::Row &row) { return row.stop[k + 1] <= row.stop[k]; };
        only_there += inside(t.rows[0]) && !inside(t.rows[1]) && !inside(t.rows[2]) ? 1 : 0;
    }
    CHECK(only_there > 3);
    scenario::check_balance(r, "ocean");
}

TEST_CASE("real time namespaces, 5 s apart", "[time_namespace]") {
    check_against_truth(run("skewed", 2, "SHIFT_1=5", true, TIME_NAMESPACE_SCRIPT " 1 5"));
}
