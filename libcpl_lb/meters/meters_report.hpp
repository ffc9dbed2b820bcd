// Reports for `cpl-lb counters` which meters and counters work on this machine, and why others do not and the remedy.
// It opens, starts and reads each of them to find out.
#pragma once

#include "meters/reader.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct MeterStatus {
    std::string name, measures;
    Availability state;
    std::vector<std::string> quantities; // that gave a value, such as "package-0"
};

struct EventStatus {
    std::string name;
    std::string explanation; // libpfm4's; empty if it knows none
    Availability state;
    std::string through; // "papi" or "perf_events"; empty: neither
};

struct MetersReport {
    std::string perf_event_paranoid; // the level, or "not readable"
    bool virtual_machine = false;
    bool processor_pmu = false; // the kernel offers hardware counters
    std::string papi, libpfm4;  // "PAPI 7.0 (libpapi.so.7.0)", or why there is none
    std::vector<MeterStatus> meters;
    std::vector<EventStatus> events; // those of options.counters, or a usual selection
    std::vector<std::string> advice; // on the machine as a whole
};

// For commands: CPL_LB_SYSFS and CPL_LB_PROCFS name other roots, as they do for a run.
[[nodiscard]] ReaderOptions reader_options_of_environment();

[[nodiscard]] MetersReport report_meters(const ReaderOptions &options);
// As tables for a reader at a terminal.
[[nodiscard]] std::string meters_text(const MetersReport &report);

} // namespace cpl_lb
