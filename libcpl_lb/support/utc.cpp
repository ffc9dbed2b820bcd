// Writes a time of day with the C library's calendar, and reads one part by part.
#include "support/utc.hpp"

#include "data/time.hpp"

#include <array>
#include <chrono>
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

std::string utc_text_ns(std::int64_t unix_ns) {
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t rest = (unix_ns % second + second) % second;
    std::string text = utc_text((unix_ns - rest) / second);
    if (text.empty()) return text;
    const std::string digits = std::to_string(second + rest); // "1" and nine digits
    text.replace(text.size() - 1, 1, "." + digits.substr(1) + "Z");
    return text;
}

namespace {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes the parts of the text off its front; once something did not fit, ok stays false.
struct TimeReader {
    std::string_view rest;
    bool ok = true;

    int number(std::size_t digits, int least, int most) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (rest.empty() || !is_digit(rest.front())) {
                ok = false;
                return least;
            }
            value = 10 * value + (rest.front() - '0');
            rest.remove_prefix(1);
        }
        ok = ok && value >= least && value <= most;
        return value;
    }

    bool skip_one_of(std::string_view characters) {
        if (rest.empty() || characters.find(rest.front()) == std::string_view::npos) return false;
        rest.remove_prefix(1);
        return true;
    }

    void expect(std::string_view characters) { ok = skip_one_of(characters) && ok; }

    double fraction() {
        double value = 0.0;
        double unit = 0.1;
        const std::size_t before = rest.size();
        for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1), unit /= 10) {
            value += (rest.front() - '0') * unit;
        }
        ok = ok && rest.size() < before;
        return value;
    }

    // Seconds to add to UTC to get the given time of day.
    int offset_s() {
        if (rest.empty() || skip_one_of("Zz")) return 0;
        const int sign = rest.front() == '-' ? -1 : 1;
        expect("+-");
        const int hours = number(2, 0, 23);
        const bool colon = skip_one_of(":");
        const int minutes = colon || !rest.empty() ? number(2, 0, 59) : 0;
        return sign * (hours * 3600 + minutes * 60);
    }
};

} // namespace

std::optional<double> unix_seconds_of_iso8601(std::string_view text) {
    TimeReader read{text};
    const std::chrono::year year(read.number(4, 1, 9999));
    read.expect("-");
    const std::chrono::month month(static_cast<unsigned>(read.number(2, 1, 12)));
    read.expect("-");
    const std::chrono::day day(static_cast<unsigned>(read.number(2, 1, 31)));
    read.expect("Tt ");
    double time_s = read.number(2, 0, 23) * 3600.0;
    read.expect(":");
    time_s += read.number(2, 0, 59) * 60.0;
    if (read.skip_one_of(":")) {
        time_s += read.number(2, 0, 60);
        if (read.skip_one_of(".,")) time_s += read.fraction();
    }
    time_s -= read.offset_s();
    const std::chrono::year_month_day date(year, month, day);
    if (!read.ok || !read.rest.empty() || !date.ok()) return std::nullopt;
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * 86400.0 + time_s;
}

double unix_seconds_or_unknown(std::string_view text) {
    return unix_seconds_of_iso8601(text).value_or(unknown);
}

} // namespace cpl_lb
