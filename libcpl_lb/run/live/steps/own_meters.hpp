// Step 8 of cpl_lb_terminate: the meters and GPUs of this process, and then those of all.
#pragma once

#include "meters/process_meters.hpp"
#include "mpi/group.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/output_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// How busy a GPU was in a loop. Samples are on the run's clock.
[[nodiscard]] GpuInLoop in_loop(const ProcessMeters::NodeGpuSamples &gpu, std::int32_t component,
                                const Interval &loop);

// loops: by id - 1. here: the components, by id, that have processes on the node.
[[nodiscard]] GpusOfNode gpus_of_node(const ProcessMeters &meters, const RunClock &clock,
                                      const std::vector<Interval> &loops, const std::vector<std::int32_t> &here);

// The samples of a meter on the run's clock. Waiting for the others at terminate does not belong to the model, so the
// last value is kept.
[[nodiscard]] std::vector<TimedValue> held_samples(const ProcessRecord &record, const RunClock &clock,
                                                   std::string_view quantity);

// components: those of this process. loops: the coupling loop of each component of the run, by id - 1.
[[nodiscard]] GatheredMeters own_meters(const ProcessRecord &record, const Agreed &agreed,
                                        const std::vector<std::string> &components,
                                        const std::vector<Interval> &loops);

// Collective. The leader, which knows all components, gets the meters of all processes.
[[nodiscard]] GatheredMeters gather_all_meters(Group &present, const ProcessRecord &record, const Agreed &agreed,
                                               const std::vector<std::string> &components,
                                               const std::vector<Component> &all);

} // namespace cpl_lb
