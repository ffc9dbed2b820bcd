// The begin of a page that opens offline: words, tables and pictures, no script.
#pragma once

#include <string>

namespace cpl_lb {

// Up to <body>. `styles`: CSS that the page needs besides.
[[nodiscard]] std::string page_begin(const std::string &title, const std::string &styles);

} // namespace cpl_lb
