// Raw deflate (RFC 1951), which browsers undo themselves (DecompressionStream): fast rather than small.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cpl_lb {

[[nodiscard]] std::string deflated(std::span<const std::uint8_t> bytes);

} // namespace cpl_lb
