// Lines on standard error: each starts with "cpl_lb: " and is written at once, so that lines of several processes
// do not mix.
#pragma once

#include <string_view>

namespace cpl_lb {

void tell(std::string_view line) noexcept;

} // namespace cpl_lb
