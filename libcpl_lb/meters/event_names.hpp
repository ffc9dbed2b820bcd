// The names of events: the list in cn_counters, and what libpfm4 knows of them.
#pragma once

#include "meters/dynamic_library.hpp"
#include "meters/perf_event_file.hpp"
#include "meters/reader.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// "PAPI_TOT_INS, perf::PAGE-FAULTS" -> its names, in order, each once, blanks dropped.
[[nodiscard]] std::vector<std::string> split_event_names(std::string_view list);

// The status of several events: it works if one of them does. One line says which others are missing.
[[nodiscard]] Availability availability_of(std::span<const Quantity> quantities, const std::string &remedy);

// A context switch or migration happens inside the kernel: counted in user mode only, it is always 0.
[[nodiscard]] bool happens_in_kernel(std::string_view event_name);

// libpfm4, opened at run time: it tells whether it knows an event, and what to ask perf_event_open for.
class Pfm {
public:
    [[nodiscard]] Availability open(const std::string &path = {});

    // The request for an event by name, such as "perf::PAGE-FAULTS"; nothing: *why says it in words.
    [[nodiscard]] std::optional<PerfEventRequest> encode(const std::string &event_name, std::string *why) const;
    // One sentence on what the event counts; empty: libpfm4 does not know it on this processor.
    [[nodiscard]] std::string explain(const std::string &event_name) const;

private:
    DynamicLibrary library_;
    int (*initialize_)() = nullptr;
    const char *(*strerror_)(int) = nullptr;
    int (*find_event_)(const char *) = nullptr;
    int (*get_event_info_)(int, int, void *) = nullptr;
    int (*get_os_event_encoding_)(const char *, int, int, void *) = nullptr;
};

} // namespace cpl_lb
