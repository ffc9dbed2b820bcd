// Step 9 of cpl_lb_terminate, second part: what the root has of a live run, for the one maker of runs.
#pragma once

#include "run/assemble.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/agreed.hpp"

#include <vector>

namespace cpl_lb {

// problems: of all processes. From here on ranks are those of the model's communicator.
[[nodiscard]] RunParts live_parts(const ProcessRecord &record, const Agreed &agreed,
                                  std::vector<Component> components, const GatheredMeters &meters,
                                  const std::vector<Problem> &problems);

// From now on, for all that the root works out of them.
[[nodiscard]] Budget analysis_budget(const ProcessRecord &record, const Agreed &agreed);

} // namespace cpl_lb
