// The roofline against the tables of ESCAPE D3.5 and against cases small enough for mental arithmetic.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/roofline/roofline.hpp"
#include "tests/svg_boxes.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using Catch::Contains;

namespace {

// 10 GFLOP/s; L1 100, L2 40, DRAM 5 GB/s.
Machine small_machine() {
    return parse_machine("name = 'small'\n[[flop_rate]]\nvector = 'avx'\nthreads = 1\nGFLOP_per_s = 10\n"
                         "[[flop_rate]]\nvector = 'scalar'\nthreads = 1\nGFLOP_per_s = 2\n"
                         "[[bandwidth]]\nlevel = 'L1'\nthreads = 1\nGB_per_s = 100\n"
                         "[[bandwidth]]\nlevel = 'L2'\nthreads = 1\nGB_per_s = 40\n"
                         "[[bandwidth]]\nlevel = 'DRAM'\nthreads = 1\nGB_per_s = 5\n",
                         "small.toml");
}

RegionWork work(double flops, double bytes, double seconds) {
    RegionWork w;
    w.name = "loop";
    w.flops = flops;
    w.bytes = bytes;
    w.seconds = seconds;
    return w;
}

RooflineRow row(const RegionWork &w, const RooflineSetting &setting = {}) {
    return roofline_of(small_machine(), setting, {w}).rows.at(0);
}

} // namespace

TEST_CASE("tables 1 to 6 of ESCAPE D3.5: W/Q and W/T as printed, and their ceilings") {
    const CsvTable table = CsvTable::from_file(CPL_LB_TEST_DATA "/escape_tables1_6_roofline.csv");
    REQUIRE(table.rows() == 54);
    for (std::size_t at = 0; at < table.rows(); ++at) {
        INFO(table.text(at, "region"));
        const auto value = [&](const char *column) { return table.number(at, column); };
        const Machine machine = load_machine(table.text(at, "machine"));
        const RooflineRow r =
            roofline_of(machine, {}, {work(value("flops"), value("bytes"), value("seconds"))}).rows.at(0);
        // Half a unit of the third printed digit. The inputs are rounded, too: their shares add.
        const auto rounding = [&](const char *column) {
            return 0.005 * std::pow(10, std::floor(std::log10(value(column))));
        };
        const auto printed = [&](const char *column, const char *other) {
            const double relative = rounding("flops") / value("flops") + rounding(other) / value(other);
            return Approx(value(column)).margin(relative * value(column) + 1.01 * rounding(column)).epsilon(0);
        };
        CHECK(r.intensity == printed("printed_intensity", "bytes"));
        CHECK(r.attained_flop_per_s * 1e-9 == printed("printed_GFLOP_per_s", "seconds"));
        // Section 3.3: "all kernels' executions have much lower performance comparing to the roofline".
        CHECK(r.share() < 0.5);
        // Table 10: below Od / Gmax the memory limits.
        const double ridge = machine.gpu.double_flop_per_s / machine.gpu.B_per_s;
        CHECK(r.limit == (value("printed_intensity") < ridge ? "memory bandwidth" : "double precision flop rate"));
    }
}

TEST_CASE("ceilings of the GeForce 970") {
    // 589: 4.67E+09 flop and 9.22E+09 B at 230 GB/s: 0.040087 s and 116.5 GFLOP/s; measured 0.244 s: 16.43 %.
    const RooflineRow r = roofline_of(load_machine("geforce_970"), {}, {work(4.67e9, 9.22e9, 0.244)}).rows.at(0);
    CHECK(r.least_s == Approx(0.040087).epsilon(1e-4));
    CHECK(r.ceiling_flop_per_s == Approx(116.5e9).epsilon(1e-3));
    CHECK(r.share() == Approx(0.1643).epsilon(1e-3));
}

TEST_CASE("the cache-aware roofline names the furthest level that the time allows") {
    // 1e9 flop, 1e9 B: DRAM would take 0.2 s, L2 0.025 s, L1 0.01 s, computing 0.1 s.
    CHECK(row(work(1e9, 1e9, 0.4)).limit == "DRAM bandwidth");
    CHECK(row(work(1e9, 1e9, 0.4)).share() == Approx(0.5));
    CHECK(row(work(1e9, 1e9, 0.4)).ceiling_flop_per_s == Approx(5e9));
    // 0.15 s is too short for DRAM: the data came from a cache, and computing limits.
    CHECK(row(work(1e9, 1e9, 0.15)).limit == "avx flop rate");
    CHECK(row(work(1e9, 1e9, 0.15)).share() == Approx(0.1 / 0.15));
    // 1e8 flop, 1e9 B, 0.02 s: too short for L2 (0.025 s) and computing takes 0.01 s as L1 does.
    CHECK(row(work(1e7, 1e9, 0.02)).limit == "L1 bandwidth");
    // Without a time: the furthest.
    const RooflineRow predicted = row(work(1e9, 1e9, unknown));
    CHECK(predicted.limit == "DRAM bandwidth");
    CHECK(predicted.least_s == Approx(0.2));
    CHECK_FALSE(is_known(predicted.share()));
    // Just within what two measurements differ by.
    CHECK(row(work(1e8, 1e9, 0.195)).limit == "DRAM bandwidth");
}

