// Cray's pm_counters: the reader alone, and beside other sources of the node's energy.
#include "tests/meters/values.hpp"

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

const std::string folder = "cray/pm_counters/";

struct CrayOn : ReaderOn {
    explicit CrayOn(
        const std::string &name, Change change = [](auto &) {})
        : ReaderOn(name, make_pm_counters_reader, change) {}
};

// Package energy of RAPL on the same node, in J.
void write_rapl(const RecordedTree &tree, int joules) {
    tree.write("class/powercap/intel-rapl:0/name", "package-0");
    tree.write("class/powercap/intel-rapl:0/max_energy_range_uj", "65532610987");
    tree.write("class/powercap/intel-rapl:0/energy_uj", std::to_string(joules) + "000000");
}

} // namespace

TEST_CASE("Each counter in joules since open") {
    CrayOn cray("cray_ex");
    const auto &reader = cray.open().reader;
    CHECK(names_of(*reader) == std::vector<std::string>{"cray-node", "cray-cpu", "cray-memory", "cray-accel-0",
                                                        "cray-accel-1", "cray-accel-2", "cray-accel-3"});
    CHECK(read_all(*reader) == std::vector<double>(7, 0));
    cray.tree.step();
    CHECK(read_all(*reader) == std::vector<double>{10000, 1500, 600, 1600, 1700, 1800, 1900});
    CHECK(cray.remarks() == 0);
}

TEST_CASE("One accelerator without a number; beside numbered ones that file is their sum") {
    CrayOn one("no_meters");
    one.write(folder + "energy", "10 J");
    one.write(folder + "accel_energy", "4 J 17 us");
    CHECK(names_of(*one.open().reader) == std::vector<std::string>{"cray-node", "cray-accel"});

    CrayOn four("cray_ex");
    four.write(folder + "accel_energy", "1200 J");
    CHECK(four.open().reader->quantities().size() == 7);
}

TEST_CASE("Another unit is refused, and said") {
    const CrayOn cray("cray_ex");
    cray.write(folder + "memory_energy", "100 kJ 1720000000000000 us");
    cray.write(folder + "accel3_energy", "-5 J");
    cray.write(folder + "cpu_energy", "");
    const Availability answer = cray.reader->open();
    CHECK(answer.works);
    CHECK(answer.reason.find("cpu_energy: '' is no number") != std::string::npos);
    CHECK(names_of(*cray.reader) ==
          std::vector<std::string>{"cray-node", "cray-accel-0", "cray-accel-1", "cray-accel-2"});
    CHECK(cray.says("memory_energy: '100 kJ 1720000000000000 us' is no number of joules"));
    CHECK(cray.says("accel3_energy: '-5 J' is no number of joules"));
}

TEST_CASE("Figures that nobody refreshes are n/a, and come back") {
    CrayOn cray("cray_ex");
    cray.open();
    pass(4.9);
    cray.check({{"cray-node", 0}});
    pass(1.1);
    cray.check({{"cray-node", unknown}});
    cray.tree.step();
    cray.check({{"cray-node", 10000}});
    CHECK(cray.says("not refreshed for 6 s"));
}

TEST_CASE("A controller that starts again costs an interval, which is said") {
    CrayOn cray("cray_ex");
    cray.open();
    const auto node_after = [&](const std::string &energy) {
        cray.write(folder + "energy", energy);
        return value_of(*cray.reader, "cray-node");
    };
    CHECK(node_after("2100 J") == 100);
    // The counter is already beyond its last value: only `startup` tells.
    cray.write(folder + "startup", "1700000000000001");
    CHECK(node_after("9000 J") == 100);
    CHECK(node_after("9050 J") == 150);
    CHECK(cray.says("cray-node started again 1 time: "));
    // And one that goes back without a word.
    cray.write(folder + "cpu_energy", "20 J");
    cray.check({{"cray-cpu", 0}});
    CHECK(cray.says("cray-cpu started again 2 times: "));
}

TEST_CASE("No Cray, and no permission") {
    check_refused(CrayOn("no_meters").reader->open(), {"only nodes of a Cray"});
    const CrayOn cray("cray_ex", [](ReaderOptions &options) {
        options.open_file = [](const char *path) {
            return open_unless(std::string_view(path).find("pm_counters") != std::string_view::npos, path);
        };
    });
    check_refused(cray.reader->open(), {"pm_counters/energy: Permission denied"}, {"read access"});
}

TEST_CASE("The whole node contains its parts: they are not added") {
    EnergyOn cray("cray_ex");
    cray.open_by("pm_counters").step(10);
    cray.check({{"total", 10000}, {"node", 10000}, {"package_and_dram", 2100}, {"gpu", 7000}});
    CHECK(cray.remarks() == 0);
}

TEST_CASE("Two sources of one part: the first counts, and a difference of more than 10 % is said") {
    // pm_counters say 1500 J for the processors. 10 s: readings may be apart by 2 (0.1 s x 150 W + 1 J) = 32 J.
    for (const auto &[rapl_J, said] : std::vector<std::pair<int, bool>>{{1400, false}, {1320, false}, {1310, true}}) {
        EnergyOn cray("cray_ex");
        write_rapl(cray.tree, 0);
        cray.open_by("rapl, pm_counters");
        write_rapl(cray.tree, rapl_J);
        cray.step(10);
        // Not 1500 J more.
        cray.check({{"package", rapl_J}, {"package_and_dram", rapl_J + 600}, {"total", 10000}});
        INFO(rapl_J);
        // (1500 - 1310) / 1500 = 12.67 %
        CHECK(cray.says(
                  "the energy of the processors is 1310 J by rapl and 1500 J by pm_counters; these differ by 13 %, "
                  "and the results use rapl") == said);
        CHECK(cray.remarks() == (said ? 1 : 0));
    }
}

TEST_CASE("Parts that are more than the whole are said") {
    EnergyOn cray("cray_ex");
    cray.open();
    cray.tree.step();
    cray.write(folder + "energy", "9000 J 1720000010000000 us"); // 7000 J, parts 9100 J
    cray.sample(10);
    cray.check({{"total", 7000}});
    CHECK(cray.says("add up to 9100 J, but the whole node used 7000 J"));
}

TEST_CASE("With the node's counter gone there is no total, also where parts are known") {
    EnergyOn cray("cray_ex");
    cray.open();
    cray.tree.step();
    cray.write(folder + "energy", "");
    cray.sample(10);
    cray.check({{"total", unknown}, {"package_and_dram", 2100}});
}
