// Where readers look for files, system calls and libraries. Tests put recorded trees, failing calls and stubs here.
#pragma once

#include "meters/perf_event_file.hpp"
#include "meters/small_file.hpp"

#include <string>

namespace cpl_lb {

struct ReaderOptions {
    std::string sysfs_root = "/sys";
    std::string procfs_root = "/proc";
    std::string counters;     // cn_counters: event names, comma separated
    std::string papi_library; // path; empty: the well-known names
    std::string pfm_library;
    std::string nvml_library;
    std::string rocm_smi_library;
    OpenFile open_file = open_for_reading;
    PerfEventOpen perf_event_open = system_perf_event_open;
};

} // namespace cpl_lb
