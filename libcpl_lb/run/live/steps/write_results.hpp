// Step 9 of cpl_lb_terminate, last part: the run as text, json and page.
#pragma once

#include "run/live/meters_gather.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/agreed.hpp"
#include "run/live/steps/collect_components.hpp"
#include "support/budget.hpp"

#include <vector>

namespace cpl_lb {

// Both are called on the root.

// Makes the run of all components, meters and problems, and writes it.
void assemble_and_write(CollectedComponents all, const GatheredMeters &meters, const std::vector<Problem> &of_all,
                        const ProcessRecord &record, const Agreed &agreed, ProblemList &problems);
// timelines: those of all components, by id - 1. budget: the time for the page.
void write_results(CoupledRun run, const ProcessRecord &record, const Agreed &agreed,
                   const std::vector<TimelineIs> &timelines, ProblemList &problems, const Budget &budget = {});

} // namespace cpl_lb
