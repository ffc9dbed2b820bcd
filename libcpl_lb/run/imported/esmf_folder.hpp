// Reads the folder that ESMF_RUNTIME_TRACE=ON leaves (traceout): one stream for each PET, and the problems of the
// streams.
#pragma once

#include "data/progress.hpp"
#include "run/imported/esmf_stream.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct EsmfTrace {
    std::vector<EsmfStream> streams;   // ascending by PET, each once
    std::vector<std::string> remarks;  // streams that are missing, old or damaged
    std::vector<std::int32_t> missing; // PETs below the last one without a stream, the first of them
    std::int64_t missing_count = 0;    // all of them
};

// Throws FileError if the folder has no trace, or one with another layout.
[[nodiscard]] EsmfTrace read_esmf_trace(const std::string &folder, const Progress &progress);

// Finds the streams that belong together; adds a remark on the others. Throws FileError as above. Public for tests.
[[nodiscard]] EsmfTrace esmf_trace_of(const std::string &folder, std::vector<EsmfStream> streams);

// Whether a time is one of the calendar, not of a clock that began when the machine did.
[[nodiscard]] constexpr bool is_calendar_time(Nanoseconds t) {
    return t > 1'000'000'000'000'000'000; // 2001; no machine is up for 31 years
}

} // namespace cpl_lb
