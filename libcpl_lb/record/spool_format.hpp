// The spool file, byte by byte: docs/evidence/spool_format.md. One file for each process: a header of 4096 bytes,
// then segments. Numbers are those of the machine that wrote it; the header says which byte order that is.
#pragma once

#include "record/mark_store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace cpl_lb {

inline constexpr std::array<char, 8> spool_magic = {'c', 'p', 'l', '_', 'l', 'b', '\r', '\n'};
inline constexpr std::uint32_t spool_version = 2; // 1 had another code for dates, and no SYNC
inline constexpr std::uint32_t spool_byte_order = 0x01020304;
inline constexpr std::size_t spool_header_bytes = 4096;
inline constexpr std::size_t spool_smallest_block = 4096; // segments begin at multiples of the block
inline constexpr std::size_t spool_largest_block = std::size_t{1} << 20U;

// The facts that are known in cpl_lb_init. Texts end with a zero byte, or fill their place.
struct SpoolIdentity {
    std::array<char, 8> magic = spool_magic;
    std::uint32_t version = spool_version;
    std::uint32_t byte_order = spool_byte_order;
    std::uint32_t block_bytes = spool_smallest_block; // a multiple of the page size
    std::uint32_t chunk_words = 0;                    // of a segment of marks
    std::uint32_t clock_source = 0; // ClockSource: 0 ticks are nanoseconds of CLOCK_MONOTONIC; else a counter
    std::int32_t rank = 0;
    std::int32_t size = 0; // processes of the run
    std::int32_t component_processes = 0;
    std::int32_t threads = 1;
    std::int32_t node = 0; // clock domain
    std::int32_t nodes = 1;
    std::uint32_t sliced = 0;
    // The same instant on both clocks, at the entry into cpl_lb_init.
    std::uint64_t first_ticks = 0;
    std::int64_t first_monotonic_ns = 0;
    std::uint64_t first_gap_ticks = 0;
    // common clock = CLOCK_MONOTONIC here + offset, +- bound, at `offset_at`. Nanoseconds.
    std::int64_t offset_at = 0;
    std::int64_t offset = 0;
    std::int64_t offset_bound = 0;
    std::int64_t started_realtime_ns = 0; // CLOCK_REALTIME in cpl_lb_init
    std::int64_t max_bytes = 0;           // bound on the marks of this process
    std::int64_t cores = 0;               // allocated; 0: not known
    double year_days = 365.0;
    std::array<char, 32> token{};      // the same in all files of a run
    std::array<char, 32> started{};    // ISO 8601 UTC
    std::array<char, 32> submitted{};  // ISO 8601 UTC; empty: not known
    std::array<char, 64> cores_from{}; // as in load_balancing_info.json
    std::array<char, 64> host{};       // node name
    std::array<char, 256> run_id{};    // name of the run
    std::array<char, 256> component{}; // the beginning of its name; the names have all of it
    std::uint64_t checksum = 0;        // of all bytes before
};

// Facts that change while the model runs. Each word is written at once.
struct SpoolStatus {
    std::uint64_t flags = 0;
    std::uint64_t first_drop_ticks = 0; // 0: none
    double planned_s = 0;               // cpl_lb_set_length; 0: not given
    double threads_per_processor = 0;   // of the run on this node; 0: not known
    double switches_per_s = 0;          // involuntary, from cpl_lb_init to the last sample of the meters
};
inline constexpr std::size_t spool_status_offset = 2048;
inline constexpr std::uint64_t spool_flag_to_memory = 1; // later events went to memory: the file could not grow
inline constexpr std::uint64_t spool_flag_full = 2;      // later events were dropped at the memory bound
inline constexpr std::uint64_t spool_flag_switches = 4;  // switches_per_s is known
inline constexpr std::uint64_t spool_flag_inside = 8;    // MPI was recorded, and its sums are not in the file

enum class SpoolSegmentType : std::uint32_t { names = 1, marks = 2 };
inline constexpr std::uint32_t spool_segment_magic = 0x4c42'5345;
inline constexpr std::uint64_t spool_sealed = 0x7365'616c'6564'0a0d;

