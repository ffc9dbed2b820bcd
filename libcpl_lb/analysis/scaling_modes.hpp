// From runs of one model on several numbers of cores: its row for speed (S), its row for throughput (T), and the
// shoulder between them (Balaji et al. 2017, figure 3 and section 4.1; docs/definitions.md, section 3).
#pragma once

#include "data/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct ScalingPoint {
    std::string name;       // "ocean=64 atmosphere=128"; empty: only the cores are known
    double cores = unknown; // = CHSY SYPD / 24
    double sypd = unknown, chsy = unknown;
};

// Unites runs with the same name on the same cores: the mean of their times, and of their costs. Returns the points
// in the order of the cores.
[[nodiscard]] std::vector<ScalingPoint> repetitions_as_one(const std::vector<ScalingPoint> &runs);

// Positions in the points.
struct ScalingModes {
    std::size_t speed = 0;                      // S: the most SYPD; the cheapest of several
    std::size_t cheapest = 0;                   // T: the least CHSY
    std::optional<std::size_t> cheapest_enough; // the least CHSY with at least the wanted SYPD
    std::optional<std::size_t> shoulder;
    std::string why_no_shoulder;
};
// Takes at least one point, in the order of the cores. wanted_sypd may be NaN: nothing is wanted.
[[nodiscard]] ScalingModes scaling_modes(const std::vector<ScalingPoint> &points, double wanted_sypd);

} // namespace cpl_lb