TEST_CASE("with the traffic of each level each counts with its own") {
    RegionWork w = work(1e8, 1e9, 0.1);
    w.by_level = {{"L1", 1e9}, {"L2", 1e9}, {"DRAM", 1e8}}; // 0.01, 0.025, 0.02 s; computing 0.01 s
    CHECK(row(w).limit == "L2 bandwidth");
    CHECK(row(w).least_s == Approx(0.025));
    CHECK(row(w).intensity == Approx(0.1));
    w.by_level[2].bytes = 2e8; // 0.04 s
    CHECK(row(w).limit == "DRAM bandwidth");
    CHECK(row(w).intensity == Approx(0.5));
}

TEST_CASE("settings: vector, clock and threads") {
    RooflineSetting scalar;
    scalar.vector = "scalar";
    CHECK(row(work(1e9, 1e6, 1), scalar).ceiling_flop_per_s == Approx(2e9));
    RooflineSetting two;
    two.at.threads = 2;
    CHECK_THROWS_WITH(row(work(1, 1, 1), two), Contains("small: no bandwidth with 2 threads"));
    RooflineSetting haswell;
    haswell.at = {2, turbo_clock};
    const Roofline r = roofline_of(load_machine("xeon_e5_2697v3"), haswell, {});
    CHECK(r.ceilings.front().per_s == Approx(57.6e9));  // table 25
    CHECK(r.ceilings.back().per_s == Approx(30.453e9)); // table 29
}

TEST_CASE("what is not known is n/a, with the reason") {
    const RooflineRow none = row(work(1e9, unknown, 1));
    CHECK_FALSE(is_known(none.least_s));
    CHECK(none.why_not == "its bytes are not known");
    CHECK(none.attained_flop_per_s == 1e9);
    CHECK(row(work(unknown, 1e9, 1)).why_not == "its operations are not known");
    CHECK(row(work(unknown, unknown, 1)).why_not == "neither its operations nor its bytes are known");
    // No operations at all: a ceiling in time, none in flop/s.
    const RooflineRow moves = row(work(0, 1e9, 0.4));
    CHECK(moves.limit == "DRAM bandwidth");
    CHECK(moves.share() == Approx(0.5));
    CHECK_FALSE(is_known(moves.ceiling_flop_per_s));
    const Roofline fast = roofline_of(small_machine(), {}, {work(1e9, 1e6, 0.01)});
    CHECK(fast.rows[0].share() == Approx(10));
    CHECK_THAT(fast.remarks.at(0), Contains("loop was faster than the machine's file allows"));
    const std::string text = roofline_as_text(roofline_of(small_machine(), {}, {work(1e9, unknown, 1)}));
    CHECK_THAT(text, Contains("n/a: its bytes are not known"));
}

TEST_CASE("the picture has each ceiling and each region") {
    const std::string svg = roofline_svg(roofline_of(small_machine(), {}, {work(1e9, 1e9, 0.4)}));
    for (const char *const part : {"avx flop rate 10 GFLOP/s", "scalar flop rate 2 GFLOP/s", "L1 bandwidth 100 GB/s",
                                   "DRAM bandwidth 5 GB/s", ">loop</text>"})
        CHECK_THAT(svg, Contains(part));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    const std::string empty = roofline_svg(roofline_of(small_machine(), {}, {}));
    CHECK(empty.find("nan") == std::string::npos);
}

TEST_CASE("names of levels that are nearly as fast as each other do not cover each other") {
    Machine machine = small_machine();
    for (LevelBandwidth &b : machine.bandwidths)
        if (b.level == "L2") b.B_per_s = 5.5e9; // DRAM: 5
    const std::string svg = roofline_svg(roofline_of(machine, {}, {work(1e9, 1e9, 0.4)}));
    CHECK_THAT(test::unreadable_texts(svg, 12), Catch::Equals(""));
}
