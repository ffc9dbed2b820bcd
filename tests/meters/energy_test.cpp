// Energy of the node: which source, which sum, and when there is no figure.
#include "meters/energy.hpp"

#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

struct RaplOn : EnergyOn {
    explicit RaplOn(const std::string &name) : EnergyOn(name) { open_by("rapl"); }
    // Each zone by its name, in their order.
    void check_zones(const std::vector<std::pair<std::string, double>> &expected) const {
        const auto zones = meter.zones();
        REQUIRE(zones.size() == expected.size());
        for (std::size_t i = 0; i < zones.size(); ++i) {
            CHECK(zones[i].name == expected[i].first);
            CHECK((zones[i].joules == Approx(expected[i].second) ||
                   (std::isnan(zones[i].joules) && std::isnan(expected[i].second))));
        }
    }
};

} // namespace

TEST_CASE("Package and dram are the sum; core and uncore lie inside package") {
    RaplOn node("one_socket");
    node.step(1);
    node.check({{"package_and_dram", 4.25}, {"package", 3.5}, {"dram", 0.75}, {"core", 1.2}, {"uncore", 0.1}});
    node.check({{"psys", unknown}, {"gpu", unknown}});
    CHECK(node.remarks() == 0);
}

TEST_CASE("Sockets and dies add up, whatever their numbers are") {
    RaplOn sockets("two_sockets");
    sockets.step(1);
    sockets.check({{"package_and_dram", 19.5}, {"dram", 2.5}, {"core", unknown}});
    sockets.check_zones({{"package-0", 10}, {"package-0/dram", 2}, {"package-1", 7}, {"package-1/dram", 0.5}});
    RaplOn dies("dies");
    dies.step(1);
    dies.check({{"package_and_dram", 7.75}});
    dies.check_zones({{"package-0-die-0", 3},
                      {"package-0-die-0/dram", 0.5},
                      {"package-0-die-1", 4},
                      {"package-0-die-1/dram", 0.25}});
}

TEST_CASE("psys and the mmio copy are never added; without dram the sum is the package") {
    RaplOn psys("psys_first"), amd("amd"), mmio("mmio_only");
    psys.step(1);
    psys.check({{"package_and_dram", 4}, {"psys", 20}, {"dram", unknown}});
    amd.step(1);
    amd.check({{"package_and_dram", 110}, {"core", 11}, {"dram", unknown}});
    amd.check_zones({{"package-0", 50}, {"package-0/core", 5}, {"package-1", 60}, {"package-1/core", 6}});
    mmio.step(1);
    mmio.check_zones({{"package-0", 1.5}}); // there is no other
}

TEST_CASE("psys that is less than the packages and DRAM in it: both figures are named, and psys counts for nothing") {
    // 10 s: readings may be apart by 2 (0.1 s x parts / 10 s + 1 J), and 10 % of the parts: of 200 J 26 J.
    for (const auto &[psys_J, said] : std::vector<std::pair<int, bool>>{{300, false}, {175, false}, {173, true}}) {
        RaplOn node("psys_less");
        node.tree.step();
        node.write("class/powercap/intel-rapl:2/energy_uj", std::to_string(psys_J) + "000000");
        node.sample(10);
        INFO(psys_J);
        node.check({{"total", 200}, {"psys", psys_J}});
        CHECK(node.says(
                  "package and DRAM add up to 200 J, but the board (psys) used 173 J: some of them contain others, "
                  "or are wrong; the figure is not that of the board (psys)") == said);
        CHECK(node.remarks() == (said ? 1 : 0));
    }
}

TEST_CASE("A wrap is invisible in the total") {
    RaplOn node("wrap");
    node.step(1);
    node.check_zones({{"package-0", 1.5}, {"package-0/dram", 1}});
    node.step(1);
    node.check_zones({{"package-0", 4.5}, {"package-0/dram", 1.5}});
    node.check({{"package_and_dram", 6}});
    CHECK(node.remarks() == 0);
    // 65532.610987 J / 1000 W for the package; for dram / 500 W, which is longer.
    CHECK(node.meter.longest_gap_s() == Approx(65.532610987));
}

