// The smallest number of cores with which a component's measured memory fits into the nodes.
#pragma once

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct MemorySample {
    double cores = 0;  // with which it was measured
    double high_B = 0; // sum of the processes' high-water marks
};

// The component's memory is modelled as m + n p with p cores: m is divided among the cores, and n is each core's own
// (least squares, neither negative). With measurements at one count n is unknown and taken as 0: then the result is
// a lower bound. 0: no count fits, because n is more than a core's memory.
[[nodiscard]] std::int64_t least_cores(const std::vector<MemorySample> &samples, double memory_of_core_B);

} // namespace cpl_lb
