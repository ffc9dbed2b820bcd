// The library in real MPI runs whose answer is known: by hand, or by the model's own clock around its sleeps.
#include "balance_check.hpp"
#include "picture_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using scenario::run;

static const scenario::Program program("scenarios");

namespace {

std::size_t events_of(const scenario::Timeline &t, std::size_t process) {
    std::size_t n = 0;
    for (const cpl_lb::Nanoseconds s : t.rows[process].start)
        n += s != cpl_lb::absent ? 1 : 0;
    return n;
}

// By the first of their starts, as whoever reads a timeline expects.
bool in_order_of_start(const scenario::Timeline &t) {
    std::vector<cpl_lb::Nanoseconds> first(t.header.keys.size(), cpl_lb::absent);
    for (const cpl_lb::Row &row : t.rows) {
        for (std::size_t k = 0; k < first.size(); ++k)
            if (row.start[k] != cpl_lb::absent && (first[k] == cpl_lb::absent || row.start[k] < first[k]))
                first[k] = row.start[k];
    }
    return std::is_sorted(first.begin(), first.end());
}

} // namespace

TEST_CASE("an imbalance made by sleeps comes out within 2 % of the sleeps") {
    const auto r = run("imbalance", 2);
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    const auto atmosphere = r.component("atmosphere");
    // Ten steps: ocean sleeps 10 x 0.04 s and atmosphere 10 x 0.1 s, a little more by the model's own clock.
    CHECK(ocean.at("computing_s").get<double>() == Approx(r.said.at("slept_ocean")).epsilon(0.02));
    CHECK(atmosphere.at("computing_s").get<double>() == Approx(r.said.at("slept_atmosphere")).epsilon(0.02));
    // The ocean waits for what the atmosphere takes longer, at least; what each really waited it timed itself.
    const double difference = r.said.at("slept_atmosphere") - r.said.at("slept_ocean");
    const double waited = r.said.at("waited_ocean");
    CHECK(ocean.at("waiting_s").get<double>() == Approx(waited).epsilon(0.02));
    CHECK(ocean.at("waiting_s").get<double>() > 0.98 * difference);
    CHECK(atmosphere.at("waiting_s").get<double>() ==
          Approx(r.said.at("waited_atmosphere")).epsilon(0.02).margin(0.001));
    CHECK(ocean.at("waiting_for").at("atmosphere").at("get_s").get<double>() == Approx(waited).epsilon(0.02));
    CHECK(ocean.at("computing_s").get<double>() + ocean.at("waiting_s").get<double>() ==
          Approx(ocean.at("loop_s").get<double>()).epsilon(1e-9));
    CHECK(r.output.find("atmosphere is the bottleneck") != std::string::npos);
    CHECK(r.complaints.empty());
    // SYPD x CHSY = 24 x cores, with 2 processes of one thread.
    const auto run_info = r.info().at("run");
    CHECK(run_info.at("sypd").get<double>() * run_info.at("chsy").get<double>() == Approx(24.0 * 2));
    CHECK(r.info().at("clock").at("order_violations") == 0);
}

TEST_CASE("components on alternating ranks") {
    const auto r = run("interleaved", 4);
    REQUIRE(r.exit_code == 0);
    const auto even = scenario::timeline(r, "even");
    const auto odd = scenario::timeline(r, "odd");
    CHECK(even.header.ranks == std::vector<std::int32_t>{0, 2});
    CHECK(odd.header.ranks == std::vector<std::int32_t>{1, 3});
    CHECK(even.header.keys.size() == 6); // 5 PUT and TERM
    CHECK(scenario::kind_count_of(even, cpl_lb::Kind::put) == 5);
    CHECK(scenario::kind_count_of(odd, cpl_lb::Kind::get) == 5);
}

TEST_CASE("simulated seconds from the environment; another program's timeline is left as it is") {
    const std::string theirs = "CDF timer_strt, by another program";
    const auto r = run("interleaved", 4,
                       "printf '" + theirs + "' > timeline_even.nc && CPL_LB_SIMULATED=86400 CPL_LB_YEAR_DAYS=1");
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("run").at("simulated_s") == 86400); // the model says 0: not known
    // One day of a year of one day.
    CHECK(r.info().at("run").at("sypd").get<double>() ==
          Approx(86400 / r.info().at("run").at("wall_s").get<double>()));
    CHECK(scenario::slurp(r.folder / "timeline_even.nc") == theirs);
    CHECK(scenario::timeline(r, "even.cpl_lb").header.component_name == "even");
    CHECK(scenario::timeline(r, "odd").header.component_name == "odd");
    CHECK(r.complaints == std::vector<std::string>{"cpl_lb: timeline_even.nc belongs to another program and was left "
                                                   "as it is: see timeline_even.cpl_lb.nc"});
    CHECK(r.output.find("timeline_even.cpl_lb.nc") != std::string::npos);
    // What the model says holds against the environment.
    CHECK(run("imbalance", 2, "CPL_LB_SIMULATED=1").info().at("run").at("simulated_s") == 86400);
}

