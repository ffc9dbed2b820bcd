// Step 9 of cpl_lb_terminate, last parts: the run as text, json and page, and what follows.
#pragma once

#include "mpi/group.hpp"
#include "run/assemble.hpp"
#include "run/live/meters_gather.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/collect_components.hpp"
#include "run/live/steps/output_folder.hpp"
#include "support/budget.hpp"

#include <vector>

namespace cpl_lb {

// Both are called on the root.

// Makes the run of all components, meters and problems, and writes it.
void assemble_and_write(CollectedComponents all, const GatheredMeters &meters, const std::vector<Problem> &of_all,
                        const ProcessRecord &record, const Agreed &agreed, ProblemList &problems);
// timelines: those of all components, by id - 1. budget: the time for the page. fields: field_rows() of a run that
// has no events any more.
void write_results(CoupledRun run, const ProcessRecord &record, const Agreed &agreed,
                   const std::vector<TimelineIs> &timelines, ProblemList &problems, const Budget &budget = {},
                   std::string fields = {});

// The last step of cpl_lb_terminate: deletes spool files if everything that they hold is in the results.
// Collective. keep: results are missing on this process, or processes are missing.
void end_spool(Group &present, const ProcessRecord &record, bool keep);

// Step 9 of cpl_lb_terminate, second part: the root's data of a live run, as input of assemble().
// problems: those of all processes. In the result ranks are those of the model's communicator.
[[nodiscard]] RunParts live_parts(const ProcessRecord &record, const Agreed &agreed,
                                  std::vector<Component> components, const GatheredMeters &meters,
                                  const std::vector<Problem> &problems);

// The time, from now on, for all that the root works out from the parts.
[[nodiscard]] Budget analysis_budget(const ProcessRecord &record, const Agreed &agreed);

} // namespace cpl_lb
