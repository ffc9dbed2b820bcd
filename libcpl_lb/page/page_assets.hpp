// The files of page/assets, put into the library by page/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] std::span<const std::string_view> page_style();
[[nodiscard]] std::span<const std::string_view> page_body(); // from <body> on, without its end
[[nodiscard]] std::span<const std::string_view> page_scripts();

} // namespace cpl_lb
