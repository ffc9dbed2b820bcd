// The times of a classic timeline file, for the processes that write their rows themselves. In the classic formats
// (CDF-2, CDF-5) the values of a fixed-size variable lie one after the other, as big-endian doubles, from a place
// that the header names (NetCDF Classic Format Specification, "vars"); so every process knows where its row lies, and
// rows can be written in any order and at the same time.
#pragma once

#include "data/events.hpp"
#include "io/files/result_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

struct RowPlace {
    std::string file;            // under which it can be opened now
    std::string result;          // the name in errors
    std::uint64_t start_at = 0;  // where timer_strt(0, 0) lies in the file [bytes]
    std::uint64_t stop_at = 0;   // timer_stop(0, 0)
    std::uint64_t raster_at = 0; // kind_dominant(0, 0); 0: the file has none
    std::uint64_t inside_at = 0; // mpi_inside(0, 0), the same
    std::int64_t events = 0;     // in each row
    std::uint64_t device = 0;    // of the file, so that a file of the same name on another system is not taken for it
    std::uint64_t inode = 0;
};

struct EventRange {
    std::int64_t first = 0, end = 0;
    [[nodiscard]] bool empty() const { return first >= end; }
};

// The place, with the file's own identity. Throws FileError.
[[nodiscard]] RowPlace row_place(const std::string &file, const std::string &result, std::uint64_t start_at,
                                 std::uint64_t stop_at, std::int64_t events);

class RowFile {
public:
    // Throws FileError, like everything here: the file is not there, or another one.
    explicit RowFile(const RowPlace &place);
    ~RowFile();
    RowFile(const RowFile &) = delete;
    RowFile &operator=(const RowFile &) = delete;

    // Events first_event, first_event + 1, ... of one process: `absent` becomes the fill value.
    void write(std::int64_t process, std::int64_t first_event, std::span<const Nanoseconds> start,
               std::span<const Nanoseconds> stop);
    // The process's row of kind_dominant, and behind it that of mpi_inside; nothing if the file has none.
    void write_raster(std::int64_t process, std::span<const signed char> kinds);
    // Adds what the rows of `processes` say of events first_event, ... to `spans`. The rows have been written, by
    // whomever.
    void add_to(std::span<EventSpan> spans, std::span<const int> processes, std::int64_t first_event);
    // Network file systems may report a full disk only here.
    void close();

private:
    void write_bytes(std::uint64_t at, std::span<const std::byte> rest);
    void write_times(std::uint64_t at, std::span<const Nanoseconds> times);
    [[noreturn]] void failed(const char *doing, int code) const;

    NoFileSizeSignal no_signal_; // first: outlives the file
    RowPlace place_;
    int descriptor_ = -1;
    std::vector<std::uint64_t> buffer_; // big-endian
};

} // namespace cpl_lb
