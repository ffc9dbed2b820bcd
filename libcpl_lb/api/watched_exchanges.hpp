// The run-time manager's stopwatch, if the model records PUTs and GETs: then the model need not report them to it.
#pragma once

#include "prediction/cycle_parts.hpp"
#include "run/live/recording.hpp"

#include <map>
#include <optional>
#include <string>

namespace cpl_lb {

// Nothing if this thread records nothing.
[[nodiscard]] std::optional<RecordedMoment> recorded_moment();

// `numbers`: the components' numbers, by name. Exchanges with others count as computing. A PUT that took more than
// a hundredth of the time waited for its receiver. Throws PredictionError if the interval begins or ends inside an
// exchange, or if events were dropped.
[[nodiscard]] CycleParts recorded_parts(const RecordedMoment &since, const std::map<std::string, int> &numbers);

} // namespace cpl_lb
