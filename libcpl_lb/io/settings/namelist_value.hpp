// Text -> logical, integer, real, by the rules of Fortran list-directed input (Fortran 2018, 13.10.3), without its
// laxities: .trash. is no logical here, and infinity is no setting.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] std::optional<bool> fortran_logical(std::string_view text);         // t f true false, dots allowed
[[nodiscard]] std::optional<std::int64_t> fortran_integer(std::string_view text); // 12 +3 -1
[[nodiscard]] std::optional<double> fortran_real(std::string_view text);          // 600. 1.d0 1.5E+2 1.5+2, finite

} // namespace cpl_lb
