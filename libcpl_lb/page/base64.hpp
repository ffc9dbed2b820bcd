// Base64 (RFC 4648, section 4): bytes inside a text file.
#pragma once

#include <string>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace cpl_lb
