// cpl-lb machine fit and joules on folders of runs: regions, counters, joules and threads feed the models of
// ESCAPE D3.5.
#include "tests/projection/commands/project_command.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// Rates over threads.
std::string machine_in(const TemporaryFolder &folder) {
    return write(folder, "m.toml",
                 "name = 'M'\nsource = 'by hand'\ncores = 4\n"
                 "[[flop_rate]]\nthreads = [1, 2, 4]\nGFLOP_per_s = [10, 20, 40]\n"
                 "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [1, 2, 4]\nGB_per_s = [10, 15, 18]\n");
}

struct RunOf {
    int processes = 1, threads = 1;
    std::string counters; // of each process
    double seconds = 1, region_J = 1;
    std::string more = {}; // members of the component
};

std::string run_in(const TemporaryFolder &folder, const std::string &name, const RunOf &run) {
    std::filesystem::create_directory(folder / name);
    (void)write(folder, name + "/load_balancing_info.json",
                R"({"schema": "cpl_lb/1", "run": {"processes": )" + std::to_string(run.processes) +
                    R"(}, "clock": {"nodes": 1}, "components": [{"name": "atm", "threads": )" +
                    std::to_string(run.threads) + run.more + R"(, "regions": [{"name": "dyn", "mean_s": )" +
                    std::to_string(run.seconds) + R"(, "energy_J": {"sum": )" + std::to_string(run.region_J) +
                    R"(, "count": 1}, "counters": [)" + run.counters +
                    R"(]}, {"name": "plain", "mean_s": 1, "counters": []}]}]})");
    return folder / name;
}

std::string counted(const std::string &name, double mean) {
    return R"({"name": ")" + name + R"(", "sum": )" + std::to_string(mean) + R"(, "count": 1})";
}

std::string flops_and_words(double flops, double words) {
    return counted("PAPI_DP_OPS", flops) + ", " + counted("PAPI_LST_INS", words);
}

// 1, 2 and 4 processes; each computes 3e9 (the last 3.1e9) and asks for 1e9 numbers of 8 B.
std::string three_runs(const TemporaryFolder &folder) {
    return run_in(folder, "r1", {1, 1, flops_and_words(3e9, 1e9), 1.0}) + " " +
           run_in(folder, "r2", {2, 1, flops_and_words(3e9, 1e9), 1.1}) + " " +
           run_in(folder, "r4", {4, 1, flops_and_words(3.1e9, 1e9), 1.5});
}

} // namespace

TEST_CASE("machine fit takes runs; coefficients have the intervals that Octave finds") {
    const TemporaryFolder folder;
    const std::string machine = machine_in(folder), runs = three_runs(folder);
    const json fit = json_of(folder, "machine fit " + runs + " --machine " + machine + " --csv " + folder / "c.csv");
    const json &dyn = fit["loops"][0];
    CHECK(dyn["loop"] == "atm: dyn");
    // Octave 7.3, ordinary least squares and t = sqrt(df (1/x - 1)) with x = betaincinv(0.05, df/2, 1/2): for A =
    // [10;20;40], y = [3; 6/1.1; 12.4/1.5], and A = [10;15;18], y = [8; 16/1.1; 32/1.5].
    CHECK(dyn["U"].get<double>() == Approx(0.2236940837));
    CHECK(dyn["half_width_95"]["U"].get<double>() == Approx(0.09407574214));
    CHECK(dyn["Z"].get<double>() == Approx(1.051127609));
    CHECK(dyn["half_width_95"]["Z"].get<double>() == Approx(0.4407647793));
    CHECK(dyn["half_width_95"]["V"].is_null());
    CHECK(dyn["runs"][2]["threads"] == 4);
    CHECK(dyn["runs"][2]["flops"].get<double>() == Approx(12.4e9));
    CHECK(dyn["runs"][2]["bytes"].get<double>() == Approx(32e9));
    const json &plain = fit["loops"][1];
    CHECK(plain["U"].is_null());
    CHECK(plain["why_not"] == "neither operations nor bytes are known in its 3 runs: set cn_counters, or call "
                              "cpl_lb_assert_expression");
    const std::string text = command(folder, "machine fit " + runs + " --machine " + machine).output;
    CHECK(holds(text, "4 cores at work: a node's 4 processes with 1 thread each"));
    CHECK(holds(text, "atm: dyn    0.09408"));
    // What it writes is a table of loops, without the region of which nothing is known. On 1 thread: 3e9 flop at
    // 0.22369 x 10 GFLOP/s take 1.341 s, 8e9 B at 1.0511 x 10 GB/s 0.761 s.
    CHECK_FALSE(holds(test::contents(folder / "c.csv"), "plain"));
    const json back = json_of(folder, "machine project " + folder / "c.csv" + " --threads 1 --machine " + machine);
    CHECK(back[0]["projections"][0]["seconds"].get<double>() == Approx(3 / 2.236940837).epsilon(1e-5));
}

