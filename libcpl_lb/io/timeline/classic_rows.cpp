// Reads rows of big-endian times with pread, so that several threads can do it at once.
#include "io/timeline/classic_rows.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/classic_file.hpp"
#include "io/timeline/timeline_times.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t piece_values = 8'192; // 64 KiB: stays in the cache until it is worked on

} // namespace

ClassicRows::ClassicRows(std::string path, const ClassicLayout &layout)
    : path_(std::move(path)), layout_(layout), file_(open_to_read(path_)) {}
ClassicRows::ClassicRows(std::string path, const ClassicLayout &layout, FileHandle file)
    : path_(std::move(path)), layout_(layout), file_(std::move(file)) {}

std::uint64_t ClassicRows::offset(std::int64_t process, std::size_t event) const {
    return (size(process) * size(layout_.events) + event) * sizeof(double);
}

void ClassicRows::read_bytes(std::uint64_t at, std::span<std::uint64_t> raw) const {
    if (read_at(file_.descriptor(), at, std::as_writable_bytes(raw)) == raw.size_bytes()) return;
    if (errno != 0) throw FileError(path_, "cannot read times: " + std::generic_category().message(errno));
    throw FileError(path_, "is truncated");
}

void ClassicRows::read(std::int64_t process, Row &row, Buffer &buffer) const {
    row.start.resize(size(layout_.events));
    row.stop.resize(row.start.size());
    buffer.start.resize(piece_values);
    buffer.stop.resize(piece_values);
    TimeFaults faults;
    for (std::size_t first = 0; first < row.start.size(); first += piece_values) {
        const std::size_t count = std::min(piece_values, row.start.size() - first);
        const std::span<std::uint64_t> start = std::span(buffer.start).first(count);
        const std::span<std::uint64_t> stop = std::span(buffer.stop).first(count);
        read_bytes(layout_.start_at + offset(process, first), start);
        read_bytes(layout_.stop_at + offset(process, first), stop);
        const TimeFaults here = from_classic({start, stop, layout_.fill.start, layout_.fill.stop},
                                             row.start.data() + first, row.stop.data() + first);
        faults.impossible |= here.impossible;
        faults.ends_before_start |= here.ends_before_start;
    }
    if (faults.impossible) throw FileError(path_, "holds an impossible time of process " + std::to_string(process));
    if (faults.ends_before_start)
        throw FileError(path_, "an event of process " + std::to_string(process) + " ends before it starts");
}

bool ClassicRows::add_to(RowExtremes &extremes, std::int64_t first_process, std::int64_t rows, Buffer &buffer) const {
    return add_to(extremes, first_process, rows, 0, size(layout_.events), buffer);
}

bool ClassicRows::add_to(RowExtremes &extremes, std::int64_t first_process, std::int64_t rows,
                         std::size_t first_event, std::size_t events, Buffer &buffer) const {
    const std::size_t width = std::min(events, piece_values);
    // Short rows lie together: as many as fit are read at once.
    const bool whole = events == size(layout_.events) && width == events && width > 0;
    const std::int64_t height = whole ? static_cast<std::int64_t>(piece_values / width) : 1;
    bool good = true;
    buffer.start.resize(piece_values);
    buffer.stop.resize(piece_values);
    // A piece of all rows, then the next: what they are reduced to stays in the cache.
    for (std::size_t first = 0; first < events; first += width) {
        const std::size_t count = std::min(width, events - first);
        for (std::int64_t row = 0; row < rows; row += height) {
            const std::size_t together = size(std::min(height, rows - row));
            const std::span<std::uint64_t> start = std::span(buffer.start).first(together * count);
            const std::span<std::uint64_t> stop = std::span(buffer.stop).first(together * count);
            read_bytes(layout_.start_at + offset(first_process + row, first_event + first), start);
            read_bytes(layout_.stop_at + offset(first_process + row, first_event + first), stop);
            for (std::size_t r = 0; r < together; ++r) {
                good = extremes.add(first, start.subspan(r * count, count), stop.subspan(r * count, count),
                                    layout_.fill) &&
                       good;
            }
        }
    }
    return good;
}

} // namespace cpl_lb
