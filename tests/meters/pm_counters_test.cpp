// Cray's pm_counters: the reader alone, and beside other sources of the node's energy.
#include "meters/energy_readers.hpp"

#include "meters/energy.hpp"

#include "tests/meters/values.hpp"

#include <cerrno>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

Nanoseconds cray_time = 0;
Nanoseconds cray_clock() noexcept {
    return cray_time;
}

const std::string folder = "cray/pm_counters/";

std::unique_ptr<Reader> opened(const RecordedTree &tree) {
    auto reader = make_pm_counters_reader(options_for(tree), cray_clock);
    REQUIRE(reader->open().works);
    return reader;
}

// Package energy of RAPL on the same node, in J.
void write_rapl(const RecordedTree &tree, int joules) {
    tree.write("class/powercap/intel-rapl:0/name", "package-0");
    tree.write("class/powercap/intel-rapl:0/max_energy_range_uj", "65532610987");
    tree.write("class/powercap/intel-rapl:0/energy_uj", std::to_string(joules) + "000000");
}

int forbid_cray(const char *path) {
    if (std::string_view(path).find("pm_counters") != std::string_view::npos) {
        errno = EACCES;
        return -1;
    }
    return open_for_reading(path);
}

} // namespace

TEST_CASE("Each counter in joules since open") {
    RecordedTree tree("cray_ex");
    const auto reader = opened(tree);
    CHECK(names_of(*reader) == std::vector<std::string>{"cray-node", "cray-cpu", "cray-memory", "cray-accel-0",
                                                        "cray-accel-1", "cray-accel-2", "cray-accel-3"});
    CHECK(read_all(*reader) == std::vector<double>(7, 0));
    tree.step();
    CHECK(read_all(*reader) == std::vector<double>{10000, 1500, 600, 1600, 1700, 1800, 1900});
    CHECK(reader->remarks().empty());
}

TEST_CASE("One accelerator without a number; beside numbered ones that file is their sum") {
    const RecordedTree one("no_meters");
    one.write(folder + "energy", "10 J");
    one.write(folder + "accel_energy", "4 J 17 us");
    CHECK(names_of(*opened(one)) == std::vector<std::string>{"cray-node", "cray-accel"});

    const RecordedTree four("cray_ex");
    four.write(folder + "accel_energy", "1200 J");
    CHECK(opened(four)->quantities().size() == 7);
}

TEST_CASE("Another unit is refused, and said") {
    const RecordedTree tree("cray_ex");
    tree.write(folder + "memory_energy", "100 kJ 1720000000000000 us");
    tree.write(folder + "accel3_energy", "-5 J");
    tree.write(folder + "cpu_energy", "");
    const auto reader = make_pm_counters_reader(options_for(tree), cray_clock);
    const Availability answer = reader->open();
    CHECK(answer.works);
    CHECK(answer.reason.find("cpu_energy: '' is no number") != std::string::npos);
    CHECK(names_of(*reader) == std::vector<std::string>{"cray-node", "cray-accel-0", "cray-accel-1", "cray-accel-2"});
    CHECK(mentions(reader->remarks(), "memory_energy: '100 kJ 1720000000000000 us' is no number of joules"));
    CHECK(mentions(reader->remarks(), "accel3_energy: '-5 J' is no number of joules"));
}

TEST_CASE("Figures that nobody refreshes are n/a, and come back") {
    RecordedTree tree("cray_ex");
    const auto reader = opened(tree);
    cray_time += from_seconds(4.9);
    CHECK(value_of(*reader, "cray-node") == 0);
    cray_time += from_seconds(1.1);
    CHECK(std::isnan(value_of(*reader, "cray-node")));
    tree.step();
    CHECK(value_of(*reader, "cray-node") == 10000);
    CHECK(mentions(reader->remarks(), "not refreshed for 6 s"));
}

