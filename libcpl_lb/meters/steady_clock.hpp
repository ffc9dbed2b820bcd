// The default clock of meters, for differences only.
#pragma once

#include "data/time.hpp"

#include <chrono>

namespace cpl_lb {

[[nodiscard]] inline Nanoseconds steady_now() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace cpl_lb
