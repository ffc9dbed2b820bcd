// Writes rows of times at their place in the file with pwrite.
#include "io/timeline/row_file.hpp"

#include "data/raster.hpp"
#include "io/files/file_error.hpp"
#include "io/timeline/row_extremes.hpp"
#include "io/timeline/timeline_times.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <netcdf.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr std::size_t values_at_once = 32'768; // 256 KiB: stays in the cache between conversion and write
constexpr std::uint64_t value_bytes = sizeof(double);
constexpr double missing_time = NC_FILL_DOUBLE;

} // namespace

RowPlace row_place(const std::string &file, const std::string &result, std::uint64_t start_at, std::uint64_t stop_at,
                   std::int64_t events) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0)
        throw FileError(result, "cannot write times: " + std::generic_category().message(errno));
    return {file, result, start_at, stop_at, 0, 0, events, static_cast<std::uint64_t>(found.st_dev), found.st_ino, 0};
}

EventRange events_of_own_pages(const RowPlace &place, std::int64_t first_process, std::int64_t last_process,
                               std::int64_t process) {
    EventRange own{0, place.events};
    const auto row_at = [&](std::uint64_t variable_at, std::int64_t p) {
        return static_cast<std::int64_t>(variable_at) + p * place.events * static_cast<std::int64_t>(value_bytes);
    };
    constexpr auto page = static_cast<std::int64_t>(page_bytes_of_nodes);
    constexpr auto value = static_cast<std::int64_t>(value_bytes);
    for (const std::uint64_t variable_at : {place.start_at, place.stop_at}) {
        const std::int64_t pages_begin = (row_at(variable_at, first_process) + page - 1) / page * page;
        const std::int64_t pages_end = row_at(variable_at, last_process + 1) / page * page;
        const std::int64_t row = row_at(variable_at, process);
        own.first = std::max(own.first, (std::max(pages_begin - row, std::int64_t{0}) + value - 1) / value);
        own.end = std::min(own.end, std::max(pages_end - row, std::int64_t{0}) / value);
    }
    return own.empty() ? EventRange{} : own;
}

RowFile::RowFile(const RowPlace &place, From from)
    : place_(place),
      descriptor_(::open(place.file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)) {
    if (descriptor_ < 0) failed("cannot open", errno);
    struct stat found {};
    const auto is_file_of_node = [&] {
        return ::fstat(descriptor_, &found) == 0 && static_cast<std::uint64_t>(found.st_dev) == place_.device &&
               found.st_ino == place_.inode;
    };
    try {
        // Another node has other numbers for devices.
        if (from == From::another_node ? place_.token != 0 && read_mark(0, 0) == place_.token : is_file_of_node())
            return;
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
    ::close(descriptor_);
    throw FileError(place_.result, "is another file here");
}

RowFile::~RowFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void RowFile::failed(const char *doing, int code) const {
    throw FileError(place_.result, std::string(doing) + ": " + std::generic_category().message(code));
}

void RowFile::write(std::int64_t process, std::int64_t first_event, std::span<const Nanoseconds> start,
                    std::span<const Nanoseconds> stop) {
    const auto at = static_cast<std::uint64_t>(process * place_.events + first_event) * value_bytes;
    write_times(place_.start_at + at, start);
    write_times(place_.stop_at + at, stop);
}

void RowFile::write_times(std::uint64_t at, std::span<const Nanoseconds> times) {
    buffer_.resize(values_at_once);
    while (!times.empty()) {
        const std::size_t n = std::min(times.size(), values_at_once);
        to_classic(times.first(n), missing_time, buffer_.data());
        times = times.subspan(n);
        write_bytes(at, std::as_bytes(std::span(buffer_).first(n)));
        at += n * value_bytes;
    }
}

void RowFile::write_raster(std::int64_t process, std::span<const signed char> kinds) {
    if (place_.raster_at == 0) return;
    const std::uint64_t at = static_cast<std::uint64_t>(process) * raster_bins;
    const std::size_t bins = std::min(kinds.size(), raster_bins);
    write_bytes(place_.raster_at + at, std::as_bytes(kinds.first(bins)));
    if (place_.inside_at != 0) write_bytes(place_.inside_at + at, std::as_bytes(kinds.subspan(bins)));
}

void RowFile::write_bytes(std::uint64_t at, std::span<const std::byte> rest) {
    while (!rest.empty()) {
        const ssize_t written = ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) failed("cannot write times", written == 0 ? ENOSPC : errno);
        at += static_cast<std::uint64_t>(written);
        rest = rest.subspan(static_cast<std::size_t>(written));
    }
}

