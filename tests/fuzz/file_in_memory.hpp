// What the fuzz targets of readers share: a file in memory, for those that read from a path, and what a refusal is.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

inline void require(bool holds) {
    if (!holds) std::abort();
}

class FileInMemory {
public:
    explicit FileInMemory(const char *name) : file_(::memfd_create(name, MFD_CLOEXEC)) {}
    FileInMemory(const FileInMemory &) = delete;
    FileInMemory &operator=(const FileInMemory &) = delete;
    ~FileInMemory() { ::close(file_); }
    // Its path, with these bytes in it.
    [[nodiscard]] std::string with(std::string_view bytes) const {
        require(::ftruncate(file_, 0) == 0 &&
                ::pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
        return "/proc/self/fd/" + std::to_string(file_);
    }

private:
    int file_;
};

inline std::string text_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Input is read, or refused in words that fit on a screen; std::bad_alloc and std::length_error are no words.
template <class Read>
void words_or_nothing(Read &&read) {
    try {
        read();
    } catch (const std::bad_alloc &) {
        std::abort();
    } catch (const std::length_error &) {
        std::abort();
    } catch (const std::out_of_range &) {
        std::abort();
    } catch (const std::exception &error) {
        const std::string_view words = error.what();
        require(!words.empty() && words.size() <= 2000);
    }
}

// Each of the readers reads a file of these bytes, or refuses them.
template <class Readers>
void each_reads(const Readers &readers, const std::uint8_t *data, std::size_t size) {
    static const FileInMemory file("table");
    const std::string path = file.with({reinterpret_cast<const char *>(data), size});
    for (const auto read : readers)
        words_or_nothing([&] { read(path); });
}

} // namespace fuzz
