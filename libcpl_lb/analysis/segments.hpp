// Adds up lengths by segment of a partition of time: start-up, each step of the coupling loop, shut-down.
#pragma once

#include "data/balance.hpp"
#include "data/time.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace cpl_lb {

// Ends of the segments: {init, t0, ..., t1, terminate} with all steps, {init, t0, t1, terminate} without, or
// {init, terminate} where there is no window.
[[nodiscard]] std::vector<Nanoseconds> segment_ends(const Window &window, Interval run, bool with_steps);

class SegmentSums {
public:
    // `ends` outlives this object.
    explicit SegmentSums(std::span<const Nanoseconds> ends) : ends_(ends), sums_(ends.size() - 1) {}

    void reset() {
        std::fill(sums_.begin(), sums_.end(), 0);
        segment_ = 0;
    }
    // Pieces come in ascending order; what lies outside the partition is not counted.
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
    [[nodiscard]] std::span<const Nanoseconds> sums() const { return sums_; }
    [[nodiscard]] Nanoseconds startup() const { return sums_.front(); }
    [[nodiscard]] Nanoseconds shutdown() const { return sums_.back(); }
    [[nodiscard]] Nanoseconds whole() const;
    [[nodiscard]] Nanoseconds loop() const { return whole() - startup() - shutdown(); }

private:
    std::span<const Nanoseconds> ends_;
    std::vector<Nanoseconds> sums_;
    std::size_t segment_ = 0;
};

} // namespace cpl_lb
