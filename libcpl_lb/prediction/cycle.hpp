// The coupling cycle of a measured graph, found from how often each exchange happened.
#pragma once

#include "prediction/measured_graph.hpp"

#include <functional>

namespace cpl_lb {

// The place of an event of a component (by id) in the graph; nothing if it lies outside of the interval.
using FindPoint = std::function<std::optional<PointPlace>(std::int32_t component, std::uint32_t event)>;

// Fills in `result.cycle`, or `result.why_no_cycle`.
void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point);

} // namespace cpl_lb
