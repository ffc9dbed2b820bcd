// How cpl-lb ends: 0 good, 1 the input is bad, 2 wrong usage, 3 a threshold that the user gave is crossed.
#pragma once

#include <exception>

namespace cpl_lb {

// The answer is printed and says which threshold: exit status 3, without a message.
class ThresholdCrossed : public std::exception {
public:
    [[nodiscard]] const char *what() const noexcept override { return "a threshold is crossed"; }
};

} // namespace cpl_lb
