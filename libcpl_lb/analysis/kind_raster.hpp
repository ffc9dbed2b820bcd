// The kind that one process did most in each bin of the run's time: a row of kind_dominant (docs/timelines.md).
#pragma once

#include "data/event_keys.hpp"
#include "data/events.hpp"
#include "data/raster.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cpl_lb {

// The row of a process whose events arrive in blocks and do not overlap.
class RowOfWholeEvents {
public:
    // `away` outlives this object.
    RowOfWholeEvents(std::span<const Kind> kind_of_class, Interval run, std::span<const Interval> away,
                     Nanoseconds end);
    RowOfWholeEvents(const RowOfWholeEvents &) = delete;
    RowOfWholeEvents &operator=(const RowOfWholeEvents &) = delete;
    ~RowOfWholeEvents();

    // Adds the next events. Returns false from then on if they overlap or are absent: use kind_raster() for those.
    [[nodiscard]] bool add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                           std::span<const Nanoseconds> stop);
    [[nodiscard]] std::vector<signed char> finish();

    class Raster;
    class Sequence;

private:
    std::vector<std::uint8_t> kind_of_class_;
    std::unique_ptr<Raster> raster_;
    std::unique_ptr<Sequence> sequence_;
};

// The kind with the longest time in each bin. Each instant belongs to the innermost event around it. The rest of
// `run`, the time in which the component runs, is computing. The whole run lasts from 0 to `end`. A tie goes to
// computing, then to the lower kind. class_of_event: for each event of the row, its place in kind_of_class.
[[nodiscard]] std::vector<signed char> kind_raster(const Row &row, std::span<const std::uint32_t> class_of_event,
                                                   std::span<const Kind> kind_of_class, Interval run,
                                                   Nanoseconds end);
[[nodiscard]] std::vector<signed char> kind_raster(const Row &row, const EventKeys &keys, Interval run,
                                                   Nanoseconds end);

} // namespace cpl_lb
