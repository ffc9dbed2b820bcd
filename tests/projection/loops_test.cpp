// Loops, their coefficients and nodes: tables 24, 25, 30, 31 of ESCAPE D3.5 and cases by hand.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/least_squares.hpp"
#include "projection/models/loop_fit.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/models/projection_error.hpp"
#include "support/fmt.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

const std::string tables = CPL_LB_TEST_DATA "/escape/";

Machine by_hand() {
    Machine m;
    m.name = std::string("M"); // not = "M": a false alarm of g++ 12
    for (const auto &[threads, flops, L1, dram] :
         {std::tuple{1, 10e9, 100e9, 10e9}, std::tuple{2, 20e9, 200e9, 15e9}, std::tuple{4, 40e9, 400e9, 18e9}}) {
        const MachineSetting at{threads, 1e9};
        m.flop_rates.push_back({"", at, flops});
        m.bandwidths.push_back({"L1", "", at, L1});
        m.bandwidths.push_back({"DRAM", "", at, dram});
    }
    return m;
}

} // namespace

TEST_CASE("non-negative least squares: optima found by another program") {
    // Octave 7.3: lsqnonneg([1 2;3 1;2 2;1 0],[2;-1;1;0]) = [0; 0.5555556] ( = (2*2+1*-1+2*1)/(4+1+4) = 5/9)
    NonNegativeFit fit = non_negative_least_squares({{1, 2}, {3, 1}, {2, 2}, {1, 0}}, {2, -1, 1, 0});
    CHECK(fit.coefficients[0] == 0);
    CHECK(fit.coefficients[1] == Approx(5.0 / 9));
    // All values negative: nothing is better than zero, and the residual is their norm.
    fit = non_negative_least_squares({{1, 2}, {3, 1}}, {-3, -4});
    CHECK(fit.coefficients == std::vector<double>{0, 0});
    CHECK(fit.residual == Approx(5));
    // Dependent columns: the smallest support, not an error. Columns of very different sizes.
    fit = non_negative_least_squares({{1, 2}, {2, 4}, {3, 6}}, {2, 4, 6});
    CHECK(fit.coefficients[0] * 1 + fit.coefficients[1] * 2 == Approx(2));
    CHECK((fit.coefficients[0] == 0 || fit.coefficients[1] == 0));
    fit = non_negative_least_squares({{1e12, 1e-6}, {2e12, 3e-6}, {5e12, 1e-6}}, {3e12 + 2e-6, 6e12 + 6e-6, 15e12});
    CHECK(fit.coefficients[0] == Approx(3));
    CHECK_THROWS(non_negative_least_squares({}, {}));
    CHECK_THROWS(non_negative_least_squares({{1, 2}, {1}}, {1, 2}));
    CHECK_THROWS(non_negative_least_squares({{1}}, {std::nan("")}));
}

TEST_CASE("table 24: work from iterations, to the printed digits") {
    const CsvTable printed = CsvTable::from_file(tables + "table24_SH_WQ.csv");
    const std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh_tco639.csv");
    REQUIRE(loops.size() == 15);
    REQUIRE(printed.rows() == 15);
    for (std::size_t row = 0; row < 15; ++row) {
        INFO(loops[row].name);
        REQUIRE(printed.text(row, "loop") == loops[row].name);
        const double flop = printed.known_or_nan(row, "W_flop");
        REQUIRE(is_known(flop) == is_known(loops[row].flop));
        if (is_known(flop)) CHECK(loops[row].flop == Approx(flop).epsilon(0.5e-5));
        CHECK(loops[row].moved_B == Approx(printed.number(row, "Q_byte")).epsilon(0.5e-5));
    }
}

TEST_CASE("table 30: the coefficients that come with the command are those printed") {
    const CsvTable printed = CsvTable::from_file(tables + "table30_SH_coeffs.csv");
    const std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh_tco639.csv");
    REQUIRE(printed.rows() == loops.size());
    for (std::size_t row = 0; row < loops.size(); ++row) {
        INFO(loops[row].name);
        CHECK(printed.text(row, "loop") == loops[row].name);
        const LoopCoefficients &c = loops[row].coefficients;
        CHECK(c.v == printed.number(row, "V"));
        CHECK(c.x == printed.number(row, "X"));
        CHECK(c.y == printed.number(row, "Y"));
        CHECK(c.z == printed.number(row, "Z"));
        const double u = printed.known_or_nan(row, "U"); // the paper prints none where nothing is computed
        CHECK(is_known(u) == is_known(c.u));
        if (is_known(u)) CHECK(c.u == u);
    }
}