void RowFile::read_times(std::uint64_t at, std::span<std::uint64_t> values) {
    for (std::span<std::byte> rest = std::as_writable_bytes(values); !rest.empty();) {
        const ssize_t got = ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) failed("cannot read times back", got == 0 ? EIO : errno);
        at += static_cast<std::uint64_t>(got);
        rest = rest.subspan(static_cast<std::size_t>(got));
    }
}

void RowFile::add_to(std::span<EventSpan> spans, std::span<const int> processes, std::int64_t first_event) {
    constexpr std::size_t block = values_at_once / 8; // so many of each process: what is united stays in the cache
    std::vector<std::uint64_t> start(std::min(block, spans.size())), stop(start.size());
    for (std::size_t first = 0; first < spans.size(); first += block) {
        const std::size_t n = std::min(block, spans.size() - first);
        RowExtremes extremes(n);
        for (const int process : processes) {
            const std::int64_t event = process * place_.events + first_event + static_cast<std::int64_t>(first);
            const std::uint64_t at = static_cast<std::uint64_t>(event) * value_bytes;
            read_times(place_.start_at + at, std::span(start).first(n));
            read_times(place_.stop_at + at, std::span(stop).first(n));
            // These are the library's own times, whatever a clock has shown: none is refused here.
            static_cast<void>(
                extremes.add(0, std::span(start).first(n), std::span(stop).first(n), {missing_time, missing_time}));
        }
        extremes.add_to(spans.subspan(first, n));
    }
}

std::uint64_t RowFile::place_of_start(std::int64_t process, std::int64_t event) const {
    return place_.start_at + static_cast<std::uint64_t>(process * place_.events + event) * value_bytes;
}

void RowFile::make_room(std::int64_t processes) {
    const std::uint64_t rows = static_cast<std::uint64_t>(processes * place_.events) * value_bytes;
    std::uint64_t end = std::max(place_.start_at, place_.stop_at) + rows;
    for (const std::uint64_t at : {place_.raster_at, place_.inside_at})
        if (at != 0) end = std::max(end, at); // its own rows come by the master
    struct stat found {};
    if (::fstat(descriptor_, &found) != 0) failed("cannot write times", errno);
    if (static_cast<std::uint64_t>(found.st_size) >= end) return;
    if (::ftruncate(descriptor_, static_cast<off_t>(end)) != 0) failed("cannot write times", errno);
}

void RowFile::write_mark(std::int64_t process, std::int64_t event, std::uint64_t mark) {
    write_bytes(place_of_start(process, event), std::as_bytes(std::span(&mark, 1)));
}

std::uint64_t RowFile::read_mark(std::int64_t process, std::int64_t event) {
    const std::uint64_t at = place_of_start(process, event);
    const auto forget = [&] {
        ::posix_fadvise(descriptor_, static_cast<off_t>(at), value_bytes, POSIX_FADV_DONTNEED);
    };
    forget();
    std::uint64_t mark = 0;
    read_times(at, {&mark, 1});
    forget();
    return mark;
}

void RowFile::flush() {
    if (::fsync(descriptor_) != 0) failed("cannot write times", errno);
}

void RowFile::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (descriptor >= 0 && ::close(descriptor) != 0) failed("cannot close", errno);
}

} // namespace cpl_lb
