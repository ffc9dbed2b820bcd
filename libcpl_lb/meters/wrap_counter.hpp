// A hardware counter that starts again at 0 after `range`, as a running total.
#pragma once

#include <cstdint>

namespace cpl_lb {

class WrapCounter {
public:
    enum class Step : std::uint8_t { counted, wrapped, skipped };

    WrapCounter() = default;
    // range 0: not known.
    WrapCounter(std::uint64_t first, std::uint64_t range) noexcept : last_(first), range_(range) {}

    // skipped: it went back, and its increase before that is unknown. This interval is not in total().
    Step advance(std::uint64_t raw) noexcept {
        const std::uint64_t before = last_;
        last_ = raw;
        if (raw >= before) {
            total_ += raw - before;
            return Step::counted;
        }
        if (range_ == 0 || before > range_) return Step::skipped;
        total_ += raw + (range_ - before);
        return Step::wrapped;
    }
    // Goes on from `raw`. The counts since the last reading are not in total().
    void start_from(std::uint64_t raw) noexcept { last_ = raw; }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    std::uint64_t last_ = 0, range_ = 0, total_ = 0;
};

} // namespace cpl_lb
