// Energy sensors of hwmon: AMD's counters, and the power of ARM servers.
#include "meters/energy_readers.hpp"

#include "meters/energy.hpp"

#include "tests/meters/values.hpp"

#include <cerrno>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

Nanoseconds hwmon_time = 0;
Nanoseconds hwmon_clock() noexcept {
    return hwmon_time;
}

int forbid_energy_input(const char *path) {
    if (std::string_view(path).ends_with("_input")) {
        errno = EACCES;
        return -1;
    }
    return open_for_reading(path);
}

EnergyTotals totals_after_10_s(RecordedTree &tree, EnergyMeter &meter) {
    const Availability answer = meter.open();
    REQUIRE(answer.works);
    CHECK(answer.reason.empty()); // RAPL is not missed
    CHECK(meter.source() == "hwmon");
    tree.step();
    hwmon_time += from_seconds(10);
    meter.sample();
    return meter.totals();
}

} // namespace

TEST_CASE("amd_energy: the sockets, neither their cores nor a driver that is "
          "not known") {
    RecordedTree tree("amd_energy");
    const auto reader = make_hwmon_reader(options_for(tree), hwmon_clock);
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) == std::vector<std::string>{"amd_energy: Esocket0", "amd_energy: Esocket1"});
    CHECK(reader->quantities()[0].domain == Domain::package);
    tree.step();
    CHECK(read_all(*reader) == std::vector<double>{3.5, 4.5});
    CHECK(reader->remarks().empty());
    tree.write("class/hwmon/hwmon1/energy3_input",
               "1000"); // went back: this interval is lost
    tree.write("class/hwmon/hwmon1/energy4_input", "");
    CHECK(value_of(*reader, "amd_energy: Esocket0") == 3.5);
    CHECK(std::isnan(value_of(*reader, "amd_energy: Esocket1")));
    CHECK(mentions(reader->remarks(), "amd_energy: Esocket0 started again 1 time: "));
}

TEST_CASE("The energy of a node by amd_energy") {
    RecordedTree tree("amd_energy");
    EnergyMeter meter(options_for(tree), hwmon_clock);
    const EnergyTotals totals = totals_after_10_s(tree, meter);
    CHECK(totals.total_J == 8);
    CHECK(std::isnan(totals.core_J));
    CHECK(std::isnan(totals.node_J));
}

TEST_CASE("Grace: power times time; the module contains the rest and is not added") {
    RecordedTree tree("grace");
    EnergyMeter meter(options_for(tree), hwmon_clock);
    const EnergyTotals totals = totals_after_10_s(tree, meter);
    CHECK(totals.total_J == Approx(4000)); // 5500 if they were added
    CHECK(totals.package_J == Approx(1500));
    CHECK(totals.core_J == Approx(900));
    CHECK(totals.uncore_J == Approx(300));
    CHECK(totals.module_J == Approx(4000));
    CHECK(mentions(meter.remarks(), "power_meter: Module Power Socket 0 tells "
                                    "power, not energy: joules are power x "
                                    "time, read at most 10.0 s apart"));
}

TEST_CASE("A power meter that does not say what it measures is not read") {
    const RecordedTree tree("no_meters");
    tree.write("class/hwmon/hwmon0/device/name", "power_meter");
    tree.write("class/hwmon/hwmon0/device/power1_average", "400000000");
    const Availability answer = make_hwmon_reader(options_for(tree), hwmon_clock)->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("no energy or power sensor known") == 0);
    CHECK(answer.remedy.find("acpi_power_meter") != std::string::npos);
}

TEST_CASE("xgene: CPU and I/O of the socket") {
    RecordedTree tree("xgene");
    EnergyMeter meter(options_for(tree), hwmon_clock);
    CHECK(totals_after_10_s(tree, meter).total_J == Approx(510));
}

TEST_CASE("hwmon denied: why, and what to ask for") {
    const RecordedTree tree("amd_energy");
    ReaderOptions options = options_for(tree);
    options.open_file = forbid_energy_input;
    const Availability answer = make_hwmon_reader(options, hwmon_clock)->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("Esocket0: ") == 0);
    CHECK(answer.reason.find("Permission denied") != std::string::npos);
    CHECK(answer.remedy.find("0444") != std::string::npos);
}

TEST_CASE("RAPL and amd_energy count the same: one of them") {
    RecordedTree tree("amd_energy");
    tree.write("class/powercap/intel-rapl:0/name", "package-0");
    tree.write("class/powercap/intel-rapl:0/energy_uj", "1000000");
    EnergyMeter meter(options_for(tree), hwmon_clock);
    REQUIRE(meter.open().works);
    CHECK(meter.source() == "rapl, hwmon");
    tree.write("class/powercap/intel-rapl:0/energy_uj", "9000000");
    tree.step();
    hwmon_time += from_seconds(10);
    meter.sample();
    CHECK(meter.totals().package_J == 8); // 16 if they were added
    CHECK(meter.remarks().empty());
}
