// Turns ticks of a dead process into nanoseconds of its CLOCK_MONOTONIC, by straight lines between calibration marks.
#pragma once

#include "data/time.hpp"
#include "support/clock.hpp"

#include <vector>

namespace cpl_lb {

class CalibratedClock {
public:
    // points: in the order in which they were taken; impossible ones are left out.
    CalibratedClock(ClockSource source, const ClockPoint &first, const std::vector<ClockPoint> &points);

    // False: the counter's rate is unknown, and every time is that of the first point.
    [[nodiscard]] bool good() const { return identity_ || points_.size() > 1; }
    [[nodiscard]] Nanoseconds to_ns(std::uint64_t ticks) const;

private:
    struct Point {
        std::uint64_t ticks;
        std::int64_t ns;
    };
    bool identity_;
    std::vector<Point> points_;
    double last_rate_ = 1.0; // ns per tick after the last point
};

} // namespace cpl_lb
