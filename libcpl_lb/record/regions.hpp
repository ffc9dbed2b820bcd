// Named parts of the model's own code: inclusive time and calls, summed as they happen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct RegionTimer {
    std::string name;
    std::uint64_t start_ticks = 0;
    std::uint64_t total_ticks = 0;
    std::int64_t calls = 0;
    std::int64_t depth = 0; // a region may call itself: only the outermost counts as time

    // A region that is still open counts up to now.
    [[nodiscard]] std::uint64_t total_at(std::uint64_t now) const {
        return depth > 0 ? total_ticks + (now - start_ticks) : total_ticks;
    }
};

class Regions {
public:
    [[nodiscard]] int id(std::string_view name);
    // False: no such region.
    bool begin(int region, std::uint64_t now) noexcept;
    enum class End : std::uint8_t { good, unknown, not_begun };
    End end(int region, std::uint64_t now) noexcept;
    [[nodiscard]] const std::vector<RegionTimer> &timers() const { return timers_; }

private:
    std::vector<RegionTimer> timers_;
};

} // namespace cpl_lb