struct SpoolSegment {
    std::uint32_t magic = spool_segment_magic;
    std::uint32_t type = 0;
    std::uint64_t payload_bytes = 0; // behind this header; the next segment begins at the next multiple of the block
    std::uint64_t ordinal = 0;       // 0, 1, ... for each type
    std::uint64_t token_hash = 0;    // checksum of the run's token: tells this segment from older bytes in its place
    std::uint64_t checksum = 0;      // of the bytes before
    std::uint64_t payload_checksum = 0;
    std::uint64_t sealed = 0; // spool_sealed: marks are complete, payload_checksum holds
    std::uint64_t spare = 0;
};

// In a segment of names: records one after the other, each at a multiple of 8; type 0 ends them.
enum class SpoolNameType : std::uint32_t { component = 1, field = 2 };
struct SpoolName {
    std::uint32_t type = 0;
    std::uint32_t id = 0;           // index of the component, id of the field
    std::uint32_t first_bytes = 0;  // name
    std::uint32_t second_bytes = 0; // counterpart of a field
    std::uint64_t checksum = 0;     // of the bytes before and both texts
};

static_assert(std::is_trivially_copyable_v<SpoolIdentity> && sizeof(SpoolIdentity) <= spool_status_offset);
static_assert(sizeof(SpoolSegment) == 64 && sizeof(SpoolName) == 24);

// Changes with every change of a 64-bit word, because each step is a bijection of the state. Four lanes, so that
// sealing a chunk costs about a nanosecond for each event.
class SpoolChecksum {
public:
    void add(const void *data, std::size_t bytes) {
        const auto *p = static_cast<const unsigned char *>(data);
        bytes_ += bytes;
        std::array<std::uint64_t, 4> w{};
        for (; bytes >= sizeof w; bytes -= sizeof w, p += sizeof w) {
            std::memcpy(w.data(), p, sizeof w);
            mix(w);
        }
        if (bytes == 0) return;
        w = {};
        std::memcpy(w.data(), p, bytes);
        mix(w);
    }
    [[nodiscard]] std::uint64_t value() const {
        std::uint64_t sum = bytes_;
        for (const std::uint64_t lane : lanes_)
            sum = step(sum, lane);
        return sum;
    }

private:
    static std::uint64_t step(std::uint64_t state, std::uint64_t word) {
        const std::uint64_t product = (state ^ word) * 0x9fb2'1c65'1e98'df25U;
        return product << 29U | product >> 35U;
    }
    void mix(const std::array<std::uint64_t, 4> &w) {
        for (std::size_t i = 0; i < 4; ++i)
            lanes_[i] = step(lanes_[i], w[i]);
    }
    std::array<std::uint64_t, 4> lanes_ = {1, 2, 3, 4};
    std::uint64_t bytes_ = 0;
};

[[nodiscard]] inline std::uint64_t spool_checksum(const void *data, std::size_t bytes) {
    SpoolChecksum sum;
    sum.add(data, bytes);
    return sum.value();
}
[[nodiscard]] inline std::uint64_t checksum_of(const SpoolIdentity &identity) {
    return spool_checksum(&identity, offsetof(SpoolIdentity, checksum));
}
[[nodiscard]] inline std::uint64_t checksum_of(const SpoolSegment &segment) {
    return spool_checksum(&segment, offsetof(SpoolSegment, checksum));
}
[[nodiscard]] inline std::uint64_t checksum_of(const SpoolName &name, std::string_view first,
                                               std::string_view second) {
    SpoolChecksum sum;
    sum.add(&name, offsetof(SpoolName, checksum));
    sum.add(first.data(), first.size());
    sum.add(second.data(), second.size());
    return sum.value();
}

[[nodiscard]] constexpr std::size_t round_up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

template <std::size_t n>
void put_text(std::array<char, n> &place, std::string_view text) {
    place.fill('\0');
    std::memcpy(place.data(), text.data(), text.size() < n ? text.size() : n);
}
template <std::size_t n>
[[nodiscard]] std::string_view text_of(const std::array<char, n> &place) {
    return {place.data(), ::strnlen(place.data(), n)};
}

} // namespace cpl_lb
