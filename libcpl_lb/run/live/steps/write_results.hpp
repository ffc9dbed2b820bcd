// Step 9 of cpl_lb_terminate, last part: the run as text, json and page.
#pragma once

#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/agreed.hpp"
#include "run/live/steps/timeline_home.hpp"
#include "support/budget.hpp"

#include <vector>

namespace cpl_lb {

// Called on the root. timelines: those of all components, by id - 1. budget: the time for the page.
void write_results(CoupledRun run, const ProcessRecord &record, const Agreed &agreed,
                   const std::vector<TimelineIs> &timelines, ProblemList &problems, const Budget &budget = {});

} // namespace cpl_lb
