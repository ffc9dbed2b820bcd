// A descriptor, and a path that leads to its file whatever somebody has put in the place of its name since. Where
// others may write into a folder, a file is opened once by its name, looked at, and from then on reached in this way:
// netCDF and HDF5 open files by a path only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace cpl_lb {

class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
    ~FileHandle() { static_cast<void>(close()); }
    FileHandle(FileHandle &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileHandle &operator=(FileHandle &&other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    [[nodiscard]] int descriptor() const { return descriptor_; }
    // "/proc/self/fd/N"; `name` where the system has no such files.
    [[nodiscard]] std::string path(const std::string &name) const;
    // Whether `name` leads to the file, without following a link.
    [[nodiscard]] bool is_at(const std::string &name) const;
    [[nodiscard]] bool close(); // false: the system says that something was lost

private:
    int descriptor_ = -1;
};

// Reads so many bytes from a place of the file on. Returns how many were there: fewer at the end of the file, and
// where it cannot be read; then errno says why, and else is 0.
[[nodiscard]] std::size_t read_at(int descriptor, std::uint64_t place, std::span<std::byte> to);

// A regular file, for reading. A pipe or a device in its place is refused, and nobody waits for it. Throws FileError.
[[nodiscard]] FileHandle open_to_read(const std::string &path);

// A file that is read whole: tables, rules, machines, json. Throws FileError with the system's reason; a folder is
// told as one.
[[nodiscard]] std::string read_text_file(const std::string &path);

// The names in a folder, sorted. error: why it cannot be read, or not to its end.
[[nodiscard]] std::vector<std::string> names_in(const std::string &folder, std::error_code &error);

} // namespace cpl_lb
