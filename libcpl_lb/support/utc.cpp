// Writes a time of day as text, with the C library's calendar.
#include "support/utc.hpp"

#include <array>
#include <ctime>

namespace cpl_lb {

std::string utc_text(std::int64_t unix_s) {
    const auto t = static_cast<std::time_t>(unix_s);
    std::tm parts{};
    std::array<char, 32> text{};
    if (gmtime_r(&t, &parts) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string utc_now() {
    return utc_text(std::time(nullptr));
}

} // namespace cpl_lb
