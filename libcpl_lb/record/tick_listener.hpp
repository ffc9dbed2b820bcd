// Gets a call now and then, after an event that happens anyway, because time has passed.
#pragma once

#include <cstdint>

namespace cpl_lb {

class TickListener {
public:
    TickListener() = default;
    TickListener(const TickListener &) = delete;
    TickListener &operator=(const TickListener &) = delete;
    virtual ~TickListener() = default;

    // `ticks`: of the clock of the hot path, now. The result: from when on it wants to be told again.
    [[nodiscard]] virtual std::uint64_t tick(std::uint64_t ticks) noexcept = 0;
};

} // namespace cpl_lb
