// Swaps the file behind HDF5's descriptor for a file in memory, and copies what changed to the disk.
#include "io/files/disk_stand_in.hpp"

#include "io/files/file_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

// HDF5's superblock lies at the start, in 48 to 96 bytes.
using FirstBlock = std::array<char, 4096>;
constexpr int most_descriptors = 65'536; // a bound for the search, not for the process

int memory_file() {
#ifdef MFD_CLOEXEC
    return ::memfd_create("cpl_lb", MFD_CLOEXEC);
#else
    return -1;
#endif
}

bool writes(int descriptor, const struct stat &wanted) {
    struct stat found {};
    return ::fstat(descriptor, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino &&
           (::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;
}

int descriptor_of(const std::string &file) {
    struct stat wanted {};
    if (::stat(file.c_str(), &wanted) != 0) return -1;
    const long limit = ::sysconf(_SC_OPEN_MAX);
    const int end = limit < 0 || limit > most_descriptors ? most_descriptors : static_cast<int>(limit);
    for (int descriptor = 0; descriptor < end; ++descriptor)
        if (writes(descriptor, wanted)) return descriptor;
    return -1;
}

ssize_t read_first(int descriptor, FirstBlock &block) {
    ssize_t got = -1;
    do
        got = ::pread(descriptor, block.data(), block.size(), 0);
    while (got < 0 && errno == EINTR);
    return got;
}

int write_first(int descriptor, const FirstBlock &block, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes;) {
        const ssize_t n = ::pwrite(descriptor, block.data() + at, bytes - at, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0 ? ENOSPC : errno;
        at += static_cast<std::size_t>(n);
    }
    return 0;
}

// Something beyond the first block has been written.
bool more_written(int memory) {
#ifdef SEEK_DATA
    return ::lseek(memory, static_cast<off_t>(FirstBlock().size()), SEEK_DATA) >= 0;
#else
    return memory >= 0;
#endif
}

} // namespace

DiskStandIn::DiskStandIn(const std::string &file) {
    const int descriptor = descriptor_of(file);
    if (descriptor < 0) return;
    memory_ = memory_file();
    disk_ = memory_ < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (disk_ >= 0) stand_in_for(descriptor);
}

DiskStandIn::~DiskStandIn() {
    if (disk_ >= 0) ::close(disk_);
    if (memory_ >= 0) ::close(memory_);
}

// A disk that has failed may not even be read; then the memory starts empty.
void DiskStandIn::stand_in_for(int descriptor) {
    FirstBlock block{};
    struct stat found {};
    const ssize_t got = read_first(disk_, block);
    if (got > 0) write_first(memory_, block, static_cast<std::size_t>(got));
    if (::fstat(disk_, &found) == 0) bytes_ = found.st_size;
    if (::ftruncate(memory_, bytes_) != 0) errno = 0; // only a size: a file in memory holds what is written
    if (::dup2(memory_, descriptor) < 0) ::close(std::exchange(disk_, -1));
}

void DiskStandIn::to_disk(const std::string &result) {
    if (disk_ < 0) return;
    int problem = 0;
    // Another HDF5 might write more: a file that has been flushed is whole without it.
    if (!more_written(memory_)) {
        FirstBlock before{};
        FirstBlock after{};
        struct stat closed {};
        const ssize_t had = read_first(disk_, before);
        const ssize_t has = read_first(memory_, after);
        if (has > 0 && (had != has || before != after))
            problem = write_first(disk_, after, static_cast<std::size_t>(has));
        const bool other_size = ::fstat(memory_, &closed) == 0 && closed.st_size != bytes_;
        if (problem == 0 && other_size && ::ftruncate(disk_, closed.st_size) != 0) problem = errno;
    }
    // Network file systems tell of a full disk as late as here.
    if (::close(std::exchange(disk_, -1)) != 0 && problem == 0) problem = errno;
    if (problem != 0) throw FileError(result, "cannot close: " + std::generic_category().message(problem));
}

} // namespace cpl_lb
