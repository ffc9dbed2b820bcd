// The run-time manager's stopwatch where the model records PUTs and GETs: then it need not be told of them.
#pragma once

#include "prediction/cycle_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace cpl_lb {

struct WatchedSince {
    std::size_t chunk = 0;
    std::uint64_t ticks = 0;
};

// Nothing if this thread records nothing.
[[nodiscard]] std::optional<WatchedSince> watched_since_now();

// `numbers`: of the components, by name. Exchanges with others count as computing. A PUT that took more than a
// hundredth of the time waited for its receiver. Throws PredictionError if it begins or ends inside of an
// exchange, and where events were dropped.
[[nodiscard]] CycleParts watched_parts(const WatchedSince &since, const std::map<std::string, int> &numbers);

} // namespace cpl_lb