TEST_CASE("table 25: clock x numbers in a vector x operations in a cycle x cores") {
    const Machine m = load_machine("xeon_e5_2697v3");
    for (const double GHz : {1.2, 1.4, 1.6, 1.8, 2.0, 2.4, 2.6}) {
        for (int cores = 1; cores <= 14; ++cores) {
            INFO(GHz << " GHz, " << cores << " cores");
            const double peak = peak_flop_per_s(GHz * 1e9, 4, 2, cores);
            CHECK(node_rates(m, {cores, GHz * 1e9}).flop_per_s == Approx(peak).epsilon(1e-9));
        }
    }
    // Table 37, AVX-512 with two units: 2.4 GHz x 8 x 4 = 76.8 GFLOP/s on each of 40 cores.
    CHECK(node_rates(load_machine("xeon_gold_6148"), {40, unknown}).flop_per_s ==
          Approx(peak_flop_per_s(2.4e9, 8, 4, 40)));
}

TEST_CASE("table 31: work of one of n nodes, to the printed digits") {
    const std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh_tco639.csv");
    const CsvTable printed = CsvTable::from_file(tables + "table31_SH_WQ_nodes.csv");
    const NodeRates rates = node_rates(load_machine("xeon_e5_2697v3"), {14, 2.6e9});
    const std::vector<std::pair<std::size_t, std::size_t>> rows = {{2, 0}, {3, 1}, {4, 2}, {5, 6},
                                                                   {6, 8}, {7, 9}, {8, 13}};
    for (const auto &[row, loop] : rows) {
        for (const int n : {1, 2, 4, 8}) {
            INFO(loops[loop].name << " on " << n);
            // Q of a node is its time over the time of a byte.
            const double moved = loop_time(loops[loop], rates, 1.0 / n).move_s / seconds_per_byte(loops[loop], rates);
            // Both are printed with six digits.
            CHECK(moved == Approx(printed.number(row, fmt::format("n{}", n))).epsilon(1e-5));
        }
    }
    const double flop = loop_time(loops[0], rates, 1.0 / 8).compute_s / seconds_per_flop(loops[0], rates);
    CHECK(flop == Approx(printed.number(0, "n8")).epsilon(0.5e-5));
}

TEST_CASE("a loop and a code by hand") {
    const NodeRates rates = node_rates(by_hand(), {2, 1e9}); // 20 GFLOP/s, L1 200 GB/s, DRAM 15 GB/s
    CodeLoop a{"a", 8e9, 60e9, {0.5, 0, 0.1, 0, 0, 0.2}};
    CHECK(seconds_per_flop(a, rates) == Approx(1 / 10e9));
    CHECK(seconds_per_byte(a, rates) == Approx(1 / 23e9)); // 0.1 x 200 + 0.2 x 15
    CHECK(loop_time(a, rates, 1).compute_s == Approx(0.8));
    CHECK(loop_time(a, rates, 1).total_s() == Approx(60.0 / 23));
    a.coefficients.s_flop_per_s = -9e9; // 0.5 x 20 - 9 = 1 GFLOP/s (table 41's constant)
    CHECK(loop_time(a, rates, 1).total_s() == Approx(8));
    const CodeLoop b{"b", unknown, 30e9, {unknown, 0, 0, 0, 0, 1}};      // 2 s
    const NodeExchange exchange{1e-9, 3e6, 2e6, 100};                    // 0.5 s
    const NodeRates slow = node_rates(by_hand(), {1, 1e9});              // 10 GFLOP/s: 0.5 x 10 - 9 < 0
    CHECK(code_time({a, b}, {rates}, exchange).total_s() == Approx(10)); // one node sends nothing
    CHECK(code_time({a, b}, {rates, rates}, exchange).total_s() == Approx(5 + 0.5));
    const CodeTime mixed = code_time({b}, {rates, slow}, {}); // half of it at 15 GB/s and at 10 GB/s
    CHECK(mixed.slowest == 1);
    CHECK(mixed.total_s() == Approx(1.5));
    CHECK_THROWS_WITH(loop_time(a, slow, 1), "loop a: U makes its flop rate zero");
    CHECK_THROWS_WITH(loop_time({"c", unknown, 1, {unknown, 0, 0, 0, 1, 0}}, rates, 1),
                      "loop c: M has no bandwidth of L3 at these threads and this clock");
    CHECK_THROWS_WITH(loop_time({"d", 1, unknown, {}}, rates, 1), "loop d: it has operations and no coefficient U");
}

