// The GPUs of this process, and on a node's leader those of the node with their shares of the coupling loops.
#pragma once

#include "run/live/gpus_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

#include <vector>

namespace cpl_lb {

// How busy a GPU was in a loop. Samples are on the run's clock.
[[nodiscard]] GpuInLoop in_loop(const ProcessMeters::NodeGpuSamples &gpu, std::int32_t component,
                                const Interval &loop);

// loops: by id - 1. here: the components, by id, that have processes on the node.
[[nodiscard]] GpusOfNode gpus_of_node(const ProcessMeters &meters, const RunClock &clock,
                                      const std::vector<Interval> &loops, const std::vector<std::int32_t> &here);

} // namespace cpl_lb
