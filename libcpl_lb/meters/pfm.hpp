// libpfm4, opened at run time: it tells whether it knows an event, and what to ask perf_event_open for.
#pragma once

#include "meters/dynamic_library.hpp"
#include "meters/perf_event_file.hpp"
#include "meters/reader.hpp"

#include <optional>
#include <string>

namespace cpl_lb {

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
