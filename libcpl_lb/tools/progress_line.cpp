// Draws the line of progress at most ten times a second, and wipes it before anything is printed.

#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds before_first{1000}; // shorter work needs no line
constexpr std::chrono::milliseconds between{100};
constexpr std::size_t most_letters = 60; // with the per cent it fits into 80 columns; a longer line would wrap

const Clock::time_point started = Clock::now(); // of the command
Clock::time_point next = started + before_first;
bool shown = false;

bool terminal() {
    static const bool is_one = [] {
        const char *name = std::getenv("TERM");
        return ::isatty(STDERR_FILENO) != 0 && name != nullptr && std::string_view(name) != "dumb";
    }();
    return is_one;
}

} // namespace

void show_progress(const std::string &doing, std::int64_t done, std::int64_t all) {
    if (!terminal()) return;
    const Clock::time_point now = Clock::now();
    if (now < next) return;
    next = now + between;
    shown = true;
    const std::int64_t part = all > 0 ? std::clamp<std::int64_t>(100 * done / all, 0, 100) : 0;
    std::fputs(fmt::format("\r\033[Kcpl-lb: {} {} %", short_name(doing, most_letters), part).c_str(), stderr);
    std::fflush(stderr);
}

void erase_progress() {
    if (!shown) return;
    shown = false;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

Progress progress_of(const std::string &doing) {
    return [doing](std::int64_t done, std::int64_t all) { show_progress(doing, done, all); };
}

void print(const std::string &text) {
    print_exactly(safe_text(text));
}

void print_exactly(const std::string &text) {
    erase_progress();
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0)
        throw std::runtime_error("cannot write to standard output: " + std::generic_category().message(errno));
}

void print_error(const std::string &message) {
    constexpr std::size_t most_bytes = 2000; // as a line of the library
    erase_progress();
    std::fputs(("cpl-lb: " + safe_name(first_bytes(message, most_bytes)) + "\n").c_str(), stderr);
}

} // namespace cpl_lb
