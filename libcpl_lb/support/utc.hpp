// Times of day for people: ISO 8601 in UTC.
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

// 2026-11-21T02:30:00Z, from seconds since 1970; empty if the calendar has no such year.
[[nodiscard]] std::string utc_text(std::int64_t unix_s);
[[nodiscard]] std::string utc_now();

} // namespace cpl_lb
