// What profilers write of GPU kernels, against tables 8, 9 and 12 of ESCAPE D3.5. The files are made by hand
// (tests/data/gpu_profiles): no GPU was at hand.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

const std::string profiles = CPL_LB_TEST_DATA "/gpu_profiles/";
constexpr double cells = 3.2e6;

std::vector<GpuKernel> kernels_in(const std::vector<std::string> &files) {
    return characteristics_of(read_gpu_profile(files), cells);
}

GpuKernel printed(const std::string &name) {
    const std::vector<GpuKernel> all = read_gpu_kernels(CPL_LB_KERNELS "/acraneb2.csv");
    return *std::find_if(all.begin(), all.end(), [&](const GpuKernel &k) { return k.name == name; });
}

void check_table_9(const GpuKernel &k, const std::string &name) {
    INFO(name);
    const GpuKernel table_9 = printed(name);
    CHECK(k.launches == 2);
    CHECK(k.inactive == Approx(table_9.inactive).epsilon(1e-5));
    CHECK(k.miscellaneous == Approx(table_9.miscellaneous).epsilon(1e-5));
    CHECK(k.control == Approx(table_9.control).epsilon(1e-5));
    CHECK(k.transfer_efficiency == Approx(table_9.transfer_efficiency).epsilon(5e-5));
    CHECK(k.requested_B == Approx(table_9.requested_B).epsilon(5e-5));
    CHECK(k.integers == Approx(table_9.integers));
    CHECK(k.singles == Approx(table_9.singles));
    CHECK(k.doubles == Approx(table_9.doubles));
    CHECK(k.warp_instructions == Approx(table_9.warp_instructions));
    CHECK(k.instructions_per_cycle == Approx(table_9.instructions_per_cycle));
    // Table 12: the model's time on the GeForce 970, of both launches, three digits.
    const CsvTable table_12 = CsvTable::from_file(CPL_LB_TEST_DATA "/escape/table12.csv");
    for (std::size_t row = 0; row < table_12.rows(); ++row) {
        if (table_12.text(row, "kernel") == name) {
            CHECK(gpu_time(k, load_machine("geforce_970"), cells).total_s() ==
                  Approx(table_12.number(row, "total_printed")).epsilon(0.002));
        }
    }
}

std::string text_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The file with all that matches replaced.
std::string changed(const TemporaryFolder &folder, const std::string &file, const std::string &what,
                    const std::string &by) {
    const std::string before = text_of(profiles + file), after = std::regex_replace(before, std::regex(what), by);
    REQUIRE(before != after);
    std::ofstream(folder / file) << after;
    return folder / file;
}

} // namespace

TEST_CASE("nvprof: metrics and summary give table 9, and the time of table 12") {
    const std::vector<GpuKernel> kernels =
        kernels_in({profiles + "nvprof_metrics.csv", profiles + "nvprof_summary.csv"});
    REQUIRE(kernels.size() == 1); // neither the copies nor the API calls of the summary
    CHECK(kernels[0].name == "acraneb_transt3_649_gpu(int, double const *)");
    check_table_9(kernels[0], "649");
    CHECK(read_gpu_profile({profiles + "nvprof_metrics.csv"}).card == "GeForce GTX 970");
}

TEST_CASE("Nsight Compute: one row for each metric, or one for each launch") {
    for (const char *const file : {"ncu_details.csv", "ncu_raw.csv"}) {
        INFO(file);
        const std::vector<GpuKernel> kernels = kernels_in({profiles + file});
        REQUIRE(kernels.size() == 1);
        check_table_9(kernels[0], "589");
        CHECK(read_gpu_profile({profiles + file}).kernels[0].metrics.at(gpu_duration).mean() == Approx(0.120));
    }
}

TEST_CASE("Nsight Compute: other names of the same figures") {
    const TemporaryFolder folder;
    const auto one = [&](const std::string &what, const std::string &by) {
        return kernels_in({changed(folder, "ncu_raw.csv", what, by)})[0];
    };
    // 0.727 of a multiprocessor, or 0.18175 of each of its four parts.
    const std::string cycles = "sm__cycles_active.sum", value = "\"1,870,701,513\"";
    const std::string renamed = text_of(profiles + "ncu_raw.csv");
    const auto with = [&](const std::string &name, const std::string &number) {
        std::string text = std::regex_replace(renamed, std::regex(cycles), name);
        std::ofstream(folder / "x.csv") << std::regex_replace(text, std::regex(value), number);
        return kernels_in({folder / "x.csv"})[0].instructions_per_cycle;
    };
    CHECK(with("sm__inst_executed.avg.per_cycle_active", "\"0.727\"") == Approx(0.727));
    CHECK(with("smsp__inst_executed.avg.per_cycle_active", "\"0.18175\"") == Approx(0.727));
    // 5 GB/s of loads for the mean of 120 ms, and the stores as before.
    const GpuKernel rates = one("global_op_ld.sum\"", "global_op_ld.sum.per_second\"");
    CHECK(rates.requested_B == Approx((0.7 * 5e9 * 0.12 + 0.4583 * 2.69706e9) / cells));
    check_table_9(one("smsp__sass_thread", "sm__sass_thread"), "589");
    check_table_9(one("smsp__inst_executed.sum", "sm__inst_executed.sum"), "589");
    check_table_9(one("msecond", "ms"), "589");
    // No stores: nothing of which a part could be used.
    const GpuKernel loads = one(R"("2,697.06","70","45.83")", R"("0","70","n/a")");
    CHECK(loads.transfer_efficiency == Approx(0.7));
    CHECK(loads.requested_B == Approx(3.5e9 / cells));
}

