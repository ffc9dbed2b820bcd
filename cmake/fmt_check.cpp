// What the project asks of fmt; linked at configure time with libcpl_lb/fmt_once.cpp.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    const double seconds = argc;
    const std::vector<std::string> names(argv, argv + argc);
    std::string text = fmt::format("{:>8.3f}|{:g}|{}|{:e}|{}", seconds, seconds, seconds, 1.0F, 1.0F);
    text += fmt::format("{}|{:*<{}}|{:5d}|{:#x}|{}|{:c}|{:.{}f}", names[0], text, 10 * argc, argc, 10U, true, 'c',
                        seconds, argc);
    fmt::format_to(std::back_inserter(text), "{}{}", fmt::join(names, ", "), static_cast<std::int64_t>(argc));
    fmt::memory_buffer buffer;
    fmt::format_to(std::back_inserter(buffer), "{} {:L}", std::string_view(text), argc);
    try {
        text += fmt::format(fmt::runtime(names[0]), argc);
    } catch (const fmt::format_error &) {
        return 1;
    }
    return buffer.size() + text.size() > 0 ? 0 : 1;
}
