// The roofline as a table, and as a picture of its own.
#pragma once

#include "projection/roofline/roofline.hpp"

namespace cpl_lb {

[[nodiscard]] std::string roofline_as_text(const Roofline &roofline);
// An SVG file: both axes logarithmic, each ceiling named at its line, each region a dot with its name.
[[nodiscard]] std::string roofline_svg(const Roofline &roofline);

} // namespace cpl_lb
