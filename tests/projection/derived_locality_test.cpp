// Bandwidths by locality that are worked out from a machine's levels; all expected values by hand from the rows of
// the shipped files, which are the papers' tables.
#include "projection/machine/machine_file.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

void check_row(const LocalityBandwidth *row, const std::array<std::array<double, 3>, 3> &GB_per_s) {
    REQUIRE(row != nullptr);
    for (std::size_t tl = 0; tl < 3; ++tl) {
        for (std::size_t sl = 0; sl < 3; ++sl) {
            INFO("mv " << row->mv << ", TL " << tl << ", SL " << sl);
            CHECK(row->B_per_s[tl][sl] == Approx(1e9 * GB_per_s[tl][sl]));
        }
    }
}

} // namespace

TEST_CASE("a processor whose levels are known") {
    // ESCAPE D3.5, tables 25 to 29 at 2.6 GHz: one core L1 125.99, L2 78.096, DRAM 13.436 GB/s, 20.8 GFLOP/s; 14
    // cores 1835.762, 1124.87, 56.768 GB/s, 291.2 GFLOP/s; four numbers in a register.
    Machine xeon = load_machine("xeon_e5_2697v3");
    const std::string how = derive_locality(xeon);
    CHECK(how.find("TL 2 is L1, TL 1 is L2, TL 0 is DRAM") != std::string::npos);
    CHECK(how.find("the scalar rate is the vector rate divided") != std::string::npos);
    REQUIRE(xeon.locality.size() == 4);
    // 13.436 / 8 = 1.6795, / 4 = 3.359; 78.096 / 8 = 9.762, / 4 = 19.524; single loads: 125.99 / 4 = 31.4975
    check_row(locality_of(xeon, "01"),
              {{{1.6795, 3.359, 13.436}, {9.762, 19.524, 78.096}, {125.99 / 8, 31.4975, 125.99}}});
    check_row(locality_of(xeon, "00"),
              {{{1.6795, 3.359, 13.436}, {9.762, 19.524, 31.4975}, {125.99 / 8, 31.4975, 31.4975}}});
    // 56.768 / 8 = 7.096, / 4 = 14.192; 1124.87 / 8 = 140.60875, / 4 = 281.2175; 1835.762 / 4 = 458.9405
    check_row(locality_of(xeon, "11"),
              {{{7.096, 14.192, 56.768}, {140.60875, 281.2175, 1124.87}, {229.47025, 458.9405, 1835.762}}});
    check_row(locality_of(xeon, "10"),
              {{{7.096, 14.192, 56.768}, {140.60875, 281.2175, 458.9405}, {229.47025, 458.9405, 458.9405}}});
    CHECK(locality_of(xeon, "00")->scalar_flop_per_s == Approx(20.8e9 / 4));
    CHECK_FALSE(is_known(locality_of(xeon, "00")->vector_flop_per_s));
    CHECK(locality_of(xeon, "11")->vector_flop_per_s == Approx(291.2e9));
}

TEST_CASE("what is known stays, and what cannot be known is not made up") {
    Machine cray = load_machine("cray_x1e");
    CHECK(derive_locality(cray).empty());
    CHECK(locality_of(cray, "11")->B_per_s[2][2] == Approx(34e9));

    Machine power_only = load_machine("i7_4700eq");
    CHECK(derive_locality(power_only).empty());
    CHECK(power_only.locality.empty());

    // No L2: L3 stands for TL 1. No register length: nothing bounds loads of single numbers. Loads before copies.
    Machine odd;
    odd.bandwidths = {{"L3", "load", {1, unknown}, 40e9},
                      {"DRAM", "copy", {1, unknown}, 12e9},
                      {"DRAM", "load", {1, unknown}, 10e9}};
    CHECK(derive_locality(odd).find("TL 1 is L3, TL 0 is DRAM") != std::string::npos);
    const LocalityBandwidth *row = locality_of(odd, "00");
    CHECK(row->B_per_s[1][2] == Approx(40e9));
    CHECK(row->B_per_s[0][2] == Approx(10e9));
    CHECK_FALSE(is_known(row->B_per_s[2][0]));
    CHECK_FALSE(is_known(row->scalar_flop_per_s));
}
