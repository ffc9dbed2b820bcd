// Is called now and then, when enough time has passed, after an event that happens anyway.
#pragma once

#include <cstdint>

namespace cpl_lb {

class TickListener {
public:
    TickListener() = default;
    TickListener(const TickListener &) = delete;
    TickListener &operator=(const TickListener &) = delete;
    virtual ~TickListener() = default;

    // `ticks`: the time now, on the clock of the hot path. Returns the earliest time of the next call.
    [[nodiscard]] virtual std::uint64_t tick(std::uint64_t ticks) noexcept = 0;
};

} // namespace cpl_lb