TEST_CASE("Samples too far apart for the counter's range make a lower bound") {
    RaplOn node("wrap");
    node.step(65); // or the counters count nothing
    CHECK(node.remarks() == 0);
    node.sample(66);
    REQUIRE(node.remarks() == 1);
    CHECK(node.says("not sampled for 66 s"));
}

TEST_CASE("With a zone gone there is no sum") {
    RaplOn node("gone");
    node.step(1);
    node.check({{"package_and_dram", 3}});
    node.step(1);
    node.check({{"package_and_dram", unknown}});
    node.check_zones({{"package-0", 3}, {"package-1", unknown}});
    node.write("class/powercap/intel-rapl:1/energy_uj", "9000000"); // back again: what it missed is lost
    node.step(1);
    CHECK(std::isnan(node.meter.zones()[1].joules));
    REQUIRE(node.remarks() == 1);
    CHECK(node.says("package-1 disappeared during the run; 1.000 J until then"));
}

TEST_CASE("A reading that is missing once is made up for by the next") {
    RaplOn node("one_socket");
    node.write("class/powercap/intel-rapl:0/energy_uj", "");
    node.sample(1);
    node.check({{"package", unknown}});
    node.step(1);
    node.check({{"package", 3.5}});
    CHECK(node.remarks() == 0);
}

TEST_CASE("A power that no package draws is not counted, and lasting makes the figure n/a") {
    RaplOn node("one_socket");
    // Reset from 1 J to 0.9 J, taken for a wrap of 262143 J in 1 s: more than 5 x 1000 W x (1 + 1) s.
    node.write("class/powercap/intel-rapl:0/energy_uj", "900000");
    node.sample(1);
    node.check({{"package", unknown}, {"package_and_dram", unknown}}); // 1 s of 1 s
    node.write("class/powercap/intel-rapl:0/energy_uj", "50900000");   // 50 J
    node.sample(199);
    node.check({{"package", 50}}); // 1 s of 200 s: 0.5 %
    CHECK(node.says("package-0 claimed more than 5000 W"));
    CHECK(node.says("lower bound"));
}

// So a virtual machine with an NVIDIA H200 had it: perf's energy-psys, which stays 0.
TEST_CASE("A counter that counts nothing is n/a, with the reason, and in no sum") {
    RaplOn node("one_socket");
    node.sample(1.9);
    node.check({{"package", 0}}); // it may be too early
    CHECK(node.remarks() == 0);
    node.sample(0.1);
    node.check({{"package", unknown}, {"dram", unknown}, {"total", unknown}, {"core", 0}});
    CHECK(node.says("package-0 is there, but counted nothing in 2 s"));
    node.step(1);
    node.check({{"package", 3.5}}); // it does count
    CHECK(node.remarks() == 0);
}

TEST_CASE("DRAM that differs by a factor between sockets is said") {
    RaplOn node("wrong_dram_unit");
    CHECK(node.remarks() == 0);
    node.step(1);
    CHECK(node.says("differs from 10.0 J to 160.0 J"));
}

TEST_CASE("No meter at all: n/a, and both reasons") {
    EnergyOn node("no_meters");
    check_refused(node.meter.open(), {"rapl: ", "perf_power: "});
    CHECK(node.meter.source().empty());
    node.sample(1);
    REQUIRE(node.meter.quantities().size() == 10); // the columns are there on every node
    for (const double value : read_all(node.meter))
        CHECK(std::isnan(value));
    for (const Quantity &quantity : node.meter.quantities())
        CHECK_FALSE(quantity.why_missing.empty());
    CHECK(std::isnan(node.meter.longest_gap_s()));
}

TEST_CASE("As a reader it samples") {
    RaplOn node("one_socket");
    node.tree.step();
    pass(1);
    node.check({{"package_and_dram", 4.25}});
}
