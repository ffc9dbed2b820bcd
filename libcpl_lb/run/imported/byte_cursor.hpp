// Reads little-endian numbers and strings one after the other, aligned as CTF aligns them, never past the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace cpl_lb {

class ByteCursor {
public:
    explicit ByteCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }

    void align(std::size_t to) { skip((to - at_ % to) % to); }
    void skip(std::size_t count) {
        if (count > bytes_.size() - at_) good_ = false;
        at_ += std::min(count, bytes_.size() - at_);
    }
    // A number at the next multiple of its own size; 0 if the bytes end before.
    template <class Number>
    [[nodiscard]] Number number() {
        align(sizeof(Number));
        if (bytes_.size() - at_ < sizeof(Number)) {
            good_ = false;
            return 0;
        }
        Number value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            value = static_cast<Number>(value | static_cast<Number>(bytes_[at_ + i]) << 8U * i);
        at_ += sizeof(Number);
        return value;
    }
    // Reads up to the next zero byte, and that, too.
    [[nodiscard]] std::string_view text() {
        const auto *const first = reinterpret_cast<const char *>(bytes_.data()) + at_; // NOLINT: bytes as characters
        const std::size_t most = bytes_.size() - at_;
        const void *const zero = most == 0 ? nullptr : std::memchr(first, 0, most);
        if (zero == nullptr) {
            good_ = false;
            return {};
        }
        const auto length = static_cast<std::size_t>(static_cast<const char *>(zero) - first);
        at_ += length + 1;
        return {first, length};
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    bool good_ = true;
};

} // namespace cpl_lb
