// The coupling cycle of a measured graph, found from how often each exchange happened.
#pragma once

#include "prediction/measured_graph.hpp"

#include <functional>

namespace cpl_lb {

// Where an event of a component (by id) stands in the graph; nothing where it is outside of the stretch.
using FindPoint = std::function<std::optional<PointPlace>(std::int32_t component, std::uint32_t event)>;

// Fills in `result.cycle`, or `result.why_no_cycle`.
void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point);

} // namespace cpl_lb