TEST_CASE("A controller that starts again costs an interval, which is said") {
    const RecordedTree tree("cray_ex");
    const auto reader = opened(tree);
    tree.write(folder + "energy", "2100 J");
    CHECK(value_of(*reader, "cray-node") == 100);
    // The counter is already beyond its last value: only `startup` tells.
    tree.write(folder + "startup", "1700000000000001");
    tree.write(folder + "energy", "9000 J");
    CHECK(value_of(*reader, "cray-node") == 100);
    tree.write(folder + "energy", "9050 J");
    CHECK(value_of(*reader, "cray-node") == 150);
    CHECK(mentions(reader->remarks(), "cray-node started again 1 time: "));
    // And one that goes back without a word.
    tree.write(folder + "cpu_energy", "20 J");
    CHECK(value_of(*reader, "cray-cpu") == 0);
    CHECK(mentions(reader->remarks(), "cray-cpu started again 2 times: "));
}

TEST_CASE("No Cray, and no permission") {
    const RecordedTree tree("no_meters");
    Availability answer = make_pm_counters_reader(options_for(tree), cray_clock)->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("only nodes of a Cray") != std::string::npos);

    const RecordedTree cray("cray_ex");
    ReaderOptions options = options_for(cray);
    options.open_file = forbid_cray;
    answer = make_pm_counters_reader(options, cray_clock)->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("pm_counters/energy: Permission denied") != std::string::npos);
    CHECK(answer.remedy.find("read access") != std::string::npos);
}

TEST_CASE("The whole node contains its parts: they are not added") {
    RecordedTree tree("cray_ex");
    EnergyMeter meter(options_for(tree), cray_clock);
    const Availability answer = meter.open();
    CHECK(answer.works);
    CHECK(answer.reason.empty()); // RAPL is not missed
    CHECK(meter.source() == "pm_counters");
    tree.step();
    cray_time += from_seconds(10);
    meter.sample();
    const EnergyTotals totals = meter.totals();
    CHECK(totals.total_J == 10000);
    CHECK(totals.node_J == 10000);
    CHECK(totals.package_and_dram_J == 2100);
    CHECK(totals.gpu_J == 7000);
    CHECK(meter.remarks().empty());
    CHECK(value_of(meter, "total") == 10000);
    CHECK(value_of(meter, "node") == 10000);
}

TEST_CASE("Two sources of one part: the first counts, and a difference of more than 10 % is said") {
    // pm_counters say 1500 J for the processors. 10 s: readings may be apart by 2 (0.1 s x 150 W + 1 J) = 32 J.
    for (const auto &[rapl_J, said] : std::vector<std::pair<int, bool>>{{1400, false}, {1320, false}, {1310, true}}) {
        RecordedTree tree("cray_ex");
        write_rapl(tree, 0);
        EnergyMeter meter(options_for(tree), cray_clock);
        REQUIRE(meter.open().works);
        CHECK(meter.source() == "rapl, pm_counters");
        tree.step();
        write_rapl(tree, rapl_J);
        cray_time += from_seconds(10);
        meter.sample();
        CHECK(meter.totals().package_J == rapl_J);
        CHECK(meter.totals().package_and_dram_J == rapl_J + 600); // not 1500 more
        CHECK(meter.totals().total_J == 10000);
        INFO(rapl_J);
        // (1500 - 1310) / 1500 = 12.67 %
        CHECK(mentions(meter.remarks(), "the energy of the processors is 1310 J by rapl and 1500 J by pm_counters; "
                                        "these differ by 13 %, and the results use rapl") == said);
        CHECK(meter.remarks().size() == (said ? 1 : 0));
    }
}

TEST_CASE("Parts that are more than the whole are said") {
    RecordedTree tree("cray_ex");
    EnergyMeter meter(options_for(tree), cray_clock);
    REQUIRE(meter.open().works);
    tree.step();
    tree.write(folder + "energy", "9000 J 1720000010000000 us"); // 7000 J, parts 9100 J
    cray_time += from_seconds(10);
    meter.sample();
    CHECK(meter.totals().total_J == 7000);
    CHECK(mentions(meter.remarks(), "add up to 9100 J, but the whole node used 7000 J"));
}

TEST_CASE("With the node's counter gone there is no total, also where parts are known") {
    RecordedTree tree("cray_ex");
    EnergyMeter meter(options_for(tree), cray_clock);
    REQUIRE(meter.open().works);
    tree.step();
    tree.write(folder + "energy", "");
    cray_time += from_seconds(10);
    meter.sample();
    CHECK(std::isnan(meter.totals().total_J));
    CHECK(meter.totals().package_and_dram_J == 2100);
}
