// Step 9 of cpl_lb_terminate, second part: the root's data of a live run, as input of assemble().
#pragma once

#include "run/assemble.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/agreed.hpp"

#include <vector>

namespace cpl_lb {

// problems: those of all processes. In the result ranks are those of the model's communicator.
[[nodiscard]] RunParts live_parts(const ProcessRecord &record, const Agreed &agreed,
                                  std::vector<Component> components, const GatheredMeters &meters,
                                  const std::vector<Problem> &problems);

// The time, from now on, for all that the root works out from the parts.
[[nodiscard]] Budget analysis_budget(const ProcessRecord &record, const Agreed &agreed);

} // namespace cpl_lb
