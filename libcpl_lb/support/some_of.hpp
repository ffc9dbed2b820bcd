// The first few of a list, for a message: "4, 5, 6 and 12 more".
#pragma once

#include "support/fmt.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace cpl_lb {

[[nodiscard]] inline std::string some_of(std::vector<std::string> names) {
    constexpr std::size_t most = 5;
    const std::size_t more = names.size() - std::min(names.size(), most);
    names.resize(names.size() - more);
    return joined(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace cpl_lb
