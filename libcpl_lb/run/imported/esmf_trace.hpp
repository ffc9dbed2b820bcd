// Reads the folder that ESMF_RUNTIME_TRACE=ON leaves (traceout): one stream for each PET with its events as CTF 1.8,
// in the one layout of ESMF since 2018 (its uuid is in every packet). Nothing in the bytes is trusted.
#pragma once

#include "data/progress.hpp"
#include "data/time.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// As text, as in the file `metadata` beside the streams.
inline constexpr std::string_view esmf_trace_uuid = "21c4e078-a5c7-11e8-8529-34f39aeaad30";

enum class EsmfMethod : std::uint8_t { init, run, finalize, other };

// The latest time that is read (2065): differences of three such times fit into 64 bits, whatever the bytes are.
inline constexpr Nanoseconds latest_esmf_time = 3'000'000'000'000'000'000;

// A phase of a component at one place of the tree of calls. Regions that a model defines itself are not in the tree:
// calls inside them belong to the phase around them.
struct EsmfRegion {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::string name;            // "[OCN] RunPhase1"
    std::uint32_t parent = none; // place in EsmfStream::regions
    std::uint32_t depth = 0;     // phases around it
    EsmfMethod method = EsmfMethod::other;
};

struct EsmfCall {
    std::uint32_t region = 0;
    Nanoseconds enter = 0;
    Nanoseconds exit = absent; // absent: the trace does not tell
};

struct EsmfStream {
    std::string name;                // of the file, for messages
    std::string node;                // host
    std::int32_t pet = -1;           // -1: no packet could be read
    Nanoseconds first = 0, last = 0; // first and last event, by the clock of the node
    std::vector<EsmfRegion> regions;
    std::vector<EsmfCall> calls; // in the order of their begins
    bool has_profile = false;    // ESMF ends every trace with one: without it the tail is missing
    std::int64_t lost_calls = 0; // missing begins or ends, by the profile or by the calls around them
    std::int64_t damaged_packets = 0;
    bool foreign = false;    // its packets have another uuid
    std::uint64_t bytes = 0; // of the file
};

[[nodiscard]] EsmfStream read_esmf_stream(std::string name, std::span<const std::byte> bytes);
// Whether they begin with the header of a packet. If not, read_esmf_stream takes nothing of what comes behind.
[[nodiscard]] bool begins_esmf_stream(std::span<const std::byte> bytes);

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
