// Files of machines: what ships says what the papers print, what is written is read back, and mistakes are named.
#include "io/toml/toml_table.hpp"
#include "projection/machine/machine_file.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using Catch::Contains;

namespace {

std::string error_of(const std::string &text) {
    try {
        (void)parse_machine(text, "my.toml");
    } catch (const TomlError &error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("the machines that ship are those of the papers") {
    const Machine haswell = load_machine("xeon_e5_2697v3");
    CHECK(haswell.sockets == 2); // table 21; its figures are of one, with 14 cores
    CHECK(haswell.cores == 28);
    CHECK(sockets_of_figures(haswell) == 1);
    CHECK(sockets_of_figures(load_machine("xeon_gold_6148")) == 2);
    CHECK(parse_machine(machine_as_toml(haswell), "again.toml").figures_sockets == 1);
    // Tables 25 to 29: first, last and a middle cell of each.
    CHECK(flop_rate_of(haswell, {1, 1.2e9}) == Approx(9.6e9));
    CHECK(flop_rate_of(haswell, {14, turbo_clock}) == Approx(358.4e9));
    CHECK(bandwidth_of(haswell, "L1", {7, 2.0e9}) == Approx(679.821e9));
    CHECK(bandwidth_of(haswell, "L2", {14, 1.2e9}) == Approx(499.139e9));
    CHECK(bandwidth_of(haswell, "L3", {1, turbo_clock}) == Approx(45.161e9));
    CHECK(bandwidth_of(haswell, "DRAM", {5, 2.6e9}) == Approx(57.412e9));
    // Table 25 as arithmetic: 8 operations in a cycle of each core, at every fixed clock.
    for (const int cores : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
        for (const double GHz : {1.2, 1.4, 1.6, 1.8, 2.0, 2.4, 2.6})
            CHECK(flop_rate_of(haswell, {cores, GHz * 1e9}) == Approx(8e9 * cores * GHz));
    // No clock asked for: the nominal one, 2.6 GHz (table 21).
    CHECK(bandwidth_of(haswell, "DRAM", {14, unknown}) == Approx(56.768e9));
    CHECK(most_threads(haswell) == 14);

    const Machine skylake = load_machine("xeon_gold_6148"); // table 37
    CHECK(flop_rate_of(skylake, {40, unknown}) == Approx(3072e9));
    CHECK(bandwidth_of(skylake, "L3", {20, unknown}) == Approx(633.32e9));

    const Machine fermi = load_machine("2070q"); // table 10
    CHECK(fermi.has_gpu);
    CHECK(fermi.gpu.double_flop_per_s == Approx(2.57e11));
    CHECK(fermi.gpu.B_per_s == Approx(1.5e11));
    // The row that table 10 misprints: 160 operations of each of 14 multiprocessors at 1.15 GHz.
    CHECK(fermi.gpu.integer_op_per_s == Approx(1.15e9 * 14 * 160).epsilon(0.005));
    CHECK(load_machine("k20m").gpu.clock_Hz == Approx(706e6));
    CHECK(load_machine("geforce_970").gpu.power_limit_W == 155); // table 36

    CHECK(power_of(load_machine("i7_4700eq"), {4, unknown}).package_W == 49.71);  // table 32
    CHECK(power_of(load_machine("xeon_e5_2640v3"), {0, unknown}).dram_W == 3.71); // table 35

    const Machine cray = load_machine("cray_x1e");
    CHECK(cray.vector_length == 64);
    REQUIRE(locality_of(cray, "11") != nullptr);
    CHECK(locality_of(cray, "11")->B_per_s[1][0] == Approx(12e9));  // table 3, SL=0
    CHECK(locality_of(cray, "10")->B_per_s[0][2] == Approx(1.6e9)); // table 2, SL=2
    CHECK(locality_of(cray, "01")->B_per_s[2][2] == Approx(8.5e9));
    CHECK(locality_of(cray, "01")->vector_flop_per_s == Approx(4.5e9)); // figure 1
}

TEST_CASE("between measured thread counts there is a straight line, outside nothing") {
    const Machine m =
        parse_machine("name = 'm'\n[[bandwidth]]\nlevel = 'DRAM'\nthreads = [2, 4]\nGB_per_s = [10, 30]\n"
                      "[[power]]\nthreads = [0, 4]\npackage_W = [5, 45]\n",
                      "m");
    CHECK(bandwidth_of(m, "DRAM", {3, unknown}) == Approx(20e9)); // half way
    CHECK_FALSE(is_known(bandwidth_of(m, "DRAM", {1, unknown})));
    CHECK_FALSE(is_known(bandwidth_of(m, "DRAM", {5, unknown})));
    CHECK_FALSE(is_known(bandwidth_of(m, "DRAM", {3, 2e9}))); // no row at this clock
    CHECK_FALSE(is_known(bandwidth_of(m, "L1", {3, unknown})));
    CHECK(power_of(m, {0, unknown}).package_W == 5);
    CHECK_FALSE(is_known(power_of(m, {1, unknown}).package_W)); // idle is no point of that line
}

TEST_CASE("a machine that is written is read back") {
    for (const std::string &name : shipped_machine_names()) {
        INFO(name);
        const Machine machine = load_machine(name);
        const std::string text = machine_as_toml(machine);
        const Machine again = parse_machine(text, "again.toml");
        CHECK(machine_as_toml(again) == text);
        CHECK(again.name == machine.name);
        CHECK(again.remarks == machine.remarks);
        REQUIRE(again.bandwidths.size() == machine.bandwidths.size());
        for (std::size_t i = 0; i < machine.bandwidths.size(); ++i) {
            if (is_known(machine.bandwidths[i].B_per_s))
                CHECK(again.bandwidths[i].B_per_s == Approx(machine.bandwidths[i].B_per_s));
            CHECK(again.bandwidths[i].at.threads == machine.bandwidths[i].at.threads);
        }
        CHECK(again.power.size() == machine.power.size());
        CHECK(again.locality.size() == machine.locality.size());
    }
}

TEST_CASE("mistakes in a file: file, line, name") {
    const std::string head = "name = 'm'\n[[bandwidth]]\nlevel = 'DRAM'\nthreads = 1\n";
    CHECK_THAT(error_of(head + "GB_per_s = 0\n"), Contains("my.toml:5: bandwidth.GB_per_s: 0 is not between"));
    // Bytes where gigabytes belong.
    CHECK_THAT(error_of(head + "GB_per_s = 57659000000\n"),
               Contains("my.toml:5: bandwidth.GB_per_s: 5.7659e+10 is not"));
    CHECK_THAT(error_of(head + "B_per_s = 1\nGB_per_s = 1\n"),
               Contains("my.toml:5: bandwidth.B_per_s: no such name; there are GB_per_s"));
    CHECK_THAT(error_of(head + "GB_per_s = 'many'\n"),
               Contains("my.toml:5: bandwidth.GB_per_s: a number belongs here"));
    CHECK_THAT(error_of(head), Contains("my.toml:2: bandwidth.GB_per_s: is missing"));
    CHECK_THAT(error_of(head + "GB_per_s = [1, 2]\n"),
               Contains("my.toml:5: bandwidth.GB_per_s: 2 values for 1 thread"));
    CHECK_THAT(error_of("name = 'm'\n[[bandwidth]]\nlevel = 'L4'\nthreads = 1\n"),
               Contains("my.toml:3: bandwidth.level: 'L4' is not"));
    CHECK_THAT(error_of("name = 'm'\nclock_GHz = 2600\n"), Contains("my.toml:2: clock_GHz: 2600 is not between"));
    CHECK_THAT(error_of("name = 'm'\nname = 'n'\n"), Contains("my.toml:2: "));
    CHECK_THAT(error_of("name = 'm'\ncores = \n"), Contains("my.toml:2: "));
    CHECK_THAT(error_of("name = 'm'\nsockets = 1\nfigures_for_sockets = 2\n"),
               Contains("figures_for_sockets: more than the node's sockets"));
    CHECK_THAT(error_of("cores = 2\n"), Contains("name: is missing"));
    CHECK_THAT(error_of("name = 'm'\nsource = 2026-01-01\n"), Contains("my.toml:2: source: dates"));
    CHECK_THROWS_WITH(load_machine("xeon"), Contains("xeon: no such machine; there are 2070q, cray_x1e, "));
    CHECK_THROWS_WITH(load_machine("./nowhere.toml"),
                      Contains("./nowhere.toml: cannot read: No such file or directory"));
}
