// The GPU model against tables 12 to 20 of ESCAPE D3.5, printed by the paper's own program.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "support/fmt.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

const std::string tables = CPL_LB_TEST_DATA "/escape/";

std::vector<GpuKernel> acraneb2() {
    return read_gpu_kernels(CPL_LB_KERNELS "/acraneb2.csv");
}

struct PrintedTable {
    std::string file, machine;
    double cells, square_error; // the latter in per cent, from the caption
};

// Relative distance of `value` from the numbers that print as `printed` with three digits.
double beyond_print(double value, double printed) {
    const double half_digit = 0.005 * std::pow(10, std::floor(std::log10(printed)));
    return std::max(0.0, std::abs(value - printed) - half_digit) / printed;
}

double limit_of(const PrintedTable &t, const std::string &kernel) {
    return t.machine == "2070q" && (kernel == "589" || kernel == "956") ? 0.016 : 0.005;
}

GpuTime of_dwarf(const std::string &machine, double cells) {
    GpuTime sum;
    for (const GpuKernel &k : acraneb2())
        sum += gpu_time(k, load_machine(machine), cells);
    return sum;
}

} // namespace

TEST_CASE("tables 12 to 17: each kernel within 0.5 %, 589 and 956 on the Fermi card within 1.6 %") {
    const auto t =
        GENERATE(PrintedTable{"table12.csv", "geforce_970", 3.2e6, 8}, PrintedTable{"table13.csv", "k20m", 3.2e6, 15},
                 PrintedTable{"table14.csv", "2070q", 3.2e6, 23}, PrintedTable{"table15.csv", "geforce_970", 8e5, 7},
                 PrintedTable{"table16.csv", "k20m", 8e5, 15}, PrintedTable{"table17.csv", "2070q", 8e5, 23});
    const CsvTable printed = CsvTable::from_file(tables + t.file);
    const std::vector<GpuKernel> kernels = acraneb2();
    REQUIRE(printed.rows() == kernels.size() + 1);
    std::vector<double> differences;
    for (std::size_t row = 0; row < kernels.size(); ++row) {
        INFO(t.file << " kernel " << kernels[row].name);
        REQUIRE(printed.text(row, "kernel") == kernels[row].name);
        const GpuTime time = gpu_time(kernels[row], load_machine(t.machine), t.cells);
        CHECK(time.total_s() == Approx(printed.number(row, "total_printed")).epsilon(limit_of(t, kernels[row].name)));
        // Clock and instructions per cycle are printed with three digits: up to 0.36 % and 0.11 %.
        CHECK(beyond_print(time.compute_s(), printed.number(row, "compute")) < 0.0047);
        CHECK(beyond_print(time.waiting_s(), printed.number(row, "inactive")) < 0.0047);
        differences.push_back(time.total_s() / printed.number(row, "simulated_printed") - 1);
    }
    const std::size_t dwarf = kernels.size();
    CHECK(beyond_print(of_dwarf(t.machine, t.cells).total_s(), printed.number(dwarf, "total_printed")) < 0.005);
    CHECK(std::round(100 * root_mean_square(differences)) == Approx(t.square_error).margin(1e-9));
}

TEST_CASE("tables 18 to 20: model times to the printed digits, one unit of the last in two rows") {
    int same = 0, rows = 0;
    for (const auto &[file, machine] : {std::pair{"table18.csv", "geforce_970"}, std::pair{"table19.csv", "k20m"},
                                        std::pair{"table20.csv", "2070q"}}) {
        const CsvTable printed = CsvTable::from_file(tables + file);
        for (std::size_t row = 0; row < printed.rows(); ++row, ++rows) {
            const std::string &domain = printed.text(row, "size");
            INFO(file << " " << domain);
            const double seconds = of_dwarf(machine, cells_of(domain)).total_s();
            const double expected = printed.number(row, "T_sim_s");
            same += fmt::format("{:.2E}", seconds) == fmt::format("{:.2E}", expected) ? 1 : 0;
            CHECK(beyond_print(seconds, expected) < 0.001);
        }
    }
    CHECK(rows == 30);
    CHECK(same >= 28);
}

TEST_CASE("one kernel by hand") {
    Machine m;
    m.name = "card";
    m.has_gpu = true;
    m.gpu.clock_Hz = 1e9;
    m.gpu.multiprocessors = 10;
    m.gpu.double_flop_per_s = 1e11;
    m.gpu.single_per_cycle = 100; // no printed peak: 2 x 1e9 x 10 x 100 = 2e12
    m.gpu.integer_op_per_s = 5e11;
    m.gpu.B_per_s = 1e11;
    GpuKernel k{"k", 3, 0.5, 0.25, 0.125, 0.5, 100, 50, 200, 10, 20, 0.5};
    const GpuTime t = gpu_time(k, m, 1e6);
    const double issue = 3 * 1e6 * 20 / (0.5 * 1e9 * 10); // 0.012 s
    CHECK(t.inactive_s == Approx(0.5 * issue));
    CHECK(t.miscellaneous_s == Approx(0.25 * issue));
    CHECK(t.control_s == Approx(0.125 * issue));
    CHECK(t.single_s == Approx(3 * 1e6 * 200 * 2 / 2e12));       // 0.0006 s
    CHECK(t.double_s == Approx(3 * 1e6 * 10 * 2 / 1e11));        // 0.0006 s
    CHECK(t.integer_s == Approx(3 * 1e6 * 50 / 5e11));           // 0.0003 s
    CHECK(t.transfer_s == Approx(3 * 1e6 * 100 / (1e11 * 0.5))); // 0.006 s
    CHECK(t.total_s() == Approx(0.0105 + 0.0015 + 0.006));
    m.gpu.architecture = "fermi"; // 0.5 x 2/3 from 40 % on
    CHECK(gpu_time(k, m, 1e6).transfer_s == Approx(0.006 * 3 / 2));
    k.transfer_efficiency = 0.39; // a quarter below
    CHECK(gpu_time(k, m, 1e6).transfer_s == Approx(3e8 / (1e11 * 0.39 / 4)));
    m.gpu.B_per_s = unknown;
    CHECK_THROWS_WITH(gpu_time(k, m, 1e6), "card: the GPU model needs the bandwidth");
    m.has_gpu = false;
    CHECK_THROWS_WITH(gpu_time(k, m, 1e6), "card: not a GPU");
}

TEST_CASE("a peak is the product of clock and units where both agree to three digits") {
    GpuFacts g;
    g.clock_Hz = 1.38e9;
    g.multiprocessors = 13;
    g.double_per_cycle = 4;
    g.double_flop_per_s = 1.44e11; // 2 x 1.38e9 x 13 x 4 = 1.4352e11, printed 1.44e11
    CHECK(gpu_peaks(g).double_flop_per_s == Approx(1.4352e11));
    g.double_flop_per_s = 1.45e11;
    CHECK(gpu_peaks(g).double_flop_per_s == 1.45e11);
    g.double_flop_per_s = unknown;
    CHECK(gpu_peaks(g).double_flop_per_s == Approx(1.4352e11));
}

TEST_CASE("domains") {
    CHECK(cells_of("200x200x80") == 3.2e6);
    CHECK(cells_of("7") == 7);
    for (const char *bad : {"", "x", "2x", "0x3", "-1x2", "2x3.5", "2 x 3"})
        CHECK_THROWS(cells_of(bad));
}
