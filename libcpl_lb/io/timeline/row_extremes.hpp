// Reduces the rows of a timeline to one span for each event, straight from the bytes of a classic file. Comparing the
// file's seconds gives the same as comparing nanoseconds, because rounding never reverses an order.
#pragma once

#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// The file's value for an absent time.
struct FillValues {
    double start = 0, stop = 0;
};

class RowExtremes {
public:
    explicit RowExtremes(std::size_t events);

    // Times of one process, big-endian doubles, of events `first`, `first` + 1, ... An event needs both of its ends.
    // False: a time is impossible, or an event ends before it starts, if only by less than a nanosecond; what
    // was added is of no use then.
    [[nodiscard]] bool add(std::size_t first, std::span<const std::uint64_t> start,
                           std::span<const std::uint64_t> stop, const FillValues &fill);
    // One span for each event.
    void add_to(std::span<EventSpan> spans) const;

private:
    std::vector<double> first_start_, last_start_, last_stop_; // [s]
    std::vector<std::int64_t> processes_;
};

} // namespace cpl_lb
