// cpl-lb machine roofline as a user runs it.
#include "data/time.hpp"
#include "tests/projection/commands/project_command.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

const char *const machine = "name = 'm'\n[[flop_rate]]\nvector = 'avx'\nthreads = 4\nGFLOP_per_s = 40\n"
                            "[[bandwidth]]\nlevel = 'L2'\nthreads = 4\nGB_per_s = 200\n"
                            "[[bandwidth]]\nlevel = 'DRAM'\nthreads = 4\nGB_per_s = 20\n";

// The answer for a run of one component with these regions; 4 cores work.
json regions_of(const TemporaryFolder &folder, const std::string &regions) {
    (void)write(folder, "load_balancing_info.json",
                R"({"schema": "cpl_lb/1", "components": [{"name": "atm", "threads": 1, "regions": [)" + regions +
                    "]}]}");
    return json_of(folder, "machine roofline " + (folder / ".") + " --threads 4 --machine " +
                               write(folder, "m.toml", machine))["regions"];
}

std::string counter(const std::string &name, const std::string &mean) {
    return R"({"name": ")" + name + R"(", "sum": )" + mean + R"(, "count": 1})";
}

} // namespace

TEST_CASE("a table: BiFFT on one core, tables 38, 25 and 29 of ESCAPE D3.5") {
    const TemporaryFolder folder;
    const std::string table =
        write(folder, "bifft.csv", "region,flops,bytes,seconds\n800x720_20,97.53e9,786.16e9,72.10\n");
    const std::string arguments = "machine roofline " + table + " --machine xeon_e5_2697v3 --threads 1";
    const json region = json_of(folder, arguments + " --svg " + (folder / "r.svg"))["regions"][0];
    CHECK(region.at("intensity").get<double>() == Approx(0.12).margin(0.005));              // printed
    CHECK(region.at("attained_flop_per_s").get<double>() == Approx(1.35e9).epsilon(0.004)); // printed
    // Table 29: 13.436 GB/s at 2.6 GHz: 786.16 / 13.436 = 58.51 s.
    CHECK(region.at("limited_by") == "DRAM bandwidth");
    CHECK(region.at("least_s").get<double>() == Approx(58.51).epsilon(1e-3));
    CHECK(std::filesystem::file_size(folder / "r.svg") > 1000);
    CHECK(holds(command(folder, arguments).output,
                "800x720_20 takes the most time. It reaches 81 % of the DRAM bandwidth"));
}

TEST_CASE("a run: counters first, else what the author says") {
    const TemporaryFolder folder;
    // One process of one thread, and 4 cores at work: work and bytes of four such processes.
    const json regions =
        regions_of(folder, R"({"name": "counted", "mean_s": 2.0, "counters": [)" + counter("PAPI_DP_OPS", "1e9") +
                               "," + counter("PAPI_L1_DCM", "1e8") + "," + counter("PAPI_L3_TCM", "5e7") + R"(],
            "annotations": {"flops": {"value": 7, "processes": 1}, "bytes": {"value": 7, "processes": 1}}},
        {"name": "told", "mean_s": 1.0, "counters": [],
            "annotations": {"flops": {"value": 2e9, "processes": 1}, "bytes": {"value": 1e9, "processes": 1}}},
        {"name": "plain", "mean_s": 1.0, "counters": [], "annotations": {"calls": {"value": 3, "processes": 1}}})");
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
    const TemporaryFolder folder;
    const auto check = [&](const std::string &seconds, const std::string &says, double least_s) {
        const json least = regions_of(folder, R"({"name": "r", "mean_s": )" + seconds + R"(, "counters": [)" +
                                                  counter("PAPI_DP_OPS", "1e9") + "," +
                                                  counter("PAPI_L3_TCM", "5e7") + "]}")[0]["least_s"];
        std::string text =
            command(folder, "machine roofline " + (folder / ".") + " --threads 4 --machine " + folder / "m.toml")
                .output;
        CHECK(holds(text, says));
        CHECK((is_known(least_s) ? least.get<double>() == Approx(least_s) : least.is_null()));
        return text;
    };
    (void)check(
        "2.0", "It reaches 32 % of the DRAM bandwidth. At that ceiling it would take 0.64 s instead of 2 s.\n", 0.64);
    // 0.64 / 0.63 is less than 1.05.
    (void)check("0.63", "takes the most time, and it has reached the DRAM bandwidth.\n", unknown);
    const std::string fast = check(
        "0.5", "It was faster than the DRAM bandwidth of this file allows: what limits it is not known.\n", unknown);
    CHECK_FALSE(holds(fast, "At that ceiling"));
    CHECK_FALSE(holds(fast, "0.64"));
}

