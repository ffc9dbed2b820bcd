// Loops, their coefficients and nodes: tables 24, 25, 30, 31 of ESCAPE D3.5 and cases by hand.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
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

WorkParameters tco639() {
    return WorkParameters::of_case(CPL_LB_KERNELS "/sh_cases.csv", "TCO639");
}

} // namespace

TEST_CASE("non-negative least squares: optima found by another program") {
    // Octave 7.3: lsqnonneg([1 2;3 1;2 2;1 0],[2;-1;1;0]) = [0; 0.5555556] ( = (2*2+1*-1+2*1)/(4+1+4) = 5/9)
    NonNegativeFit fit = non_negative_least_squares({{1, 2}, {3, 1}, {2, 2}, {1, 0}}, {2, -1, 1, 0});
    CHECK(fit.coefficients[0] == 0);
    CHECK(fit.coefficients[1] == Approx(5.0 / 9));
    CHECK(std::isnan(fit.half_width[0]));
    // Half of the 95 % intervals: Octave, ordinary least squares with t = sqrt(df (1/x - 1)), x = betaincinv(0.05,
    // df/2, 1/2).
    fit = non_negative_least_squares({{1, 2}, {3, 1}, {2, 2}, {1, 0}, {4, 5}}, {2, 7, 5, 1, 14});
    CHECK(fit.coefficients[0] == Approx(1.9765258216));
    CHECK(fit.half_width[0] == Approx(1.93765861281));
    CHECK(fit.half_width[1] == Approx(1.85019989296));
    fit = non_negative_least_squares({{1, 2}, {3, 1}}, {4, 5}); // through both: nothing tells how well
    CHECK(std::isnan(fit.half_width[0]));
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

TEST_CASE("tables 24 and 30: work from iterations, to the printed digits, and the printed coefficients") {
    const CsvTable printed = CsvTable::from_file(tables + "table24_SH_WQ.csv"),
                   coefficients = CsvTable::from_file(tables + "table30_SH_coeffs.csv");
    const std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh.csv", tco639());
    REQUIRE(loops.size() == 15);
    REQUIRE(printed.rows() == 15);
    for (std::size_t row = 0; row < 15; ++row) {
        INFO(loops[row].name);
        REQUIRE(printed.text(row, "loop") == loops[row].name);
        const double flop = printed.known_or_nan(row, "W_flop");
        REQUIRE(is_known(flop) == is_known(loops[row].flop));
        if (is_known(flop)) CHECK(loops[row].flop == Approx(flop).epsilon(0.5e-5));
        CHECK(loops[row].moved_B == Approx(printed.number(row, "Q_byte")).epsilon(0.5e-5));
        CHECK(coefficients.text(row, "loop") == loops[row].name);
        const LoopCoefficients &c = loops[row].coefficients;
        for (const auto &[column, value] : {std::pair{"V", c.v}, {"X", c.x}, {"Y", c.y}, {"Z", c.z}})
            CHECK(value == coefficients.number(row, column));
        const double u = coefficients.known_or_nan(row, "U"); // the paper prints none where nothing is computed
        CHECK(is_known(u) == is_known(c.u));
        if (is_known(u)) CHECK(c.u == u);
    }
}

TEST_CASE("tables 22 to 24: work in parameters") {
    // TL159: 159^2 x 80 x 0.833 x 100 x 274 = 25281 x 80 = 2022480, x 0.833 = 1684725.84, x 27400 = 4.6161488e10
    // iterations, two operations in each; the others 35718 x 27400 = 978673200 iterations.
    WorkParameters parameters = WorkParameters::of_case(CPL_LB_KERNELS "/sh_cases.csv", "TL159");
    std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh.csv", parameters);
    CHECK(loops[0].flop == Approx(2 * 4.6161488016e10));
    CHECK(loops[2].moved_B == Approx(16 * 978673200.0));
    parameters.set("ITER=10"); // of 100
    loops = read_loops(CPL_LB_KERNELS "/sh.csv", parameters);
    CHECK(loops[0].flop == Approx(2 * 4.6161488016e9));

    const auto table = [](const std::string &cells) { return CsvTable("l.csv", "loop,flops\na," + cells + "\n"); };
    CHECK(work_in(table("3"), 0, "flops", {}) == 3);
    CHECK(work_in(table("\"max(2*3, 4)\""), 0, "flops", {}) == 6);
    CHECK(std::isnan(work_in(table(""), 0, "flops", {})));
    CHECK(std::isnan(work_in(table("3"), 0, "bytes", {})));
    CHECK_THROWS_WITH(work_in(table("N*2"), 0, "flops", {}),
                      "l.csv:2: column flops: parameter 'N' has no value: --set N=NUMBER, or --parameters");
    CHECK_THROWS_WITH(work_in(table("N*2"), 0, "flops", parameters), Catch::Contains("parameter 'N' has no value"));
    CHECK_THROWS_WITH(work_in(table("3-ITER"), 0, "flops", parameters),
                      "l.csv:2: column flops: '3-ITER' is -7: must not be negative");
    CHECK_THROWS_WITH(work_in(table("3*("), 0, "flops", {}), Catch::StartsWith("l.csv:2: column flops: '3*(': "));
    CHECK_THROWS_WITH(work_in(table("1/(ITER-10)"), 0, "flops", parameters),
                      Catch::Contains("l.csv:2: column flops"));
    CHECK_THROWS_WITH(WorkParameters::of_case(CPL_LB_KERNELS "/sh_cases.csv", "T42"),
                      Catch::Contains("no case 'T42'; there are: TL159, TCO639"));
}

TEST_CASE("patterns of messages: bytes of the busiest node, by hand") {
    PatternedExchange x;
    x.plain = {1e-9, unknown, unknown, 10, 2e-6, 0};
    x.grid_x = 200;
    x.grid_y = 180;
    x.point_B = 100;
    // The field: 200 x 180 x 100 B = 3.6e6 B.
    x.pattern = ExchangePattern::all_to_all; // 4 nodes: each sends 3/16 of it and receives as much, in 3 messages
    CHECK(x.on(4).out_B == Approx(3.6e6 * 3 / 16));
    CHECK(x.on(4).in_B == Approx(3.6e6 * 3 / 16));
    // 10 x (1e-9 x 2 x 675000 + 2e-6 x 3) = 10 x (1.35e-3 + 6e-6) = 0.01356 s
    CHECK(x.on(4).seconds() == Approx(0.01356));
    CHECK(x.on(1).seconds() == 0);
    x.pattern = ExchangePattern::gather;
    CHECK(x.on(4).in_B == Approx(2.7e6));
    CHECK(x.on(4).out_B == 0);
    x.pattern = ExchangePattern::scatter;
    CHECK(x.on(4).out_B == Approx(2.7e6));
    x.pattern = ExchangePattern::halo;
    x.halo_width = 3;
    // 2 nodes: blocks of 100 x 180 share 180 columns, of 200 x 90 share 200: 180 x 3 deep x 100 B.
    CHECK(x.on(2).in_B == Approx(54000));
    CHECK(x.on(2).messages == 1);
    // 4 nodes: 2 x 2 blocks of 100 x 90, one neighbour each way: 190; 4 x 1: 2 x 180; 1 x 4: 2 x 200.
    CHECK(x.on(4).out_B == Approx(190 * 300));
    CHECK(x.on(4).messages == 2);
    // 9 nodes: 3 x 3 blocks of 67 x 60, the one in the middle has two neighbours each way: 2 (60 + 67) = 254.
    CHECK(x.on(9).out_B == Approx(254 * 300));
    CHECK(x.on(9).messages == 4);
    x.grid_x = 2;
    x.grid_y = 2;
    CHECK_THROWS_WITH(x.on(8), Catch::Contains("cannot be cut into 8 blocks"));
}

TEST_CASE("table 25: clock x numbers in a vector x operations in a cycle x cores") {
    const Machine m = load_machine("xeon_e5_2697v3");
    for (const double GHz : {1.2, 1.4, 1.6, 1.8, 2.0, 2.4, 2.6}) {
        for (int cores = 1; cores <= 14; ++cores) {
            INFO(GHz << " GHz, " << cores << " cores");
            const double peak = GHz * 1e9 * 4 * 2 * cores;
            CHECK(node_rates(m, {cores, GHz * 1e9}).flop_per_s == Approx(peak).epsilon(1e-9));
        }
    }
    // Table 37, AVX-512 with two units: 2.4 GHz x 8 x 4 = 76.8 GFLOP/s on each of 40 cores.
    CHECK(node_rates(load_machine("xeon_gold_6148"), {40, unknown}).flop_per_s == Approx(40 * 76.8e9));
}

TEST_CASE("table 31: work of one of n nodes, to the printed digits") {
    const std::vector<CodeLoop> loops = read_loops(CPL_LB_KERNELS "/sh.csv", tco639());
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
                      "loop c: M has no bandwidth of L3 in its file");
    const CodeLoop computes{"c", 1, unknown, {1, 0, 0, 0, 0, 0}}, moves{"c", unknown, 1, {unknown, 0, 0, 0, 0, 1}};
    CHECK_THROWS_WITH(loop_time(computes, node_rates(by_hand(), {9, unknown}), 1),
                      "loop c: M has no flop rate at 9 threads: ask for at most 4");
    CHECK_THROWS_WITH(loop_time(moves, node_rates(by_hand(), {9, unknown}), 1),
                      "loop c: M has no bandwidth of DRAM at 9 threads: ask for at most 4");
    Machine pairs = by_hand();
    pairs.flop_rates.erase(pairs.flop_rates.begin());
    CHECK_THROWS_WITH(loop_time(computes, node_rates(pairs, {1, unknown}), 1),
                      "loop c: M has no flop rate at 1 thread: ask for at least 2");
    CHECK_THROWS_WITH(loop_time(computes, node_rates(by_hand(), {1, 3.5e9}), 1),
                      "loop c: M has no flop rate at 3.5 GHz: ask for one of 1 GHz");
    CHECK_THROWS_WITH(loop_time(computes, node_rates(load_machine("k20m"), {0, unknown}), 1),
                      "loop c: Nvidia Tesla K20m has no flop rate: it is a GPU; use cpl-lb machine gpu");
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
    CHECK(fit.half_width.u == Approx(0.388748074479)); // Octave, as above
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
