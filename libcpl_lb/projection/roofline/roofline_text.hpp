// The roofline as a table, and as a picture of its own.
#pragma once

#include "projection/roofline/roofline.hpp"

namespace cpl_lb {

[[nodiscard]] std::string roofline_as_text(const Roofline &roofline);
// The region that takes the most time, in a sentence or two with a newline; empty if no time is known.
[[nodiscard]] std::string roofline_in_words(const Roofline &roofline);
// An SVG file: both axes logarithmic, each ceiling named at its line, each region a dot with its name. Its style
// is scoped to the class "roofline", so that it can stand inside a page.
[[nodiscard]] std::string roofline_svg(const Roofline &roofline);

} // namespace cpl_lb
