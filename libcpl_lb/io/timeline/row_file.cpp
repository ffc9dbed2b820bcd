// Writes rows of times at their place in the file with pwrite.
#include "io/timeline/row_file.hpp"

#include "io/files/file_error.hpp"
#include "io/timeline/timeline.hpp"
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

void unite(EventSpan &span, const Extremes &e, std::size_t k) {
    if (e.processes[k] == 0) return;
    span.first_start = std::min(span.first_start, from_file_seconds(e.first_start[k]));
    span.last_start = std::max(span.last_start, from_file_seconds(e.last_start[k]));
    span.last_stop = std::max(span.last_stop, from_file_seconds(e.last_stop[k]));
    span.processes += static_cast<std::int32_t>(e.processes[k]);
}

} // namespace

RowPlace row_place(const std::string &file, const std::string &result, std::uint64_t start_at, std::uint64_t stop_at,
                   std::int64_t events) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0)
        throw FileError(result, "cannot write times: " + std::generic_category().message(errno));
    return {file, result, start_at, stop_at, 0, events, static_cast<std::uint64_t>(found.st_dev), found.st_ino};
}

RowFile::RowFile(const RowPlace &place) : place_(place), descriptor_(::open(place.file.c_str(), O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0) failed("cannot open", errno);
    struct stat found {};
    const bool same = ::fstat(descriptor_, &found) == 0 &&
                      static_cast<std::uint64_t>(found.st_dev) == place_.device && found.st_ino == place_.inode;
    if (same) return;
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
    write_bytes(place_.raster_at + static_cast<std::uint64_t>(process) * kinds.size(), std::as_bytes(kinds));
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

std::span<const std::uint64_t> RowFile::read_times(std::uint64_t at, std::size_t count) {
    buffer_.resize(std::max(buffer_.size(), count));
    const std::span<std::byte> all = std::as_writable_bytes(std::span(buffer_).first(count));
    for (std::span<std::byte> rest = all; !rest.empty();) {
        const ssize_t got = ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) failed("cannot read times back", got == 0 ? EIO : errno);
        at += static_cast<std::uint64_t>(got);
        rest = rest.subspan(static_cast<std::size_t>(got));
    }
    return std::span(buffer_).first(count);
}

void RowFile::add_to(std::span<EventSpan> spans, std::span<const int> processes, std::int64_t first_event) {
    constexpr std::size_t block = values_at_once / 8; // so many of each process: what is united stays in the cache
    Extremes extremes(std::min(block, spans.size()));
    for (std::size_t first = 0; first < spans.size(); first += block) {
        const std::size_t n = std::min(block, spans.size() - first);
        extremes.reset();
        for (const int process : processes) {
            const std::int64_t event = process * place_.events + first_event + static_cast<std::int64_t>(first);
            const std::uint64_t at = static_cast<std::uint64_t>(event) * value_bytes;
            extremes.add_starts(read_times(place_.start_at + at, n), missing_time);
            extremes.add_stops(read_times(place_.stop_at + at, n), missing_time);
        }
        for (std::size_t k = 0; k < n; ++k)
            unite(spans[first + k], extremes, k);
    }
}

void RowFile::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (descriptor >= 0 && ::close(descriptor) != 0) failed("cannot close", errno);
}

} // namespace cpl_lb
