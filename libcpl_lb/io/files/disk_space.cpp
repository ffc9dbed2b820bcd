// Reserves bytes of a file with fallocate, and gives back what was not needed.
#include "io/files/disk_space.hpp"

#include "io/files/file_error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

std::int64_t size_of(int descriptor) {
    struct stat file {};
    return ::fstat(descriptor, &file) == 0 ? static_cast<std::int64_t>(file.st_size) : 0;
}

int size_limit(std::int64_t bytes) {
    rlimit limit{};
    const bool known = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known && static_cast<rlim_t>(bytes) > limit.rlim_cur ? EFBIG : 0;
}

// If a file system cannot reserve room: the free space that it reports. Quotas and others may make it less.
int free_space(int descriptor, std::int64_t bytes) {
    struct statvfs system {};
    if (::fstatvfs(descriptor, &system) != 0) return 0;
    const double free = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
    return static_cast<double>(bytes) > free ? ENOSPC : 0;
}

int allocate(int descriptor, std::int64_t from, std::int64_t bytes) {
#ifdef FALLOC_FL_KEEP_SIZE
    while (::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, from, bytes) != 0) {
        if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return errno;
        if (errno != EINTR) return free_space(descriptor, bytes);
    }
    return 0;
#else
    return from >= 0 ? free_space(descriptor, bytes) : 0;
#endif
}

} // namespace

DiskSpace::DiskSpace(const std::string &file, std::string result)
    : descriptor_(::open(file.c_str(), O_WRONLY | O_CLOEXEC)), result_(std::move(result)) {}

DiskSpace::~DiskSpace() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void DiskSpace::reserve(std::int64_t bytes) {
    if (descriptor_ < 0) return;
    const std::int64_t end = size_of(descriptor_);
    int problem = size_limit(end + bytes);
    if (problem == 0) problem = allocate(descriptor_, end, bytes);
    if (problem != 0) throw FileError(result_, "cannot write: " + std::generic_category().message(problem));
}

void DiskSpace::release() {
    if (descriptor_ < 0) return;
    // Cutting a file at its own end frees the blocks beyond it. If that fails they stay: no harm to the result.
    if (::ftruncate(descriptor_, size_of(descriptor_)) != 0) errno = 0;
    ::close(std::exchange(descriptor_, -1));
}

} // namespace cpl_lb
