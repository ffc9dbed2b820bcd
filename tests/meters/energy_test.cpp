// Energy of the node: which source, which sum, and when there is no figure.
#include "meters/energy.hpp"

#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

constexpr Nanoseconds second = 1'000'000'000;
Nanoseconds test_time = 0;
Nanoseconds test_clock() noexcept {
    return test_time;
}

// One sample, `s` seconds after the last.
void sample_after(EnergyMeter &meter, double s) {
    test_time += from_seconds(s);
    meter.sample();
}

} // namespace

TEST_CASE("Package and dram are the sum; core and uncore lie inside package") {
    RecordedTree tree("one_socket");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    CHECK(meter.source() == "rapl");
    tree.step();
    sample_after(meter, 1);
    const EnergyTotals totals = meter.totals();
    CHECK(totals.package_and_dram_J == Approx(4.25));
    CHECK(totals.package_J == Approx(3.5));
    CHECK(totals.dram_J == Approx(0.75));
    CHECK(totals.core_J == Approx(1.2));
    CHECK(totals.uncore_J == Approx(0.1));
    CHECK(std::isnan(totals.psys_J));
    CHECK(std::isnan(totals.gpu_J));
    CHECK(meter.remarks().empty());
}

TEST_CASE("Sockets and dies add up") {
    RecordedTree sockets("two_sockets");
    EnergyMeter meter(options_for(sockets), test_clock);
    REQUIRE(meter.open().works);
    sockets.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_and_dram_J == Approx(19.5));
    CHECK(meter.totals().dram_J == Approx(2.5));
    CHECK(std::isnan(meter.totals().core_J));

    RecordedTree dies("dies");
    EnergyMeter of_dies(options_for(dies), test_clock);
    REQUIRE(of_dies.open().works);
    dies.step();
    sample_after(of_dies, 1);
    CHECK(of_dies.totals().package_and_dram_J == Approx(7.75));
    REQUIRE(of_dies.zones().size() == 4);
    CHECK(of_dies.zones()[2].name == "package-0-die-1");
    CHECK(of_dies.zones()[2].joules == Approx(4));
}

TEST_CASE("psys and the mmio copy are never added; without dram the sum is the package") {
    RecordedTree tree("psys_first");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_and_dram_J == Approx(4));
    CHECK(meter.totals().psys_J == Approx(20));
    CHECK(std::isnan(meter.totals().dram_J));

    RecordedTree amd("amd");
    EnergyMeter of_amd(options_for(amd), test_clock);
    REQUIRE(of_amd.open().works);
    amd.step();
    sample_after(of_amd, 1);
    CHECK(of_amd.totals().package_and_dram_J == Approx(110));
    CHECK(of_amd.totals().core_J == Approx(11));
    CHECK(std::isnan(of_amd.totals().dram_J));
}

TEST_CASE("psys that is less than the packages and DRAM in it: both figures are named, and psys counts for nothing") {
    // 10 s: readings may be apart by 2 (0.1 s x parts / 10 s + 1 J), and 10 % of the parts: of 200 J 26 J.
    for (const auto &[psys_J, said] : std::vector<std::pair<int, bool>>{{300, false}, {175, false}, {173, true}}) {
        RecordedTree tree("psys_less");
        EnergyMeter meter(options_for(tree), test_clock);
        REQUIRE(meter.open().works);
        tree.step();
        tree.write("class/powercap/intel-rapl:2/energy_uj", std::to_string(psys_J) + "000000");
        sample_after(meter, 10);
        INFO(psys_J);
        CHECK(meter.totals().total_J == Approx(200));
        CHECK(meter.totals().psys_J == psys_J);
        CHECK(mentions(meter.remarks(), "package and DRAM add up to 200 J, but the board (psys) used 173 J: some of "
                                        "them contain others, or are wrong; the figure is not that of the board "
                                        "(psys)") == said);
        CHECK(meter.remarks().size() == (said ? 1 : 0));
    }
}

TEST_CASE("A wrap is invisible in the total") {
    RecordedTree tree("wrap");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.step();
    sample_after(meter, 1);
    tree.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_and_dram_J == Approx(6));
    // 65532.610987 J / 1000 W for the package; for dram / 500 W, which is longer.
    CHECK(meter.longest_gap_s() == Approx(65.532610987));
}

