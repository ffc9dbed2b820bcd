// Compares device and inode, which a number that somebody has closed no longer leads to.
#include "support/held_descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int first_free_number = 3;

// A model may have closed its standard files: what it prints must not go to a file of the library.
int above_standard_files(int number) noexcept {
    if (number < 0 || number >= first_free_number) return number;
    const int higher = ::fcntl(number, F_DUPFD_CLOEXEC, first_free_number);
    const int why = errno;
    ::close(number);
    errno = why;
    return higher;
}

} // namespace

HeldDescriptor::HeldDescriptor(int number) noexcept : number_(above_standard_files(number)) {
    struct stat is {};
    if (number_ < 0 || ::fstat(number_, &is) != 0) return;
    device_ = is.st_dev;
    inode_ = is.st_ino;
}

bool HeldDescriptor::is_ours() const noexcept {
    struct stat is {};
    return number_ >= 0 && ::fstat(number_, &is) == 0 && is.st_dev == device_ && is.st_ino == inode_;
}

bool HeldDescriptor::is_at(const char *path) const noexcept {
    struct stat is {};
    return number_ >= 0 && ::lstat(path, &is) == 0 && is.st_dev == device_ && is.st_ino == inode_;
}

bool HeldDescriptor::open_again(const char *path, int flags) noexcept {
    if (!is_at(path)) return false;
    HeldDescriptor again(::open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (again.device_ != device_ || again.inode_ != inode_) return false;
    number_ = std::exchange(again.number_, -1); // the old number is somebody else's
    return true;
}

void HeldDescriptor::close() noexcept {
    const int why = errno;
    if (is_ours()) ::close(number_);
    number_ = -1;
    errno = why;
}

void HeldDescriptor::swap(HeldDescriptor &other) noexcept {
    std::swap(number_, other.number_);
    std::swap(device_, other.device_);
    std::swap(inode_, other.inode_);
}

} // namespace cpl_lb
