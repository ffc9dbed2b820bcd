// Small text files of /proc and /sys, read again and again through one kept descriptor: no path walk in read().
#pragma once

#include "support/held_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cpl_lb {

// open(2) as far as readers need it: a descriptor, or -1 with errno.
using OpenFile = int (*)(const char *path);
[[nodiscard]] int open_for_reading(const char *path);

class KeptFile {
public:
    KeptFile() = default;
    KeptFile(const KeptFile &) = delete;
    KeptFile &operator=(const KeptFile &) = delete;
    KeptFile(KeptFile &&other) noexcept = default;
    KeptFile &operator=(KeptFile &&other) noexcept = default;
    ~KeptFile() = default;

    // 0, or the errno of the failure.
    [[nodiscard]] int open(std::string path, OpenFile open_file = open_for_reading);
    [[nodiscard]] bool is_open() const noexcept { return file_.was_opened(); }
    [[nodiscard]] const std::string &path() const noexcept { return path_; }
    // The text from its beginning, cut at the buffer; empty on failure, with errno. A file whose descriptor somebody
    // has closed is opened once more.
    [[nodiscard]] std::string_view read(std::span<char> buffer) const noexcept;
    // Whether the file was removed since (a descriptor on a recorded tree goes on giving its last text).
    [[nodiscard]] bool removed() const noexcept;
    [[nodiscard]] bool reopen() const noexcept;
    void close() noexcept { file_.close(); }

private:
    std::string path_;
    OpenFile open_file_ = open_for_reading;
    mutable HeldDescriptor file_;
};

// The first number in the text, blanks before it skipped.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text) noexcept;
// The number after "key" in a text of lines such as "VmHWM:    1732 kB".
[[nodiscard]] std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) noexcept;

// For open(): the whole text without trailing blanks, or nothing with errno in *error.
[[nodiscard]] std::optional<std::string> read_text(const std::string &path, OpenFile open_file = open_for_reading,
                                                   int *error = nullptr);
// errno in words, thread-safe.
[[nodiscard]] std::string error_text(int error);

// The resident set of this process by one pread of statm, cheap enough to be read often.
class ResidentSet {
public:
    // 0, or the errno of the failure.
    [[nodiscard]] int open(const std::string &procfs_root, OpenFile open_file);
    [[nodiscard]] const std::string &path() const noexcept { return statm_.path(); }
    // Bytes; NaN if it cannot be read.
    [[nodiscard]] double read_B() const noexcept;

private:
    KeptFile statm_;
    double page_B_ = 0;
};

} // namespace cpl_lb
