// A unique word for the names of this run's files.
#pragma once

#include <string>

namespace cpl_lb {

// 16 hexadecimal digits.
[[nodiscard]] std::string new_token();

} // namespace cpl_lb
