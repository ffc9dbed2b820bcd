// Fits memory as m + n p with p cores, and gives the smallest p that the nodes can hold.
#include "prediction/memory_floor.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

std::int64_t least_cores(const std::vector<MemorySample> &samples, double memory_of_core_B) {
    if (samples.empty() || !(memory_of_core_B > 0)) return 1;
    double mean_cores = 0, mean_B = 0;
    for (const MemorySample &s : samples) {
        mean_cores += s.cores / static_cast<double>(samples.size());
        mean_B += s.high_B / static_cast<double>(samples.size());
    }
    double square = 0, product = 0;
    for (const MemorySample &s : samples) {
        square += (s.cores - mean_cores) * (s.cores - mean_cores);
        product += (s.cores - mean_cores) * (s.high_B - mean_B);
    }
    // Through the origin at most: a part that is divided cannot be negative.
    const double of_each = square > 0 ? std::clamp(product / square, 0.0, mean_B / mean_cores) : 0;
    const double divided = mean_B - of_each * mean_cores;
    if (of_each >= memory_of_core_B) return 0;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(divided / (memory_of_core_B - of_each))));
}

} // namespace cpl_lb