// Before, one exchange more made the imbalance as long as the loop.
TEST_CASE("one exchange more at set-up on one process changes no figure of the loop") {
    const auto [environment, told] = GENERATE(table<std::string, std::string>(
        {{"", ""},
         {"MORE=1",
          "one more GET of field 'SST' at the beginning than on most "
          "processes of ocean, and no dates: the later ones are matched by their times (on process 1, ocean)"},
         {"MORE=3", "(3 times on process 1, ocean)"},
         {"FEWER=1", "one fewer GET of field 'SST' at the beginning"}}));
    INFO(environment);
    const auto r = run("set_up", 3, environment);
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    const double loop = r.said.at("loop");
    CHECK(ocean.at("loop_s").get<double>() == Approx(loop).epsilon(0.02));
    CHECK(ocean.at("imbalance_s").get<double>() == Approx(r.said.at("imbalance")).margin(0.01 * loop));
    CHECK(ocean.at("steps").at("count") == (environment == "FEWER=1" ? 9 : 10));
    scenario::check_balance(r, "ocean");
    CHECK(r.said.at("code") == 0); // nothing is lost
    CHECK(r.complaints.size() == (told.empty() ? 0 : 1));
    const auto remarks = r.info().at("remarks");
    CHECK(remarks.size() == r.complaints.size());
    if (told.empty()) return;
    CHECK(r.complaints_with(told) == 1);
    CHECK(remarks[0].get<std::string>().find(told) != std::string::npos);
    CHECK(scenario::slurp(r.folder / "load_balancing_info.txt").find("on most processes of ocean") !=
          std::string::npos);
}

TEST_CASE("different numbers of events on each process, and two partitions") {
    const auto r = run("unequal", 3);
    REQUIRE(r.exit_code == 0);
    const auto t = scenario::timeline(r, "ocean");
    // Rank 0: 2 PART, ENDF, 5 GET of F, TERM = 9; rank 1: 2 PART, ENDF, 6 GET of G, 1 GET of F, TERM = 11; rank 2:
    // TERM. The union: 2 PART, ENDF, 5 of F (the first on both), 6 of G, TERM = 15.
    CHECK(t.header.keys.size() == 15);
    CHECK(events_of(t, 0) == 9);
    CHECK(events_of(t, 1) == 11);
    CHECK(events_of(t, 2) == 1);
    CHECK(scenario::kind_count_of(t, cpl_lb::Kind::part) == 2);
    CHECK(t.header.field_names == std::vector<std::string>{"F", "G"});
    CHECK(t.header.component_names == std::vector<std::string>{"ocean", "elsewhere"});
    CHECK(in_order_of_start(t));         // those of F and of G, which no process has both, in one order
    scenario::check_picture(r, "ocean"); // the rows are not alike
}

TEST_CASE("nested and interleaved events, names learned late") {
    const auto r = run("nesting", 1);
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto t = scenario::timeline(r, "ocean");
    CHECK(t.header.keys.size() == 13); // 4 x (PUT, MAP, OUT) and TERM
    CHECK(t.header.field_names == std::vector<std::string>{"late", "later"});
    // Each PUT has a MAP inside it. Only the PUT's time outside the MAP could be waiting, and that is microseconds.
    // Each MAP takes 10 ms; two of them lie in the window (second to last PUT of four).
    const auto ocean = r.component("ocean");
    CHECK(ocean.at("waiting_s").get<double>() < 0.1 * ocean.at("loop_s").get<double>());
    CHECK(ocean.at("mapping_s").get<double>() >= 0.02);
    scenario::check_picture(r, "ocean");
}

// Where all recorded the same, the master alone works out the waiting; the figures must be as if each had.
TEST_CASE("operations inside, across and beside exchanges: figures as from each row by itself") {
    for (const std::string setting : {"", "AWAY=1", "OWN=1", "AWAY=1 OWN=1"}) {
        INFO(setting);
        const auto r = run("operations", 4, setting);
        REQUIRE(r.exit_code == 0);
        CHECK(r.complaints.empty());
        scenario::check_balance(r, "ocean");
        const auto ocean = r.component("ocean");
        CHECK(ocean.at("mapping_s").get<double>() > 0.0);
        CHECK(ocean.at("output_s").get<double>() > 0.0);
        CHECK(ocean.at("startup").at("output_s").get<double>() >= 0.002); // the READ
        CHECK(ocean.at("shutdown").at("restart_s").get<double>() >= 0.002);
        CHECK((ocean.at("away_s").get<double>() > 0.0) == (setting.find("AWAY") == 0));
        CHECK(ocean.at("coupling_cost_with_operations").get<double>() > ocean.at("coupling_cost").get<double>());
    }
    // No coupling loop; and more waiting than goes into one message.
    for (const std::string setting : {"STEPS=1", "STEPS=1 AWAY=1", "STEPS=40000"}) {
        INFO(setting);
        const auto r = run("operations", 2, setting);
        REQUIRE(r.exit_code == 0);
        scenario::check_balance(r, "ocean");
    }
}

