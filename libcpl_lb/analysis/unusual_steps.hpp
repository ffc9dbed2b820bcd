// Finds the exchanges that differ from the others of their kind: single ones, and those of every k-th step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

struct UnusualSteps {
    std::vector<std::uint8_t> is; // of each value: 1 if it is far above the others
    std::int64_t every = 0;       // those of every k-th; 0: single ones only, or none

    [[nodiscard]] bool any() const;
};

// Looks for values that are larger than the others; values ascend in time. A rule "every k-th" needs five values,
// each of which stands out from the others and from its neighbours. A single value needs eight standard deviations
// (from the median deviation). If more than a tenth follow no rule, they are not unusual. A NaN value is not known,
// and unusual only by a rule.
[[nodiscard]] UnusualSteps find_unusual(std::span<const double> values);

// The median without NaN; NaN if there is no value. Changes the order.
[[nodiscard]] double median_of(std::vector<double> &values);

} // namespace cpl_lb