TEST_CASE("coefficients come back from the rates of a loop, and predict runs they have not seen") {
    // Rates by table 30 (ftinv_ctl_fourier_in_54: 0.3914 L3 + 0.9997 DRAM) and tables 28 and 29, rounded to what a
    // stopwatch shows of a loop that moves 10^12 bytes: 3 digits.
    const Machine m = load_machine("xeon_e5_2697v3");
    std::vector<LoopRun> runs;
    for (const double GHz : {1.2, 1.8, 2.6}) {
        for (const int cores : {1, 2, 5, 8, 12}) {
            const MachineSetting at{cores, GHz * 1e9};
            const double rate = 0.3914 * bandwidth_of(m, "L3", at) + 0.9997 * bandwidth_of(m, "DRAM", at);
            const double seconds = 1e12 / rate;
            const double digit = std::pow(10, std::floor(std::log10(seconds)) - 2);
            runs.push_back({at, unknown, 1e12, std::round(seconds / digit) * digit});
        }
    }
    const LoopFit fit = fit_loop("fourier_in", runs, m);
    CHECK(fit.coefficients.v == Approx(0).margin(0.01));
    CHECK(fit.coefficients.y == Approx(0.3914).epsilon(0.05));
    CHECK(fit.coefficients.z == Approx(0.9997).epsilon(0.05));
    for (std::size_t r = 0; r < runs.size(); ++r)
        CHECK(std::abs(fit.left_out_error[r]) < 0.01);
}

TEST_CASE("fit: U by hand, a wrong run shows when it is left out, what is missing is named") {
    // 30 % of the peak at all settings but the last, which reaches 60 %: U = (0.3 (1 + 4) + 0.6 x 16) / 21 of the
    // squares of 10, 20, 40 = 11.1 / 21.
    const Machine m = by_hand();
    std::vector<LoopRun> runs = {
        {{1, 1e9}, 3e9, unknown, 1}, {{2, 1e9}, 6e9, unknown, 1}, {{4, 1e9}, 24e9, unknown, 1}};
    const LoopFit fit = fit_loop("k", runs, m);
    CHECK(fit.coefficients.u == Approx(11.1 / 21));
    CHECK(fit.error[0] == Approx(0.3 / (11.1 / 21) - 1));
    CHECK(fit.left_out_error[2] == Approx(1.0)); // predicted with 0.3: twice the time
    runs.front().at.threads = 8;
    CHECK_THROWS_WITH(fit_loop("k", runs, m),
                      "loop k: M has no flop rate at the clocks and threads that were measured");
    runs = {{{1, 1e9}, 1e9, unknown, 1}}; // one run tells the one coefficient U, and nothing checks it
    CHECK(std::isnan(fit_loop("k", runs, m).left_out_error[0]));
    runs = {{{1, 1e9}, unknown, 1e9, 1}}; // but not V and Z
    CHECK_THROWS_WITH(fit_loop("k", runs, m),
                      Catch::StartsWith("loop k: 1 run with bytes cannot tell the coefficients of M's 2 levels"));
    runs.assign(3, runs.front()); // nor do repetitions of it
    CHECK_THROWS_AS(fit_loop("k", runs, m), ProjectionError);
    // V = 0.1, Z = 0.5: 15 GB/s at 1 thread, 27.5 at 2. Through two runs; neither can be left out.
    const LoopFit two = fit_loop("k", {{{1, 1e9}, unknown, 15e9, 1}, {{2, 1e9}, unknown, 27.5e9, 1}}, m);
    CHECK(two.coefficients.z == Approx(0.5));
    CHECK(std::isnan(two.left_out_error[0]));
}
