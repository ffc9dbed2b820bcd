// "1 thread", "3 threads": a number with its word.
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

[[nodiscard]] inline std::string counted(std::int64_t n, const std::string &one, const std::string &several) {
    return std::to_string(n) + " " + (n == 1 ? one : several);
}

} // namespace cpl_lb
