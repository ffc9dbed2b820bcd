// Reads with the C library, which keeps the reason of a failure.
#include "io/files/text_file.hpp"

#include "io/files/file_error.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace cpl_lb {
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
    std::string text;
    std::array<char, 65536> block{};
    constexpr std::size_t most = std::size_t{1} << 30U; // a device that never ends would fill the memory
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
        text.append(block.data(), count);
        if (text.size() > most) throw FileError(path, "larger than 1 GiB, which no text of cpl-lb is");
    }
    if (std::ferror(file.get()) != 0) fail(path, errno);
    return text;
}

} // namespace cpl_lb
