// cpl-lb machine roofline as a user runs it.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

const char *const machine = "name = 'm'\n[[flop_rate]]\nvector = 'avx'\nthreads = 4\nGFLOP_per_s = 40\n"
                            "[[bandwidth]]\nlevel = 'L2'\nthreads = 4\nGB_per_s = 200\n"
                            "[[bandwidth]]\nlevel = 'DRAM'\nthreads = 4\nGB_per_s = 20\n";

} // namespace

TEST_CASE("a table: BiFFT on one core, tables 38, 25 and 29 of ESCAPE D3.5") {
    const TemporaryFolder folder;
    const std::string table =
        write(folder, "bifft.csv", "region,flops,bytes,seconds\n800x720_20,97.53e9,786.16e9,72.10\n");
    const auto r = command(folder, "machine roofline " + table +
                                       " --machine xeon_e5_2697v3 --threads 1 --json --svg " + (folder / "r.svg"));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json region = json::parse(r.output).at("regions").at(0);
    CHECK(region.at("intensity").get<double>() == Approx(0.12).margin(0.005));              // printed
    CHECK(region.at("attained_flop_per_s").get<double>() == Approx(1.35e9).epsilon(0.004)); // printed
    // Table 29: 13.436 GB/s at 2.6 GHz: 786.16 / 13.436 = 58.51 s.
    CHECK(region.at("limited_by") == "DRAM bandwidth");
    CHECK(region.at("least_s").get<double>() == Approx(58.51).epsilon(1e-3));
    CHECK(std::filesystem::file_size(folder / "r.svg") > 1000);
    const auto text = command(folder, "machine roofline " + table + " --machine xeon_e5_2697v3 --threads 1");
    CHECK(text.output.find("800x720_20 takes the most time. It reaches 81 % of the DRAM bandwidth") !=
          std::string::npos);
}

TEST_CASE("a run: counters first, else what the author says") {
    const TemporaryFolder folder;
    const std::string here = write(folder, "m.toml", machine);
    // One process of one thread, and 4 cores at work: work and bytes of four such processes.
    (void)write(folder, "load_balancing_info.json",
                R"({"schema": "cpl_lb/1", "components": [{"name": "atm", "threads": 1, "regions": [
        {"name": "counted", "mean_s": 2.0, "counters": [{"name": "PAPI_DP_OPS", "sum": 1e9, "count": 1},
            {"name": "PAPI_L1_DCM", "sum": 1e8, "count": 1}, {"name": "PAPI_L3_TCM", "sum": 5e7, "count": 1}],
            "annotations": {"flops": {"value": 7, "processes": 1}, "bytes": {"value": 7, "processes": 1}}},
        {"name": "told", "mean_s": 1.0, "counters": [],
            "annotations": {"flops": {"value": 2e9, "processes": 1}, "bytes": {"value": 1e9, "processes": 1}}},
        {"name": "plain", "mean_s": 1.0, "counters": [], "annotations": {"calls": {"value": 3, "processes": 1}}}]}]})");
    const auto r = command(folder, "machine roofline " + (folder / ".") + " --json --threads 4 --machine " + here);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json regions = json::parse(r.output).at("regions");
    REQUIRE(regions.size() == 3);
    const json &counted = regions[0], &told = regions[1];
    CHECK(counted.at("region") == "atm: counted");
    CHECK(counted.at("from") == "counters");
    CHECK(counted.at("flops") == 4e9);
    // L2: 4 x 1e8 lines of 64 B at 200 GB/s: 0.128 s; DRAM: 4 x 5e7 lines at 20 GB/s: 0.64 s; computing 0.1 s.
    CHECK(counted.at("limited_by") == "DRAM bandwidth");
    CHECK(counted.at("least_s").get<double>() == Approx(0.64));
    CHECK(counted.at("share").get<double>() == Approx(0.32));
    // 8e9 flop at 40 GFLOP/s: 0.2 s; 4e9 B at 20 GB/s: 0.2 s.
    CHECK(told.at("from") == "annotations");
    CHECK(told.at("least_s").get<double>() == Approx(0.2));
    CHECK(regions[2].at("least_s").is_null());
    CHECK(regions[2].at("from").is_null()); // it has annotations, but none that tells work
    CHECK(regions[2].at("why_not") == "neither its operations nor its bytes are known");
}