TEST_CASE("a processor without vectors of 512 bits, and counters that only perf has") {
    const TemporaryFolder folder;
    // 1e8 scalar, 2e8 pairs and 3e8 quadruples: 1e8 + 4e8 + 12e8 = 1.7e9 flop, of 4 processes 6.8e9: 0.17 s. Asked
    // for: 8 B x (2e8 + 1e8) = 2.4e9 B, of 4 processes 9.6e9. From memory: 64 B x 2e7 = 1.28e9 B, of 4 processes
    // 5.12e9 B, at 20 GB/s 0.256 s; from L2 nothing is known.
    std::string counters;
    for (const auto &[name, mean] : {std::pair{"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "1e8"},
                                     {"FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", "2e8"},
                                     {"FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", "3e8"},
                                     {"FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", "null"},
                                     {"MEM_INST_RETIRED:ALL_LOADS", "2e8"},
                                     {"MEM_INST_RETIRED:ALL_STORES", "1e8"},
                                     {"perf::CACHE-MISSES", "2e7"}})
        counters += (counters.empty() ? "" : ",") + counter(name, mean);
    const json region = regions_of(folder, R"({"name": "r", "mean_s": 0.512, "counters": [)" + counters + "]}")[0];
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
        return json_of(folder, "machine roofline " + (folder / ".") + " --machine " + here + options);
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
        CHECK(holds(root.at("regions")[r].at("why_not"), "it is not known how many of its process's 4 threads"));
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
    CHECK(holds(root.at("remarks")[0], "4 are used, the most in the machine's file"));
    CHECK(holds(command(folder, "machine roofline " + (folder / ".") + " --threads 1 --machine " + here).output,
                ", 1 thread\n"));
}

TEST_CASE("bad input for a roofline: one line and status 1") {
    const TemporaryFolder folder;
    const std::string here = write(folder, "m.toml", machine);
    const auto error = [&](const std::string &source, const std::string &options = "") {
        return error_of(folder, "machine roofline " + source + " --machine " + here + " " + options);
    };
    const auto table = [&](const std::string &text) { return write(folder, "t.csv", text); };
    CHECK(holds(error(table("region,flops,seconds\na,1,1\n")), "t.csv:1: column bytes"));
    CHECK(holds(error(table("region,flops,bytes\na,1,many\n")), "t.csv:2: column bytes"));
    CHECK(holds(error(table("region,flops,bytes,seconds\na,1,1,0\n")), "t.csv:2: column seconds: 0 s"));
    CHECK(holds(error(table("region,flops,bytes\na,1,-1\n")), "t.csv:2: column bytes"));
    const std::string good = table("region,flops,bytes\na,1,1\n");
    CHECK(holds(error(good, "--threads 9"), "m: no bandwidth with 9 threads"));
    CHECK(holds(error(good, "--vector vax"), "m: no flop rate with 4 threads"));
    CHECK(holds(error(folder / "nowhere"), "nowhere"));
    CHECK(holds(error(write(folder, "x.json", "{")), "x.json: is not valid JSON"));
    CHECK(holds(error(write(folder, "y.json", R"({"schema": "cpl_lb/1", "components": [{"name": "a"}]})")),
                "y.json: has no regions"));
    CHECK(command(folder, "machine roofline " + good + " --machine " + here + " --clock fast").status == 2);
    CHECK(command(folder, "machine roofline " + good).status == 2);
}
