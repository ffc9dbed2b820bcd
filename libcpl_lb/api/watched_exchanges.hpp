// The run-time manager's stopwatch, if the model records PUTs and GETs: then the model need not report them to it.
#pragma once

#include "prediction/cycle_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace cpl_lb {

struct WatchedSince {
    std::size_t chunk = 0, word = 0; // of the marks
    std::uint64_t mark_ticks = 0, ticks = 0;
};

// Nothing if this thread records nothing.
[[nodiscard]] std::optional<WatchedSince> watched_since_now();

// `numbers`: the components' numbers, by name. Exchanges with others count as computing. A PUT that took more than
// a hundredth of the time waited for its receiver. Throws PredictionError if the interval begins or ends inside an
// exchange, or if events were dropped.
[[nodiscard]] CycleParts watched_parts(const WatchedSince &since, const std::map<std::string, int> &numbers);

} // namespace cpl_lb
