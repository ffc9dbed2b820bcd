// What the readers of energy share.
#pragma once

#include "data/time.hpp"
#include "meters/reader.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A powercap zone and what it counts, by its name: zone numbers mean nothing (psys may come first).
struct RaplZone {
    std::string label; // "package-0", "package-1/dram", "psys"
    Domain domain = Domain::none;
    std::string directory;
};

// Every zone with a known name, each label once, sorted. intel-rapl-mmio repeats the counters of intel-rapl and is
// taken only if that is missing. AMD zones are called intel-rapl too.
[[nodiscard]] std::vector<RaplZone> find_rapl_zones(const std::string &sysfs_root);

// "package-0", "package-1-die-0", "dram", "core", "uncore", "psys"; else none.
[[nodiscard]] Domain rapl_domain(std::string_view zone_name) noexcept;

// Joules of a source that gives only its power. Between two readings the power counts as the mean of both.
class PowerIntegral {
public:
    PowerIntegral() = default;
    PowerIntegral(double first_W, Nanoseconds now) noexcept : last_W_(first_W), last_read_(now) {}

    // The joules so far.
    double advance(double now_W, Nanoseconds now) noexcept {
        const double step_s = to_seconds(now - last_read_);
        longest_step_s_ = std::max(longest_step_s_, step_s);
        joules_ += 0.5 * (last_W_ + now_W) * step_s;
        last_W_ = now_W;
        last_read_ = now;
        return joules_;
    }
    [[nodiscard]] double longest_step_s() const noexcept { return longest_step_s_; }

private:
    double joules_ = 0, last_W_ = 0, longest_step_s_ = 0;
    Nanoseconds last_read_ = 0;
};

// The remark that goes with such joules.
[[nodiscard]] inline std::string tells_power(std::string_view sensor, double longest_step_s) {
    return say(Sentence::remark_tells_power,
               {{"sensor", std::string(sensor)}, {"seconds", fmt::format("{:.1f}", longest_step_s)}});
}

} // namespace cpl_lb