TEST_CASE("averages over cards, and what they write is read again") {
    const TemporaryFolder folder;
    const std::vector<GpuKernel> one = kernels_in({profiles + "ncu_raw.csv"});
    std::vector<GpuKernel> other = one;
    other[0].instructions_per_cycle = 0.873;
    other[0].inactive = 0.5138;
    const std::vector<GpuKernel> mean = average_over_cards({one, other});
    CHECK(mean[0].instructions_per_cycle == Approx(0.8)); // (0.727 + 0.873) / 2
    CHECK(mean[0].inactive == Approx(0.5));               // (0.4862 + 0.5138) / 2
    CHECK(mean[0].doubles == Approx(493));
    CHECK(mean[0].launches == 2);
    std::ofstream(folder / "k.csv") << gpu_kernels_as_csv(mean);
    CHECK(read_gpu_kernels(folder / "k.csv")[0].instructions_per_cycle == Approx(0.8));
    other[0].launches = 3;
    CHECK_THROWS_WITH(average_over_cards({one, other}),
                      "--profile 2: kernel acraneb_transt3_589_gpu has 3 launches, and 2 in the first");
    other[0].name = "b";
    CHECK_THROWS_WITH(average_over_cards({one, other}),
                      "--profile 2: its kernels are not those of the first (acraneb_transt3_589_gpu)");
}

TEST_CASE("profiles: what is missing or wrong is named, with file, line and column") {
    const TemporaryFolder folder;
    const std::string metrics = profiles + "nvprof_metrics.csv", summary = profiles + "nvprof_summary.csv";
    const auto fails = [&](const std::vector<std::string> &files, const std::string &how) {
        CHECK_THROWS_WITH(kernels_in(files), Catch::Contains(how));
    };
    fails({metrics}, "kernel acraneb_transt3_649_gpu(int, double const *): the profile lacks its duration: ");
    fails({summary}, "nvprof_summary.csv: no metric of a kernel that the model uses");
    fails({metrics, metrics, summary}, "nvprof_metrics.csv:7: column Avg: inst_executed of kernel "
                                       "acraneb_transt3_649_gpu(int, double const *) is in a file before, too");
    const auto nvprof = [&](const std::string &what, const std::string &by, const std::string &how) {
        fails({changed(folder, "nvprof_metrics.csv", what, by), summary}, how);
    };
    nvprof("inst_misc", "inst_other",
           "the profile lacks inst_misc (nvprof) or smsp__sass_thread_inst_executed_op_misc");
    nvprof("\"gst_throughput", "\"x", "the profile lacks gst_throughput");
    nvprof("\"g(l|s)", "\"x$1",
           "the profile lacks gld_requested_throughput and gld_throughput (nvprof) or l1tex__t_bytes");
    nvprof("9440000000", "94", "instructions of threads are more than 32 for each of 94 instructions of warps");
    nvprof("0.450000\n", "0.45 furlongs\n", "nvprof_metrics.csv:15: column Avg: not a unit that is known:  furlongs");
    nvprof("0.450000\n", "some\n", "nvprof_metrics.csv:15: column Avg: not a number that a counter can have: some");
    nvprof("0.450000\n", "0.45,1\n", "nvprof_metrics.csv:15: 9 cells where the header has 8");
    nvprof(
        "970 \\(0\\)\",\"(.*)\",2,\"ipc", "980 (1)\",\"$1\",2,\"ipc",
        "nvprof_metrics.csv:15: column Device: GeForce GTX 980, and GeForce GTX 970 before: one --profile for each");
    nvprof("\",2,\"ipc", "\",0,\"ipc", "nvprof_metrics.csv:15: column Invocations: less than 1: 0");
    fails({changed(folder, "nvprof_summary.csv", ",%,s,,ms,ms,ms,\n", ""), metrics},
          "nvprof_summary.csv:5: column Avg: no row of units below the header");
    fails({changed(folder, "ncu_raw.csv", "\"\",\"\".*\n", "")},
          "ncu_raw.csv:6: column Kernel Name: no row of units below the header");
    fails({changed(folder, "ncu_raw.csv", "\"%\"", "\"x\"")},
          "ncu_raw.csv:7: column smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct: not a unit");
    fails({changed(folder, "ncu_details.csv", "\"1,360,000,000\"", "\"-1\"")},
          "ncu_details.csv:7: column Metric Value: not a number that a counter can have: -1");
    fails({changed(folder, "ncu_details.csv", "\"7.0\",(.*)fp64", "\"8.0\",$1fp64")},
          "ncu_details.csv:15: column CC: compute capability 8.0, and compute capability 7.0 before");
    fails({folder / "nowhere.csv"}, "nowhere.csv: cannot read: No such file or directory");
    fails({CPL_LB_KERNELS "/acraneb2.csv"}, "acraneb2.csv: no table of a profiler: nvprof --csv --metrics");
}