// Four processes read 5e7 lines of 64 B each: 12.8e9 B at 20 GB/s are 0.64 s.
TEST_CASE("no region would take longer at its ceiling than it took") {
    const auto told = [](const std::string &seconds) {
        const TemporaryFolder folder;
        const std::string here = write(folder, "m.toml", machine);
        (void)write(
            folder, "load_balancing_info.json",
            R"({"schema": "cpl_lb/1", "components": [{"name": "atm", "threads": 1, "regions": [{"name": "r", "mean_s": )" +
                seconds +
                R"(, "counters": [{"name": "PAPI_DP_OPS", "sum": 1e9, "count": 1}, {"name": "PAPI_L3_TCM", "sum": 5e7, "count": 1}]}]}]})");
        const std::string arguments = "machine roofline " + (folder / ".") + " --threads 4 --machine " + here;
        const json regions = json::parse(command(folder, arguments + " --json").output).at("regions");
        return std::pair(command(folder, arguments).output, regions.at(0).at("least_s"));
    };
    const auto says = [](const std::string &text, const std::string &words) {
        return text.find(words) != std::string::npos;
    };
    const auto [slow, slow_least] = told("2.0");
    INFO(slow);
    CHECK(
        says(slow, "It reaches 32 % of the DRAM bandwidth. At that ceiling it would take 0.64 s instead of 2 s.\n"));
    CHECK(slow_least.get<double>() == Approx(0.64));
    const auto [close, close_least] = told("0.63"); // 0.64 / 0.63 is less than 1.05
    INFO(close);
    CHECK(says(close, "takes the most time, and it has reached the DRAM bandwidth.\n"));
    CHECK(close_least.is_null());
    const auto [fast, fast_least] = told("0.5");
    INFO(fast);
    CHECK(says(fast, "It was faster than the DRAM bandwidth of this file allows: what limits it is not known.\n"));
    CHECK_FALSE(says(fast, "At that ceiling"));
    CHECK_FALSE(says(fast, "0.64"));
    CHECK(fast_least.is_null());
}

TEST_CASE("a processor without vectors of 512 bits, and counters that only perf has") {
    const TemporaryFolder folder;
    const std::string here = write(folder, "m.toml", machine);
    // 1e8 scalar, 2e8 pairs and 3e8 quadruples: 1e8 + 4e8 + 12e8 = 1.7e9 flop, of 4 processes 6.8e9: 0.17 s. Asked
    // for: 8 B x (2e8 + 1e8) = 2.4e9 B, of 4 processes 9.6e9. From memory: 64 B x 2e7 = 1.28e9 B, of 4 processes
    // 5.12e9 B, at 20 GB/s 0.256 s; from L2 nothing is known.
    (void)write(folder, "load_balancing_info.json",
                R"({"schema": "cpl_lb/1", "components": [{"name": "atm", "threads": 1, "regions": [
        {"name": "r", "mean_s": 0.512, "counters": [
            {"name": "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "sum": 1e8, "count": 1},
            {"name": "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", "sum": 2e8, "count": 1},
            {"name": "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", "sum": 3e8, "count": 1},
            {"name": "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", "sum": null},
            {"name": "MEM_INST_RETIRED:ALL_LOADS", "sum": 2e8, "count": 1}, {"name": "MEM_INST_RETIRED:ALL_STORES", "sum": 1e8, "count": 1},
            {"name": "perf::CACHE-MISSES", "sum": 2e7, "count": 1}]}]}]})");
    const auto r = command(folder, "machine roofline " + (folder / ".") + " --json --threads 4 --machine " + here);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json region = json::parse(r.output).at("regions").at(0);
    CHECK(region.at("flops").get<double>() == Approx(6.8e9));
    CHECK(region.at("bytes").get<double>() == Approx(9.6e9));
    CHECK(region.at("from") == "counters");
    CHECK(region.at("least_s").get<double>() == Approx(0.256));
    CHECK(region.at("share").get<double>() == Approx(0.5));
}

