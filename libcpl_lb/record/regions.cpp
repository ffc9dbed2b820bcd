#include "record/regions.hpp"

#include <algorithm>
#include <cstddef>

namespace cpl_lb {

int Regions::id(std::string_view name) {
    const auto same = [&](const RegionTimer &t) { return t.name == name; };
    const auto found = std::find_if(timers_.begin(), timers_.end(), same);
    if (found != timers_.end()) return static_cast<int>(found - timers_.begin()) + 1;
    timers_.push_back({.name = std::string(name)});
    return static_cast<int>(timers_.size());
}

bool Regions::begin(int region, std::uint64_t now) noexcept {
    if (region < 1 || static_cast<std::size_t>(region) > timers_.size()) return false;
    RegionTimer &timer = timers_[static_cast<std::size_t>(region) - 1];
    if (timer.depth++ == 0) timer.start_ticks = now;
    ++timer.calls;
    return true;
}

Regions::End Regions::end(int region, std::uint64_t now) noexcept {
    if (region < 1 || static_cast<std::size_t>(region) > timers_.size()) return End::unknown;
    RegionTimer &timer = timers_[static_cast<std::size_t>(region) - 1];
    if (timer.depth == 0) return End::not_begun;
    if (--timer.depth == 0) timer.total_ticks += now - timer.start_ticks;
    return End::good;
}

} // namespace cpl_lb
