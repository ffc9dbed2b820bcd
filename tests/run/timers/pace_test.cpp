// PACE's json: what its search returns, one experiment with its lists, and nested as its successors have it.
#include "data/time.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

// 10 days in 864 s: (10 / 365) / (864 / 86400) = 2.73973 SYPD; 128 x 24 / 2.73973 = 1121.28 core hours a year.
std::string pace_search() {
    return R"([[{"expid": "7", "case": "A", "lid": "11.200101-101010", "machine": "cori", "total_pes_active": "128",
 "run_length": "10", "model_throughput": "2.74", "init_time": "20.5", "run_time": "864.000", "user": "me"},
 {"expid": "8", "run_length": "0", "model_throughput": "4.00", "run_time": "54.000"}], [[["0"], []], [[], []]]])";
}

std::string pace_experiment() {
    return R"({"expid": 7, "case": "A", "lid": "11.200101-101010", "run_length": 10, "model_throughput": 2.74,
 "model_cost": 1121.17, "pe_count_for_cost_estimate": 128, "total_pes_active": 512, "init_time": 20.5,
 "run_time": 864.0, "final_time": 1.5,
 "pelayout": [{"component": "atm", "comp_pes": 64, "root_pe": 0, "tasks": 64, "threads": 2, "instances": 1, "stride": 1},
  {"component": "ocn", "comp_pes": 64, "root_pe": 64, "tasks": 64, "threads": 1, "instances": 1, "stride": 1}],
 "runtime": [{"component": "TOT", "seconds": 864.0}, {"component": "ATM", "seconds": 800.0},
  {"component": "OCN", "seconds": 700.0}, {"component": "GLC", "seconds": 0.0}]})";
}

} // namespace

TEST_CASE("PACE: what its search returns, numbers as strings") {
    const std::vector<TimedRun> runs = read_pace_json(TimerText("pace.json", pace_search()));
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].id == "A.11.200101-101010");
    CHECK(runs[0].machine == "cori");
    CHECK(runs[0].simulated_s.value == 864000.0);
    CHECK(runs[0].cores.value == 128.0);
    CHECK(runs[0].startup_s.value == 20.5);
    CHECK(runs[0].loop_s.from == "run_time (pace.json, experiment 7)");
    CHECK(runs[0].remarks.empty());
    // Printed to two digits: 2.74.
    CHECK(run_of_timers(runs[0]).cpmip.sypd == Approx(2.73973).epsilon(1e-5));
    CHECK(runs[1].id == "pace8");
    CHECK(runs[1].simulated_s.value == Approx(4 * 365 * 54.0)); // of the speed: the run was shorter than a day
}

TEST_CASE("PACE: one experiment with its components and layout") {
    const TimedRun run = only_run(read_pace_json, "pace.json", pace_experiment());
    CHECK(run.cores.value == 128.0); // that the cost counts
    CHECK(run.shutdown_s.value == 1.5);
    REQUIRE(run.components.size() == 2);
    CHECK(run.components[0].name == "atm");
    CHECK(run.components[0].computing_s.value == 800.0);
    CHECK(run.components[0].threads == 2);
    CHECK(run.components[1].first_process == 64);
    CHECK(run.layout == "max(atm,ocn)");
    // model_cost is 1121.17 by the rounded 2.74 SYPD
    CHECK(run_of_timers(run).cpmip.chsy == Approx(1121.28).epsilon(1e-5));
}

TEST_CASE("PACE: nested, and with a speed that its own times do not give") {
    const TimedRun run =
        only_run(read_pace_json, "log",
                 R"({"experiment": {"case": "A", "lid": "1", "run_config": {"run_length_days": 10}, "performance":
 {"run_time_seconds": 864.0, "model_throughput_sim_years_per_day": 2.74, "pe_count_for_cost": 128}},
 "pe_layout": [], "component_runtime": [{"component": "ATM", "seconds": 5.0}]})");
    CHECK(run.id == "A.1");
    CHECK(run.loop_s.value == 864.0);
    CHECK(run.components.at(0).processes == 0);
    const TimedRun six_times =
        only_run(read_pace_json, "log", replaced(pace_experiment(), "\"run_length\": 10", "\"run_length\": 60"));
    CHECK_FALSE(six_times.simulated_s.known());
    CHECK(six_times.remarks.at(0).find("prints 2.74 SYPD, and its own run length and run time give 16.44") !=
          std::string::npos); // 6 x 2.73973
}

TEST_CASE("PACE: what is wrong is told") {
    const auto of = [](const std::string &text) { return refusal(read_pace_json, text); };
    CHECK(of(pace_search().substr(0, 250)).find("log: line 3: is not valid JSON from here on") == 0);
    CHECK(of(replaced(pace_search(), "\"864.000\"", "\"864,000\""))
              .find("experiment 7: run_time is '864,000': a comma") != std::string::npos);
    CHECK(of(replaced(pace_search(), "\"864.000\"", "\"0\"")) == "log: experiment 7: run_time is missing or 0");
    CHECK(of(replaced(pace_experiment(), "\"tasks\": 64", "\"tasks\": 64.5")).find("tasks is 64.5, no count") !=
          std::string::npos);
    CHECK(of(replaced(pace_experiment(), "\"tasks\": 64", "\"tasks\": 2000000000")).find("no count") !=
          std::string::npos);
    CHECK(of(replaced(pace_experiment(), "\"run_time\": 864.0", "\"run_time\": -1")).find("no number from 0 on") !=
          std::string::npos);
    CHECK(
        of(replaced(pace_experiment(), "\"run_time\": 864.0", "\"run_time\": 1e999")).find("no computer can hold") !=
        std::string::npos);
    CHECK(of("[]").find("no experiment") != std::string::npos);
    CHECK(of(std::string(100, '[') + std::string(100, ']')).find("nested too deeply") != std::string::npos);
}
