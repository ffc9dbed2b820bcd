// Writes rows of times at their place in the file with pwrite.
#include "io/timeline/row_file.hpp"

#include "data/raster.hpp"
#include "io/files/file_error.hpp"
#include "io/timeline/classic_rows.hpp"
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
    return {file, result, start_at, stop_at, 0, 0, events, static_cast<std::uint64_t>(found.st_dev), found.st_ino};
}

RowFile::RowFile(const RowPlace &place)
    : place_(place),
      descriptor_(::open(place.file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)) {
    if (descriptor_ < 0) failed("cannot open", errno);
    struct stat found {};
    if (::fstat(descriptor_, &found) == 0 && static_cast<std::uint64_t>(found.st_dev) == place_.device &&
        found.st_ino == place_.inode)
        return;
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

void RowFile::add_to(std::span<EventSpan> spans, std::span<const int> processes, std::int64_t first_event) {
    constexpr std::size_t block = values_at_once / 8; // so many of each process: what is united stays in the cache
    const ClassicLayout layout{
        place_.start_at, place_.stop_at, {missing_time, missing_time}, processes.back() + 1, place_.events};
    const ClassicRows rows(place_.result, layout, FileHandle(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0)));
    ClassicRows::Buffer buffer;
    for (std::size_t first = 0; first < spans.size(); first += block) {
        const std::size_t n = std::min(block, spans.size() - first);
        RowExtremes extremes(n);
        // These are the library's own times, whatever a clock has shown: none is refused here.
        for (const int process : processes)
            static_cast<void>(
                rows.add_to(extremes, process, 1, static_cast<std::size_t>(first_event) + first, n, buffer));
        extremes.add_to(spans.subspan(first, n));
    }
}

void RowFile::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (descriptor >= 0 && ::close(descriptor) != 0) failed("cannot close", errno);
}

} // namespace cpl_lb