TEST_CASE("machine fit: too few runs say what is missing, and what they tell all the same") {
    const TemporaryFolder folder;
    const std::string runs = run_in(folder, "r1", {1, 1, flops_and_words(2.08e9, 1e9), 1.0}) + " " +
                             run_in(folder, "r2", {2, 1, flops_and_words(2.08e9, 1e9), 1.0});
    const std::string arguments = "machine fit " + runs + " --machine xeon_e5_2697v3";
    const json dyn = json_of(folder, arguments)["loops"][0];
    // 20.8 GFLOP/s at 1 core and 2.6 GHz, twice that at 2 (table 25): a tenth of it.
    CHECK(dyn["U"].get<double>() == Approx(0.1).epsilon(0.005));
    CHECK(dyn["Z"].is_null());
    CHECK(holds(dyn["why_not"].get<std::string>(), "2 runs with bytes cannot tell the coefficients of Intel Xeon"));
    CHECK(holds(dyn["why_not"].get<std::string>(), "4 levels apart: it takes at least 4"));
    // Operations alone tell U, too: 4.16 of 20.8 GFLOP/s.
    const std::string flops = run_in(folder, "r4", {1, 1, counted("PAPI_DP_OPS", 4.16e9)});
    CHECK(json_of(folder, "machine fit " + flops + " --machine xeon_e5_2697v3")["loops"][0]["U"].get<double>() ==
          Approx(0.2).epsilon(0.005));
    const std::string one = run_in(folder, "r3", {1, 1, ""});
    CHECK(holds(error_of(folder, "machine fit " + one + " --machine xeon_e5_2697v3"),
                "no coefficient can be told. atm: dyn: neither operations nor bytes are known in its 1 run"));
    CHECK(holds(error_of(folder, "machine fit --machine xeon_e5_2697v3 " + folder / "nothing.json"),
                "nothing.json: cannot read"));
    CHECK(holds(error_of(folder, "machine fit --machine xeon_e5_2697v3 " + write(folder, "x.json", "{}")),
                "x.json: is not a load_balancing_info.json"));
}

TEST_CASE("machine fit: the clock, threads, and the coupling loop without its waiting") {
    const TemporaryFolder folder;
    const std::string clocks = write(folder, "c.toml",
                                     "name = 'C'\nsource = 'by hand'\ncores = 8\nclock_GHz = 2\n"
                                     "[[flop_rate]]\nthreads = [1, 8]\nclock_GHz = [1, 2]\n"
                                     "GFLOP_per_s = [[10, 20], [80, 160]]\n"
                                     "[[bandwidth]]\nlevel = 'DRAM'\nthreads = [1, 8]\nclock_GHz = [1, 2]\n"
                                     "GB_per_s = [[5, 5], [40, 40]]\n");
    // At 1 GHz 2 GFLOP/s of 10. In the coupling loop 4e9 flop in 2 s without waiting: 2 GFLOP/s, too.
    const std::string loop =
        R"(, "computing_s": 2, "loop_s": 3, "loop_counters": [)" + counted("PAPI_DP_OPS", 4e9) + "]";
    const std::string run = run_in(folder, "slow", {1, 1, flops_and_words(2e9, 1e8), 1, 1, loop});
    const std::string arguments = "machine fit --machine " + clocks + " ";
    json fit = json_of(folder, arguments + run + " --clock 1");
    CHECK(fit["loops"][0]["loop"] == "atm: coupling loop");
    CHECK(fit["loops"][0]["U"].get<double>() == Approx(0.2));
    CHECK(fit["loops"][1]["runs"][0]["clock_Hz"] == 1e9);
    CHECK(fit["loops"][1]["U"].get<double>() == Approx(0.2));
    // Without --clock it is the nominal clock, 20 GFLOP/s.
    CHECK(json_of(folder, arguments + run)["loops"][0]["U"].get<double>() == Approx(0.1));
    // Two processes with OMP_NUM_THREADS = 4: nobody knows how many worked, until the user says so: 8 x 2e9 flop in
    // 1 s, of 160 GFLOP/s.
    const std::string openmp = run_in(folder, "openmp", {2, 4, flops_and_words(2e9, 1e8)});
    CHECK(holds(error_of(folder, arguments + openmp), "it is not known how many of its process's 4 threads"));
    fit = json_of(folder, arguments + openmp + " --process-threads 4");
    CHECK(fit["loops"][0]["runs"][0]["threads"] == 8);
    CHECK(fit["loops"][0]["U"].get<double>() == Approx(0.1));
}

TEST_CASE("machine joules takes regions of runs, and DRAM's bytes where only these are known") {
    const TemporaryFolder folder;
    // 1 nJ a flop, 2 nJ a byte from DRAM and 50 W: lines of 64 B.
    const auto run = [&](const std::string &name, double flops, double lines, double seconds) {
        const double joules = flops * 1e-9 + 64 * lines * 2e-9 + 50 * seconds;
        return " " +
               run_in(folder, name,
                      {1, 1, counted("PAPI_DP_OPS", flops) + ", " + counted("PAPI_L3_TCM", lines), seconds, joules});
    };
    const std::string three = run("a", 1e9, 5e7, 1) + run("b", 9e9, 1e7, 1.5) + run("c", 4e9, 4e7, 3);
    const std::string text = command(folder, "machine joules" + three).output;
    CHECK(holds(text, "The fit is not checked"));
    CHECK(holds(text, "Bytes of regions: from DRAM."));
    CHECK(holds(text, "3 regions of runs without operations, bytes or energy left out."));
    const json fit = json_of(folder, "machine joules" + three + run("d", 2e9, 8e7, 2));
    CHECK(fit["J_per_flop"].get<double>() == Approx(1e-9).epsilon(1e-4));
    CHECK(fit["J_per_B"].get<double>() == Approx(2e-9).epsilon(1e-4));
    CHECK(fit["constant_W"].get<double>() == Approx(50).epsilon(1e-4));
    CHECK(fit["half_width_95"]["constant_W"].get<double>() < 0.01); // exact but for the digits of the json
    CHECK(holds(fit["runs"][3]["run"].get<std::string>(), "/d atm: dyn"));
    CHECK(holds(error_of(folder, "machine joules " + folder / "a"), "1 measured row cannot tell joules of an"));
    const std::string none = run_in(folder, "none", {1, 1, counted("PAPI_L3_TCM", 1)});
    CHECK(holds(error_of(folder, "machine joules " + none), "none: no region has operations: set cn_counters"));
}
