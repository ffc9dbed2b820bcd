// Step 8 of cpl_lb_terminate: the meters of this process, and then those of all.
#pragma once

#include "mpi/group.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/output_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// components: those of this process. loops: the coupling loop of each component of the run, by id - 1.
[[nodiscard]] GatheredMeters own_meters(const ProcessRecord &record, const Agreed &agreed,
                                        const std::vector<std::string> &components,
                                        const std::vector<Interval> &loops);

// Collective. The leader, which knows all components, gets the meters of all processes.
[[nodiscard]] std::optional<GatheredMeters> gather_all_meters(Group &present, const ProcessRecord &record,
                                                              const Agreed &agreed,
                                                              const std::vector<std::string> &components,
                                                              const std::vector<Component> &all);

} // namespace cpl_lb
