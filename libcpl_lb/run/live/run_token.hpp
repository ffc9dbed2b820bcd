// A word that no other run has, for the names of files.
#pragma once

#include <string>

namespace cpl_lb {

// 16 hexadecimal digits.
[[nodiscard]] std::string new_token();

} // namespace cpl_lb
