// Reads the rows of a timeline in a classic format at their place in the file (NetCDF Classic Format Specification,
// "vars"), by any number of threads at the same time; netCDF allows one.
#pragma once

#include "data/events.hpp"
#include "io/files/file_handle.hpp"
#include "io/timeline/row_extremes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Where the times lie in a file whose header was found good.
struct ClassicLayout {
    std::uint64_t start_at = 0, stop_at = 0; // timer_strt(0, 0), timer_stop(0, 0) [bytes]
    FillValues fill;
    std::int64_t processes = 0, events = 0;
};

class ClassicRows {
public:
    // Throws FileError, like everything here.
    ClassicRows(std::string path, const ClassicLayout &layout);
    // The same file, which is open already.
    ClassicRows(std::string path, const ClassicLayout &layout, FileHandle file);

    // Bytes between file and times: one of each thread.
    struct Buffer {
        std::vector<std::uint64_t> start, stop;
    };

    // The row of one process, as TimelineReader::read_rows() reads it, but for the time away; vectors are reused.
    void read(std::int64_t process, Row &row, Buffer &buffer) const;
    // Adds `rows` rows. False as RowExtremes::add().
    [[nodiscard]] bool add_to(RowExtremes &extremes, std::int64_t first_process, std::int64_t rows,
                              Buffer &buffer) const;
    // The same of some events, which become the first ones of `extremes`.
    [[nodiscard]] bool add_to(RowExtremes &extremes, std::int64_t first_process, std::int64_t rows,
                              std::size_t first_event, std::size_t events, Buffer &buffer) const;

private:
    void read_bytes(std::uint64_t at, std::span<std::uint64_t> raw) const;
    [[nodiscard]] std::uint64_t offset(std::int64_t process, std::size_t event) const; // from (0, 0) [bytes]

    std::string path_;
    ClassicLayout layout_;
    FileHandle file_;
};

} // namespace cpl_lb