TEST_CASE("Samples too far apart for the counter's range make a lower bound") {
    RecordedTree tree("wrap");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.step(); // or the counters count nothing
    sample_after(meter, 65);
    CHECK(meter.remarks().empty());
    sample_after(meter, 66);
    REQUIRE(meter.remarks().size() == 1);
    CHECK(mentions(meter.remarks(), "not sampled for 66 s"));
}

TEST_CASE("With a zone gone there is no sum") {
    RecordedTree tree("gone");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_and_dram_J == Approx(3));
    tree.step();
    sample_after(meter, 1);
    CHECK(std::isnan(meter.totals().package_and_dram_J));
    CHECK(mentions(meter.remarks(), "disappeared"));
    CHECK(meter.zones()[0].joules == Approx(3)); // package-0 is still known
}

TEST_CASE("A reading that is missing once is made up for by the next") {
    RecordedTree tree("one_socket");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.write("class/powercap/intel-rapl:0/energy_uj", "");
    sample_after(meter, 1);
    CHECK(std::isnan(meter.totals().package_J));
    tree.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_J == Approx(3.5));
}

TEST_CASE("A power that no package draws is not counted, and lasting makes the figure n/a") {
    RecordedTree tree("one_socket");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    // Reset from 1 J to 0.9 J, taken for a wrap of 262143 J in 1 s: more than 5 x 1000 W x (1 + 1) s.
    tree.write("class/powercap/intel-rapl:0/energy_uj", "900000");
    sample_after(meter, 1);
    CHECK(std::isnan(meter.totals().package_J)); // 1 s of 1 s
    CHECK(std::isnan(meter.totals().package_and_dram_J));
    tree.write("class/powercap/intel-rapl:0/energy_uj", "50900000"); // 50 J
    sample_after(meter, 199);
    CHECK(meter.totals().package_J == Approx(50)); // 1 s of 200 s: 0.5 %
    CHECK(mentions(meter.remarks(), "package-0 claimed more than 5000 W"));
    CHECK(mentions(meter.remarks(), "lower bound"));
}

// So a virtual machine with an NVIDIA H200 had it: perf's energy-psys, which stays 0.
TEST_CASE("A counter that counts nothing is n/a, with the reason, and in no sum") {
    RecordedTree tree("one_socket");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    sample_after(meter, 1.9);
    CHECK(meter.totals().package_J == 0); // it may be too early
    CHECK(meter.remarks().empty());
    sample_after(meter, 0.1);
    CHECK(std::isnan(meter.totals().package_J));
    CHECK(std::isnan(meter.totals().dram_J));
    CHECK(std::isnan(meter.totals().total_J));
    CHECK(meter.totals().core_J == 0);
    CHECK(mentions(meter.remarks(), "package-0 is there, but counted nothing in 2 s"));
    tree.step();
    sample_after(meter, 1);
    CHECK(meter.totals().package_J == Approx(3.5)); // it does count
    CHECK(meter.remarks().empty());
}

TEST_CASE("DRAM that differs by a factor between sockets is said") {
    RecordedTree tree("wrong_dram_unit");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    CHECK(meter.remarks().empty());
    tree.step();
    sample_after(meter, 1);
    CHECK(mentions(meter.remarks(), "differs from 10.0 J to 160.0 J"));
}

TEST_CASE("No meter at all: n/a, and both reasons") {
    const RecordedTree tree("no_meters");
    EnergyMeter meter(options_for(tree), test_clock);
    const Availability answer = meter.open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("rapl: ") != std::string::npos);
    CHECK(answer.reason.find("perf_power: ") != std::string::npos);
    CHECK(meter.source().empty());
    sample_after(meter, 1);
    REQUIRE(meter.quantities().size() == 10); // the columns are there on every node
    for (const double value : read_all(meter))
        CHECK(std::isnan(value));
    for (const Quantity &quantity : meter.quantities())
        CHECK_FALSE(quantity.why_missing.empty());
    CHECK(std::isnan(meter.longest_gap_s()));
}

TEST_CASE("As a reader it samples") {
    RecordedTree tree("one_socket");
    EnergyMeter meter(options_for(tree), test_clock);
    REQUIRE(meter.open().works);
    tree.step();
    test_time += second;
    CHECK(value_of(meter, "package_and_dram") == Approx(4.25));
    CHECK(std::isnan(value_of(meter, "gpu")));
    std::array<double, 1> only_first{};
    meter.read(only_first); // a shorter span gets the first ones
    CHECK(only_first[0] == Approx(4.25));
}
