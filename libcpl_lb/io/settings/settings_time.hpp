// Times of day as people give them: ISO 8601 in UTC.
#pragma once

#include <optional>
#include <string_view>

namespace cpl_lb {

// YYYY-MM-DDThh:mm[:ss[.fraction]] with Z, an offset (+02:00, -0530) or nothing, which means UTC; a blank may stand
// for the T. Seconds since 1970-01-01T00:00:00Z; a leap second (:60) counts as the next second.
[[nodiscard]] std::optional<double> unix_seconds_of_iso8601(std::string_view text);

// The same for a time that may be missing: NaN.
[[nodiscard]] double unix_seconds_or_unknown(std::string_view text);

} // namespace cpl_lb
