// FNV-1a of 64 bits, for names that have to differ. Without fmt: cpl_lb_init needs it, switched off, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] inline std::string in_hexadecimal(std::string_view bytes) {
    constexpr std::string_view digit = "0123456789abcdef";
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        digits += digit[byte / 16U];
        digits += digit[byte % 16U];
    }
    return digits;
}

class FnvHash {
public:
    void add(std::uint32_t more) { hash_ = (hash_ ^ more) * 1099511628211U; }
    void add(std::string_view text) {
        for (const char c : text)
            add(static_cast<std::uint32_t>(static_cast<unsigned char>(c)));
    }
    // 16 hexadecimal digits.
    [[nodiscard]] std::string text() const {
        std::string bytes;
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes += static_cast<char>(hash_ >> static_cast<unsigned>(shift));
        return in_hexadecimal(bytes);
    }

private:
    std::uint64_t hash_ = 14695981039346656037U;
};

} // namespace cpl_lb
