// What Nsight Compute writes of GPU kernels, against tables 8, 9 and 12 of ESCAPE D3.5. The file is made by hand
// (tests/data/gpu_profiles): no GPU was at hand.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>
#include <tuple>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

const std::string profile = CPL_LB_TEST_DATA "/gpu_profiles/ncu_raw.csv";
constexpr double cells = 3.2e6;

std::vector<GpuKernel> kernels_in(const std::string &file) {
    return characteristics_of(read_gpu_profile(file), cells);
}

GpuKernel printed(const std::string &name) {
    const std::vector<GpuKernel> all = read_gpu_kernels(CPL_LB_KERNELS "/acraneb2.csv");
    return *std::find_if(all.begin(), all.end(), [&](const GpuKernel &k) { return k.name == name; });
}

void check_table_9(const GpuKernel &k, const std::string &name) {
    INFO(name);
    const GpuKernel table_9 = printed(name);
    for (const GpuFigure &f : gpu_figures()) {
        const std::string column = f.column;
        const bool is_traffic = column == "transfer_efficiency" || column == "requested_B";
        CHECK(k.*f.figure == Approx(table_9.*f.figure).epsilon(is_traffic ? 5e-5 : 1e-5));
    }
    // Table 12: the model's time on the GeForce 970, of both launches, three digits.
    const CsvTable table_12 = CsvTable::from_file(CPL_LB_TEST_DATA "/escape/table12.csv");
    for (std::size_t row = 0; row < table_12.rows(); ++row) {
        if (table_12.text(row, "kernel") == name) {
            CHECK(gpu_time(k, load_machine("geforce_970"), cells).total_s() ==
                  Approx(table_12.number(row, "total_printed")).epsilon(0.002));
        }
    }
}

// The file with all that matches replaced.
std::string changed(const TemporaryFolder &folder, const std::string &what, const std::string &by) {
    const std::string before = test::contents(profile), after = std::regex_replace(before, std::regex(what), by);
    REQUIRE(before != after);
    return write(folder, "ncu_raw.csv", after);
}

} // namespace

TEST_CASE("Nsight Compute: one row for each launch gives table 9, and the time of table 12") {
    const std::vector<GpuKernel> kernels = kernels_in(profile);
    REQUIRE(kernels.size() == 1);
    check_table_9(kernels[0], "589");
}

TEST_CASE("Nsight Compute: other names of the same figures") {
    const TemporaryFolder folder;
    const auto one = [&](const std::string &what, const std::string &by) {
        return kernels_in(changed(folder, what, by))[0];
    };
    // Instructions per cycle instead of the cycles.
    const std::string text = std::regex_replace(test::contents(profile), std::regex("sm__cycles_active.sum"),
                                                "sm__inst_executed.avg.per_cycle_active");
    const std::string file =
        write(folder, "x.csv", std::regex_replace(text, std::regex("\"1,870,701,513\""), "\"0.72\""));
    CHECK(kernels_in(file)[0].instructions_per_cycle == Approx(0.72));
    check_table_9(one("smsp__sass_thread", "sm__sass_thread"), "589");
    check_table_9(one("smsp__inst_executed.sum", "sm__inst_executed.sum"), "589");
    // No stores: nothing of which a part could be used.
    const GpuKernel loads = one(R"("2,697.06","70","45.83")", R"("0","70","n/a")");
    CHECK(loads.transfer_efficiency == Approx(0.7));
    CHECK(loads.requested_B == Approx(3.5e9 / cells));
}

TEST_CASE("averages over cards, and what they write is read again") {
    const TemporaryFolder folder;
    const std::vector<GpuKernel> one = kernels_in(profile);
    std::vector<GpuKernel> other = one;
    other[0].instructions_per_cycle = 0.873;
    other[0].inactive = 0.5138;
    const std::vector<GpuKernel> mean = average_over_cards({one, other});
    CHECK(mean[0].instructions_per_cycle == Approx(0.8)); // (0.727 + 0.873) / 2
    CHECK(mean[0].inactive == Approx(0.5));               // (0.4862 + 0.5138) / 2
    CHECK(mean[0].doubles == Approx(493));
    CHECK(mean[0].launches == 2);
    CHECK(read_gpu_kernels(write(folder, "k.csv", gpu_kernels_as_csv(mean)))[0].instructions_per_cycle ==
          Approx(0.8));
    other[0].launches = 3;
    CHECK_THROWS_WITH(average_over_cards({one, other}),
                      "--profile 2: kernel acraneb_transt3_589_gpu has 3 launches, and 2 in the first");
    other[0].name = "b";
    CHECK_THROWS_WITH(average_over_cards({one, other}),
                      "--profile 2: its kernels are not those of the first (acraneb_transt3_589_gpu)");
}

TEST_CASE("profiles: what is missing or wrong is named, with file, line and column") {
    const TemporaryFolder folder;
    const std::string efficiency = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
    const std::tuple<const char *, const char *, std::string> cases[] = {
        {"op_misc", "op_other",
         "kernel acraneb_transt3_589_gpu: the profile lacks smsp__sass_thread_inst_executed_op_misc_pred_on.sum"},
        {"global_op_st.sum", "x", "the profile lacks l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"},
        {"global_op_ld.pct", "x", "the profile lacks " + efficiency},
        {"1,360,000,000", "94", "instructions of threads are more than 32 for each of 94 instructions of warps"},
        {"1,360,000,000", "-1",
         "ncu_raw.csv:7: column smsp__inst_executed.sum: not a number that a counter can have"},
        {"1,360,000,000\",", R"(1","2",)", "ncu_raw.csv:7: 28 cells where the header has 27"},
        {"\"\",\"\".*\n", "", "ncu_raw.csv:6: column Kernel Name: no row of units below the header"},
        {"\"%\"", "\"x\"", "ncu_raw.csv:7: column " + efficiency + ": not a unit that is known: x"},
        {R"("7.0","130)", R"("8.0","130)", "ncu_raw.csv:8: column CC: another card than before: one --profile for"}};
    for (const auto &[what, by, said] : cases)
        CHECK_THROWS_WITH(kernels_in(changed(folder, what, by)), Catch::Contains(said));
    CHECK_THROWS_WITH(kernels_in(folder / "nowhere.csv"),
                      Catch::Contains("nowhere.csv: cannot read: No such file or directory"));
    CHECK_THROWS_WITH(kernels_in(CPL_LB_KERNELS "/acraneb2.csv"),
                      Catch::Contains("acraneb2.csv: no table of a profiler: ncu --csv --page raw"));
}
