// Compiles fmt once for the whole project: header-only, it would take more than half of the time that a build takes.
#define FMT_HEADER_ONLY 1
#include "support/fmt.hpp"

#include <fmt/format.h>

namespace cpl_lb {

// All that fmt::format calls from other files is fmt::vformat. It is inline here; its address is taken so that the
// compiler keeps it.
extern std::string (*const kept_vformat)(fmt::string_view, fmt::format_args);
std::string (*const kept_vformat)(fmt::string_view, fmt::format_args) = fmt::vformat;

std::string joined(const std::vector<std::string> &words, std::string_view between) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += between;
        text += words[i];
    }
    return text;
}

} // namespace cpl_lb
