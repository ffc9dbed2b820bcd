// Energy sensors of hwmon: AMD's counters, and the power of ARM servers.
#include "tests/meters/values.hpp"

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

struct HwmonOn : EnergyOn {
    explicit HwmonOn(const std::string &name) : EnergyOn(name) {
        open_by("hwmon");
        step(10);
    }
};

} // namespace

TEST_CASE("amd_energy: the sockets, neither their cores nor a driver that is not known") {
    ReaderOn node("amd_energy", make_hwmon_reader);
    const auto &reader = node.open().reader;
    CHECK(names_of(*reader) == std::vector<std::string>{"amd_energy: Esocket0", "amd_energy: Esocket1"});
    CHECK(reader->quantities()[0].domain == Domain::package);
    node.tree.step();
    CHECK(read_all(*reader) == std::vector<double>{3.5, 4.5});
    CHECK(node.remarks() == 0);
    node.write("class/hwmon/hwmon1/energy3_input", "1000"); // went back: this interval is lost
    node.write("class/hwmon/hwmon1/energy4_input", "");
    node.check({{"amd_energy: Esocket0", 3.5}, {"amd_energy: Esocket1", unknown}});
    CHECK(node.says("amd_energy: Esocket0 started again 1 time: "));
}

TEST_CASE("The energy of a node by amd_energy") {
    HwmonOn("amd_energy").check({{"total", 8}, {"core", unknown}, {"node", unknown}});
}

TEST_CASE("Grace: power times time; the module contains the rest and is not added") {
    const HwmonOn node("grace");
    // 5500 if they were added
    node.check({{"total", 4000}, {"package", 1500}, {"core", 900}, {"uncore", 300}, {"module", 4000}});
    CHECK(
        node.says("power_meter: Module Power Socket 0 tells power, not energy: joules are power x time, read at most "
                  "10.0 s apart"));
}

TEST_CASE("A power meter that does not say what it measures is not read") {
    const ReaderOn node("no_meters", make_hwmon_reader);
    node.write("class/hwmon/hwmon0/device/name", "power_meter");
    node.write("class/hwmon/hwmon0/device/power1_average", "400000000");
    check_refused(node.reader->open(), {"no energy or power sensor known"}, {"acpi_power_meter"});
}

TEST_CASE("xgene: CPU and I/O of the socket") {
    HwmonOn("xgene").check({{"total", 510}});
}

TEST_CASE("hwmon denied: why, and what to ask for") {
    const ReaderOn node("amd_energy", make_hwmon_reader, [](ReaderOptions &options) {
        options.open_file = [](const char *path) {
            return open_unless(std::string_view(path).ends_with("_input"), path);
        };
    });
    check_refused(node.reader->open(), {"Esocket0: ", "Permission denied"}, {"0444"});
}

TEST_CASE("RAPL and amd_energy count the same: one of them") {
    EnergyOn node("amd_energy");
    node.write("class/powercap/intel-rapl:0/name", "package-0");
    node.write("class/powercap/intel-rapl:0/energy_uj", "1000000");
    node.open_by("rapl, hwmon");
    node.write("class/powercap/intel-rapl:0/energy_uj", "9000000");
    node.step(10);
    node.check({{"package", 8}}); // 16 if they were added
    CHECK(node.remarks() == 0);
}
