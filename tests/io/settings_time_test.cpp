// ISO 8601 times: forms that are read, and forms that are refused.
#include "support/utc.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

TEST_CASE("ISO 8601 to seconds since 1970") {
    // Expected values from `date -u -d ... +%s`.
    CHECK(unix_seconds_of_iso8601("1970-01-01T00:00:00Z") == 0.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T14:05:00Z") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T14:05:00") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09 14:05") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T16:05:00+02:00") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T08:35:00-0530") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T15:05+01") == 1773065100.0);
    CHECK(unix_seconds_of_iso8601("2026-03-09T14:05:00.25Z") == 1773065100.25);
    CHECK(unix_seconds_of_iso8601("2024-02-29T23:59:60Z") == 1709251200.0); // a leap second is the next second
    CHECK(unix_seconds_of_iso8601("1969-12-31T23:59:59Z") == -1.0);
}

TEST_CASE("nanoseconds since 1970 as text, exactly") {
    // Whole seconds from `date -u -d ... +%s`, as above.
    CHECK(utc_text_ns(1773065100'000000000) == "2026-03-09T14:05:00.000000000Z");
    CHECK(utc_text_ns(1773065100'250000001) == "2026-03-09T14:05:00.250000001Z");
    CHECK(utc_text_ns(-1) == "1969-12-31T23:59:59.999999999Z");
}

TEST_CASE("other texts are no times") {
    for (const char *text :
         {"", "yesterday", "2026-03-09", "2026-3-9T14:05:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
          "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
          "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+", "2026-01-01T00:00:00.", "2026-01-01T00:00:00+25:00",
          "20260101T000000Z", "2026-01-01X00:00:00Z", "0000-01-01T00:00:00Z", "2026-01-01T00:00:00+02:"}) {
        CHECK_FALSE(unix_seconds_of_iso8601(text));
    }
}
