// The kind that one process did most in each bin of the run's time: a row of kind_dominant (docs/timelines.md).
#pragma once

#include "data/event_keys.hpp"
#include "data/events.hpp"
#include "data/raster.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Takes events, or pieces of them, in ascending order, so that only the current bin is kept.
class RowOfWholeEvents {
public:
    // `away` outlives this object.
    RowOfWholeEvents(std::span<const Kind> kind_of_class, Interval run, std::span<const Interval> away,
                     Nanoseconds end);

    // Adds the next events. Returns false from then on if they overlap or are absent: use kind_raster() for those.
    [[nodiscard]] bool add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                           std::span<const Nanoseconds> stop);
    void add_piece(std::size_t kind, Nanoseconds start, Nanoseconds stop);
    [[nodiscard]] std::vector<signed char> finish();

private:
    // Tells, without a branch, whether events follow each other.
    class Sequence {
    public:
        void add(Nanoseconds start, Nanoseconds stop) {
            const auto s = static_cast<std::uint64_t>(start);
            const auto e = static_cast<std::uint64_t>(stop);
            // Looks at the highest bits. This also finds times so large that a difference would overflow, like
            // `absent`.
            broken_ |= (s - last_stop_) | (e - s) | (s ^ s << 1U) | (e ^ e << 1U);
            last_stop_ = e;
        }
        [[nodiscard]] bool broken() const { return broken_ >> 63U != 0; }

    private:
        std::uint64_t last_stop_ = std::uint64_t{3} << 62U; // -2^62
        std::uint64_t broken_ = 0;
    };

    std::size_t add_inside_bin(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                               std::span<const Nanoseconds> stop);
    [[nodiscard]] Nanoseconds overlap(Interval i) const;
    Nanoseconds away_in_bin();
    void next_bin();

    std::vector<std::uint8_t> kind_of_class_;
    Interval run_;
    std::span<const Interval> away_; // the intervals that are left
    Nanoseconds end_, from_ = 0, to_;
    std::array<Nanoseconds, kind_count> busy_{};
    std::vector<signed char> kinds_;
    Sequence sequence_;
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