TEST_CASE("a run: only the threads that are known to have worked count") {
    const TemporaryFolder folder;
    const std::string here = write(folder, "m.toml",
                                   "name = 'm'\n[[flop_rate]]\nvector = 'avx'\nthreads = [1, 4]\n"
                                   "GFLOP_per_s = [10, 40]\n[[bandwidth]]\nlevel = 'DRAM'\nthreads = [1, 4]\n"
                                   "GB_per_s = [10, 20]\n");
    const auto run = [&](int processes, int nodes, int threads) {
        (void)write(folder, "load_balancing_info.json",
                    R"({"schema": "cpl_lb/1", "run": {"processes": )" + std::to_string(processes) +
                        R"(}, "clock": {"nodes": )" + std::to_string(nodes) +
                        R"(}, "components": [{"name": "atm", "threads": )" + std::to_string(threads) +
                        R"(, "regions": [
            {"name": "counted", "mean_s": 2.0, "counters": [{"name": "PAPI_DP_OPS", "sum": 1e9, "count": 1},
                {"name": "PAPI_L3_TCM", "sum": 1e8, "count": 1}]},
            {"name": "told", "mean_s": 2.0, "counters": [],
                "annotations": {"flops": {"value": 1e9, "processes": 1}, "bytes": {"value": 6.4e9, "processes": 1}}}]}]})");
    };
    const auto answer = [&](const std::string &options = "") {
        const auto r = command(folder, "machine roofline " + (folder / ".") + " --json --machine " + here + options);
        INFO(r.errors);
        REQUIRE(r.status == 0);
        return json::parse(r.output);
    };
    // One process of one thread: its own 6.4e9 B at the 10 GB/s of one thread, not four times that of a node.
    run(1, 1, 1);
    json root = answer();
    CHECK(root.at("threads") == 1);
    for (const std::size_t r : {0U, 1U}) {
        CHECK(root.at("regions")[r].at("flops") == 1e9);
        CHECK(root.at("regions")[r].at("least_s").get<double>() == Approx(0.64));
    }
    CHECK(root.at("remarks")[0] ==
          "1 core at work: a node's 1 process with 1 thread each (--threads, --process-threads)");
    // Eight processes on four nodes: two of each node, at the bandwidth between 10 and 20 GB/s: 13.33; 12.8 / 13.33.
    run(8, 4, 1);
    root = answer();
    CHECK(root.at("threads") == 2);
    CHECK(root.at("regions")[0].at("least_s").get<double>() == Approx(0.96));
    // OMP_NUM_THREADS=4, and nobody knows whether the region ran with them.
    run(1, 1, 4);
    root = answer();
    CHECK(root.at("threads") == 1);
    for (const std::size_t r : {0U, 1U}) {
        CHECK(root.at("regions")[r].at("flops").is_null());
        CHECK(root.at("regions")[r].at("why_not").get<std::string>().find(
                  "it is not known how many of its process's 4 threads") == 0);
    }
    // Said: one thread worked. The author's 6.4e9 B are of the process, the counters' of its thread.
    root = answer(" --process-threads 1");
    CHECK(root.at("regions")[0].at("least_s").get<double>() == Approx(0.64));
    CHECK(root.at("regions")[1].at("least_s").get<double>() == Approx(0.64));
    // Said: all four. Counters: 4 x 6.4e9 B at 20 GB/s; the author's are the whole process's: 6.4e9 B at 20 GB/s.
    root = answer(" --process-threads 4");
    CHECK(root.at("threads") == 4);
    CHECK(root.at("regions")[0].at("least_s").get<double>() == Approx(1.28));
    CHECK(root.at("regions")[1].at("least_s").get<double>() == Approx(0.32));
    // More processes than the machine's file knows.
    run(64, 1, 1);
    root = answer();
    CHECK(root.at("threads") == 4);
    CHECK(root.at("remarks")[0].get<std::string>().find("4 are used, the most in the machine's file") !=
          std::string::npos);
    CHECK(command(folder, "machine roofline " + (folder / ".") + " --threads 1 --machine " + here)
              .output.find(", 1 thread\n") != std::string::npos);
}

TEST_CASE("bad input for a roofline: one line and status 1") {
    const TemporaryFolder folder;
    const std::string here = write(folder, "m.toml", machine);
    const auto error = [&](const std::string &source, const std::string &options = "") {
        const auto r = command(folder, "machine roofline " + source + " --machine " + here + " " + options);
        CHECK(r.status == 1);
        CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
        return r.errors;
    };
    const auto table = [&](const std::string &text) { return write(folder, "t.csv", text); };
    CHECK(error(table("region,flops,seconds\na,1,1\n")).find("t.csv:1: column bytes") != std::string::npos);
    CHECK(error(table("region,flops,bytes\na,1,many\n")).find("t.csv:2: column bytes") != std::string::npos);
    CHECK(error(table("region,flops,bytes,seconds\na,1,1,0\n")).find("t.csv:2: column seconds: 0 s") !=
          std::string::npos);
    CHECK(error(table("region,flops,bytes\na,1,-1\n")).find("t.csv:2: column bytes") != std::string::npos);
    const std::string good = table("region,flops,bytes\na,1,1\n");
    CHECK(error(good, "--threads 9").find("m: no bandwidth with 9 threads") != std::string::npos);
    CHECK(error(good, "--vector vax").find("m: no flop rate with 4 threads") != std::string::npos);
    CHECK(error(folder / "nowhere").find("nowhere") != std::string::npos);
    CHECK(error(write(folder, "x.json", "{")).find("x.json: is not valid JSON") != std::string::npos);
    CHECK(error(write(folder, "y.json", R"({"schema": "cpl_lb/1", "components": [{"name": "a"}]})"))
              .find("y.json: has no regions") != std::string::npos);
    CHECK(command(folder, "machine roofline " + good + " --machine " + here + " --clock fast").status == 2);
    CHECK(command(folder, "machine roofline " + good).status == 2);
}