TEST_CASE("a MAP inside the PUT on one process, after it on another") {
    const auto r = run("nested_differently", 3);
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    scenario::check_balance(r, "ocean");
}

TEST_CASE("time in another component of the same process is away, not waiting") {
    const auto r = run("in_turn", 2);
    REQUIRE(r.exit_code == 0);
    const auto a = r.component("a");
    // Window of a: second to last of 5 PUT, so three stays in b, which the model timed itself, mean over both
    // processes. Within 10 %: the sleeps are short, and the window begins and ends where the later process does.
    CHECK(a.at("away_s").get<double>() == Approx(r.said.at("away")).epsilon(0.1));
    CHECK(a.at("waiting_s").get<double>() + a.at("computing_s").get<double>() + a.at("away_s").get<double>() ==
          Approx(a.at("loop_s").get<double>()));
    scenario::check_picture(r, "a"); // in b: not running
    scenario::check_picture(r, "b");
    scenario::check_balance(r, "a");
    scenario::check_balance(r, "b");
}

TEST_CASE("a time slice holds the events of its dates only") {
    const auto r = run("dated", 2, "CPL_LB_DATE_FIRST=20 CPL_LB_DATE_LAST=50");
    REQUIRE(r.exit_code == 0);
    const auto t = scenario::timeline(r, "ocean");
    CHECK(t.header.keys.size() == 17); // dates 20, 30, 40, 50, four events each, and TERM: both limits are inside
    CHECK(t.header.keys.front().date == 20);
    CHECK(t.header.keys[15].date == 50);
    CHECK(r.complaints.empty());
    CHECK(r.output.find("Note: only a slice of the run was recorded, model dates 20 s to 50 s") != std::string::npos);
}

TEST_CASE("a communicator that leaves out a process of the job") {
    const auto r = run("subset", 3);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("run").at("processes") == 2);
    CHECK(r.complaints.empty());
}

TEST_CASE("names with slashes, quotes, spaces, UTF-8 and ten thousand characters") {
    const auto r = run("names", 1);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("components").size() == 8);
    CHECK(r.component("a,b%c").at("events") == 5);
    // a/b and "a b" both become a_b: they get their ids.
    std::size_t timelines = 0;
    for (const auto &entry : std::filesystem::directory_iterator(r.folder))
        timelines += entry.path().extension() == ".nc" ? 1 : 0;
    CHECK(timelines == 8);
}

TEST_CASE("a component that couples through its master alone") {
    const auto r = run("master_alone", 3);
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    CHECK(ocean.at("processes") == 3);
    // Window: second to last of six GET; four of them begin in it before its end.
    CHECK(ocean.at("waiting_s").get<double>() == Approx(r.said.at("waited")).epsilon(0.02));
}

TEST_CASE("a partition and no field; a component that stops early") {
    const auto r = run("no_field", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto lonely = r.component("lonely");
    CHECK(lonely.at("events") == 2); // PART and TERM
    CHECK(lonely.at("loop_s").is_null());
    CHECK(lonely.at("waiting_s").is_null());
    // early arrives at terminate at once, and its TERM lasts until lonely comes 0.3 s later.
    const auto t = scenario::timeline(r, "early");
    CHECK(t.header.keys.back().kind == cpl_lb::Kind::term);
    CHECK(cpl_lb::to_seconds(t.rows[0].stop.back() - t.rows[0].start.back()) >= 0.25);
    // T_wall of each component ends at its own terminate (docs/definitions.md, section 3).
    CHECK(r.component("early").at("wall_s").get<double>() < lonely.at("wall_s").get<double>() - 0.25);
}

// Six GETs before six PUTs. A lag may leave half of the pairs, three: PUT n matches GET n + l, l at most 3. With l =
// 3 PUTs 0, 1, 2 match GETs 3, 4, 5, which all ended before: three violations; smaller lags have more.
TEST_CASE("GETs that ended before their PUT began are counted and reported") {
    const auto r = run("impossible_order", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.info().at("clock").at("order_violations") == 3);
    CHECK(r.complaints_with("3 GETs ended before their PUT began") == 1);
    CHECK(scenario::slurp(r.folder / "load_balancing_info.txt").find("3 GETs ended before their PUT began") !=
          std::string::npos);
}
