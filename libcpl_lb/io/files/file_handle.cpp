// Opens files that somebody else may have planted, and names them by their descriptor.
#include "io/files/file_handle.hpp"

#include "io/files/file_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

bool is_same(const struct stat &a, const struct stat &b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

} // namespace

std::string FileHandle::path(const std::string &name) const {
    std::string by_number = "/proc/self/fd/" + std::to_string(descriptor_);
    struct stat mine {};
    struct stat found {};
    const bool leads_here =
        ::fstat(descriptor_, &mine) == 0 && ::stat(by_number.c_str(), &found) == 0 && is_same(mine, found);
    return leads_here ? by_number : name;
}

bool FileHandle::is_at(const std::string &name) const {
    struct stat mine {};
    struct stat found {};
    return ::fstat(descriptor_, &mine) == 0 && ::lstat(name.c_str(), &found) == 0 && is_same(mine, found);
}

bool FileHandle::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor < 0 || ::close(descriptor) == 0;
}

std::size_t read_at(int descriptor, std::uint64_t place, std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size()) {
        const ssize_t got = ::pread(descriptor, to.data() + done, to.size() - done, static_cast<off_t>(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = 0;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

FileHandle open_to_read(const std::string &path) {
    FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat found {};
    if (file.descriptor() < 0 || ::fstat(file.descriptor(), &found) != 0)
        throw FileError(path, "cannot open: " + std::generic_category().message(errno));
    if (!S_ISREG(found.st_mode)) throw FileError(path, "is not a regular file");
    return file;
}

namespace {

[[noreturn]] void fail(const std::string &path, int error) {
    if (error == EISDIR) throw FileError(path, "cannot read: it is a folder, and a file belongs here");
    throw FileError(path, "cannot read: " + std::generic_category().message(error));
}

} // namespace

std::string read_text_file(const std::string &path) {
    const auto close = [](std::FILE *file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rbe"), close);
    if (!file) fail(path, errno);
    constexpr std::size_t most = std::size_t{1} << 30U; // a device that never ends would fill the memory
    const auto refuse = [&] { throw FileError(path, "larger than 1 GiB, which no text of cpl-lb is"); };
    struct stat found {};
    if (::fstat(::fileno(file.get()), &found) == 0 && found.st_size > static_cast<off_t>(most)) refuse();
    std::string text;
    std::array<char, 65536> block{};
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
        text.append(block.data(), count);
        if (text.size() > most) refuse();
    }
    if (std::ferror(file.get()) != 0) fail(path, errno);
    return text;
}

std::vector<std::string> names_in(const std::string &folder, std::error_code &error) {
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

} // namespace cpl_lb
