// What works here and why the rest does not, on machines made of texts.
#include "meters/meters_report.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

const MeterStatus &meter(const MetersReport &report, std::string_view name) {
    for (const MeterStatus &each : report.meters) {
        if (each.name == name) return each;
    }
    FAIL("no meter " << name);
    return report.meters.front();
}

} // namespace

TEST_CASE("A virtual machine without PMU, with a strict kernel") {
    const RecordedTree tree("no_meters");
    ReaderOptions options = options_for(tree);
    options.procfs_root = tree.root();
    options.papi_library = "/nonexistent/libpapi.so.7";
    options.pfm_library = "/nonexistent/libpfm.so.4";
    options.perf_event_open = forbid_events;
    tree.write("cpuinfo", "processor : 0\nflags\t\t: fpu vme hypervisor lahf_lm");
    tree.write("sys/kernel/perf_event_paranoid", "4");
    const MetersReport report = report_meters(options);
    CHECK(report.virtual_machine);
    CHECK_FALSE(report.processor_pmu);
    CHECK(report.perf_event_paranoid == "4");
    CHECK(report.papi.find("PAPI is not found") == 0);
    CHECK(report.libpfm4.find("libpfm4 is not found") == 0);
    CHECK(mentions(report.advice, "virtual PMU"));
    CHECK(mentions(report.advice, "perf_event_paranoid is 4"));
    for (const MeterStatus &each : report.meters) {
        CHECK_FALSE(each.state.works); // this tree has no statm and no meminfo either
        CHECK_FALSE(each.state.reason.empty());
        CHECK(each.quantities.empty());
    }
    REQUIRE(report.events.size() > 5);
    for (const EventStatus &event : report.events) {
        CHECK_FALSE(event.state.works);
        CHECK_FALSE(event.state.reason.empty());
        CHECK(event.through.empty());
    }
}

TEST_CASE("A node with RAPL, and events through PAPI") {
    const RecordedTree tree("one_socket");
    tree.write("bus/event_source/devices/cpu/type", "4");
    tree.write("cpuinfo", "flags : fpu vme");
    tree.write("sys/kernel/perf_event_paranoid", "3");
    tree.write("meminfo", "MemTotal: 100 kB\nMemAvailable: 50 kB");
    ReaderOptions options = options_for(tree);
    options.procfs_root = tree.root();
    options.papi_library = PAPI_STUB;
    options.nvml_library = NVML_STUB;
    options.counters = "EVENT_1,EVENT_2,NOT_AN_EVENT";
    const ScopedVariable failing("PAPI_STUB_FAIL", "start=-15");
    const ScopedVariable only("PAPI_STUB_FAIL_EVENT", "2");
    const MetersReport report = report_meters(options);
    CHECK_FALSE(report.virtual_machine);
    CHECK(report.processor_pmu);
    CHECK(report.papi == "PAPI 7.0 (" PAPI_STUB ")");
    CHECK(report.advice.size() == 2); // paranoid 3, and that counters are few
    CHECK(meter(report, "rapl").state.works);
    CHECK(meter(report, "rapl").quantities ==
          std::vector<std::string>{"package-0", "package-0/core", "package-0/dram", "package-0/uncore"});
    CHECK(meter(report, "node_memory").state.works);
    CHECK(meter(report, "nvml").quantities.size() == 2);
    CHECK_FALSE(meter(report, "perf_power").state.works);
    REQUIRE(report.events.size() == 3);
    CHECK(report.events[0].state.works);
    CHECK(report.events[0].through == "papi");
    CHECK_FALSE(report.events[1].state.works); // known, but it may not be started
    CHECK(report.events[1].state.reason.find("PAPI_start: stub error -15") == 0);
    CHECK(report.events[1].state.remedy.find("perf_event_paranoid <= 2 (it is 3 here)") != std::string::npos);
    CHECK(report.events[2].state.reason.find("PAPI_event_name_to_code: stub error -7") == 0);
}

TEST_CASE("The report as text: each remedy once, n/a with its reason") {
    MetersReport report;
    report.perf_event_paranoid = "2";
    report.papi = "PAPI 7.0 (libpapi.so.7.0)";
    report.libpfm4 = "found";
    report.meters = {{"rss", "", Availability::good(), {"rss", "hwm"}},
                     {"rapl", "", Availability::missing("Permission denied", "a udev rule"), {}}};
    report.events = {{"EVENT_1", "cycles", Availability::good(), "papi"},
                     {"EVENT_2", "", Availability::missing("no such event", "a udev rule"), ""},
                     {"EVENT_3", "", Availability::missing("too many", "fewer events"), ""}};
    report.advice = {"Name few."};
    CHECK(meters_text(report) == R"(Machine
  virtual machine          no sign of one
  hardware counters        none offered by the kernel
  perf_event_paranoid      2
  PAPI                     PAPI 7.0 (libpapi.so.7.0)
  libpfm4                  found

Meters
  rss                      works  rss, hwm
  rapl                     n/a    Permission denied [1]

Events for cn_counters
  EVENT_1                  works  through papi: cycles
  EVENT_2                  n/a    no such event [1]
  EVENT_3                  n/a    too many [2]

What would help
  [1] a udev rule
  [2] fewer events

Advice
  Name few.
)");
}
