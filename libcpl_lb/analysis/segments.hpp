// Adds up lengths by segment of a partition of time: start-up, each step of the coupling loop, shut-down.
#pragma once

#include "data/balance.hpp"
#include "data/time.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Ends of the segments: {init, t0, ..., t1, terminate} with all steps, {init, t0, t1, terminate} without, or
// {init, terminate} if there is no window.
[[nodiscard]] std::vector<Nanoseconds> segment_ends(const Window &window, Interval run, bool with_steps);

// The intervals that have figures.
namespace part {
enum : std::size_t { startup, loop, shutdown, whole, count };
}
using PartFlags = std::uint32_t; // bit i: part i
constexpr PartFlags flag(std::size_t part) {
    return 1U << part;
}
inline constexpr PartFlags all_parts = flag(part::count) - 1;
// A value for each interval.
template <class Value>
using ByPart = std::array<Value, part::count>;
// Without a window only `whole` has a length.
[[nodiscard]] ByPart<Interval> parts_of(const Window &window, Interval run);

class SegmentSums {
public:
    // `ends` outlives this object.
    explicit SegmentSums(std::span<const Nanoseconds> ends) : ends_(ends) {}

    // Called before the first use, too: sums that nobody adds to need no memory.
    void reset() {
        sums_.reserve(ends_.size() - 1);
        prefer_large_pages(sums_);
        sums_.assign(ends_.size() - 1, 0);
        segment_ = 0;
    }
    // Adds a piece. Pieces come in ascending order. Time outside the partition is not counted.
    void add(Interval piece) {
        piece.start = std::max(piece.start, ends_.front());
        piece.stop = std::min(piece.stop, ends_.back());
        while (piece.start < piece.stop) {
            while (piece.start >= ends_[segment_ + 1])
                ++segment_;
            const Nanoseconds stop = std::min(piece.stop, ends_[segment_ + 1]);
            sums_[segment_] += stop - piece.start;
            piece.start = stop;
        }
    }
    // The sums of all segments.
    [[nodiscard]] std::span<const Nanoseconds> sums() const { return sums_; }
    // The sums of the steps of the loop alone, if there is a window.
    [[nodiscard]] std::span<const Nanoseconds> steps() const { return sums().subspan(1, sums_.size() - 2); }
    // Without a window only `whole` has a meaning.
    [[nodiscard]] ByPart<Nanoseconds> by_part() const;

private:
    std::span<const Nanoseconds> ends_;
    std::vector<Nanoseconds> sums_;
    std::size_t segment_ = 0;
};

} // namespace cpl_lb
