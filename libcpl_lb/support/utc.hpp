// Times of day for people, and as people give them: ISO 8601 in UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cpl_lb {

// 2026-11-21T02:30:00Z, from seconds since 1970; empty if the calendar has no such year.
[[nodiscard]] std::string utc_text(std::int64_t unix_s);
[[nodiscard]] std::string utc_now();

// 2026-11-21T02:30:00.000000001Z, from nanoseconds since 1970.
[[nodiscard]] std::string utc_text_ns(std::int64_t unix_ns);

// YYYY-MM-DDThh:mm[:ss[.fraction]] with Z, an offset (+02:00, -0530) or nothing, which means UTC; a blank may stand
// for the T. Seconds since 1970-01-01T00:00:00Z; a leap second (:60) counts as the next second.
[[nodiscard]] std::optional<double> unix_seconds_of_iso8601(std::string_view text);

// The same for a time that may be missing: NaN.
[[nodiscard]] double unix_seconds_or_unknown(std::string_view text);

} // namespace cpl_lb
