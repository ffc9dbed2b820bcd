// Reads the resident pages from /proc/self/statm through an open descriptor.
#include "meters/resident_set.hpp"

#include "data/time.hpp"

#include <array>
#include <unistd.h>

namespace cpl_lb {

int ResidentSet::open(const ReaderOptions &options) {
    page_B_ = static_cast<double>(::sysconf(_SC_PAGESIZE));
    return statm_.open(options.procfs_root + "/self/statm", options.open_file);
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
