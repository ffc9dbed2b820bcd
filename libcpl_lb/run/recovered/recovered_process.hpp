// The events of one dead process, on the run's common clock.
#pragma once

#include "data/time.hpp"
#include "events/decode.hpp"
#include "events/event_order.hpp"
#include "run/recovered/spool_file.hpp"
#include "support/clock.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// On the common clock.
struct ProcessTimes {
    Nanoseconds first_init = 0;
    Nanoseconds last_mark = 0;
    Nanoseconds clock_bound = 0; // times are at most that far from the run's clock
    bool clock_known = true;
};

struct RecoveredProcess : ProcessTimes {
    DecodedProcess decoded; // all times on the common clock
};

// Throws FileError if the file is not there any more.
[[nodiscard]] RecoveredProcess recover_process(const SpoolFile &file);

// The part of a process in one component.
struct ComponentPart {
    std::string component;
    bool took_part = false;              // the component has a name in the file, or events
    std::vector<CatalogueEntry> entries; // each once
    std::int64_t events = 0;
    std::int64_t exchanges = 0; // PUT and GET
    bool dated = false;
    // Start of the earliest exchange that the end of the run cut off; the largest number: none.
    Nanoseconds cut_off = std::numeric_limits<Nanoseconds>::max();
};
[[nodiscard]] ComponentPart part_of(const SpoolFile &file, const RecoveredProcess &process, std::size_t component);

// Shifts all times so that `zero` becomes 0.
[[nodiscard]] LocalEvents events_of(const SpoolFile &file, const RecoveredProcess &process, std::size_t component,
                                    const Catalogue &catalogue, Nanoseconds zero);

// Turns ticks of a dead process into nanoseconds of its CLOCK_MONOTONIC, by straight lines between calibration marks.
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
