// Opens a small file once and reads it from its start each time.
#include "meters/small_file.hpp"

#include "data/time.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {

int open_for_reading(const char *path) {
    return ::open(path, O_RDONLY | O_CLOEXEC);
}

int KeptFile::open(std::string path, OpenFile open_file) {
    path_ = std::move(path);
    open_file_ = open_file;
    return reopen() ? 0 : errno;
}

bool KeptFile::reopen() const noexcept {
    file_.close();
    file_ = HeldDescriptor(open_file_(path_.c_str()));
    return file_.was_opened();
}

std::string_view KeptFile::read(std::span<char> buffer) const noexcept {
    if (file_.was_opened() && !file_.is_ours() && !reopen()) return {};
    ssize_t got = -1;
    do {
        got = ::pread(file_.number(), buffer.data(), buffer.size(), 0);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(got)) : std::string_view();
}

bool KeptFile::removed() const noexcept {
    struct stat about = {};
    return !file_.is_ours() || ::fstat(file_.number(), &about) != 0 || about.st_nlink == 0;
}

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return std::nullopt;
    std::uint64_t value = 0;
    const auto result = std::from_chars(text.data() + first, text.data() + text.size(), value);
    if (result.ec != std::errc()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) noexcept {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at == 0 || text[at - 1] == '\n') return parse_number(text.substr(at + key.size()));
    }
    return std::nullopt;
}

std::optional<std::string> read_text(const std::string &path, OpenFile open_file, int *error) {
    KeptFile file;
    if (const int failed = file.open(path, open_file); failed != 0) {
        if (error != nullptr) *error = failed;
        return std::nullopt;
    }
    std::array<char, 4096> buffer{};
    errno = 0;
    std::string text(file.read(buffer));
    if (text.empty() && errno != 0) {
        if (error != nullptr) *error = errno;
        return std::nullopt;
    }
    text.erase(text.find_last_not_of(" \t\n") + 1);
    return text;
}

std::string error_text(int error) {
    return std::generic_category().message(error);
}

int ResidentSet::open(const std::string &procfs_root, OpenFile open_file) {
    page_B_ = static_cast<double>(::sysconf(_SC_PAGESIZE));
    return statm_.open(procfs_root + "/self/statm", open_file);
}

// statm: "size resident shared text lib data dt" in pages.
double ResidentSet::read_B() const noexcept {
    std::array<char, 128> buffer{};
    const std::string_view text = statm_.read(buffer);
    const auto second = text.find(' ');
    if (second == std::string_view::npos) return unknown;
    const auto pages = parse_number(text.substr(second));
    return pages ? static_cast<double>(*pages) * page_B_ : unknown;
}

} // namespace cpl_lb
