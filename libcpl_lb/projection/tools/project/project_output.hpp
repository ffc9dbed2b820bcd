// What the words of cpl-lb machine that project answer: tables for people, and json; and the work that cpl-lb
// machine fit takes from runs.
#pragma once

#include "projection/models/energy_model.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/job_queue.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/models/workflow.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"
#include "tools/command_line.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One card and one domain.
struct GpuProjection {
    std::string machine, domain;
    double cells = unknown;
    std::vector<GpuKernel> kernels;
    std::vector<GpuTime> times;     // of each kernel
    std::vector<double> measured_s; // of each kernel; NaN: not measured
    double measured_all_s = unknown;
    [[nodiscard]] GpuTime all() const;
};
// The characteristics of table 8, made from profiles on this domain.
[[nodiscard]] std::string characteristics_as_text(const std::vector<GpuKernel> &kernels, const std::string &domain,
                                                  const std::vector<std::string> &profiles);
[[nodiscard]] std::string gpu_as_text(const std::vector<GpuProjection> &projections);
[[nodiscard]] std::string gpu_as_json(const std::vector<GpuProjection> &projections);

struct FittedLoop {
    std::string name;
    std::vector<LoopRun> runs;
    LoopFit fit;         // of runs that tell too little: without coefficients, or with U alone
    std::string why_not; // in words, then
    [[nodiscard]] bool has_any() const { return !fit.error.empty(); }
};
// `remarks`: one line for each run that the loops are from; none for tables.
[[nodiscard]] std::string fit_as_text(const std::string &machine, const std::vector<FittedLoop> &loops,
                                      const std::vector<std::string> &remarks);
[[nodiscard]] std::string fit_as_json(const std::string &machine, const std::vector<FittedLoop> &loops,
                                      const std::vector<std::string> &remarks);
// As cpl-lb machine project reads them, with the work of each loop's first run. Loops without coefficients are left
// out.
[[nodiscard]] std::string fit_as_csv(const std::vector<FittedLoop> &loops);

[[nodiscard]] std::string workflow_as_text(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers);
[[nodiscard]] std::string workflow_as_json(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers);

// The jobs in the order of their starts.
[[nodiscard]] std::string queue_as_text(const std::vector<QueuedJob> &jobs, const MachineRoom &room,
                                        const RoomSchedule &schedule);
[[nodiscard]] std::string queue_as_json(const std::vector<QueuedJob> &jobs, const MachineRoom &room,
                                        const RoomSchedule &schedule);

// Runs of a model as the measured loops that it reads from tables: one loop for each region, and for each
// component's coupling loop.
struct LoopsOfRuns {
    std::vector<MeasuredLoop> loops;
    std::vector<std::string> remarks; // in words: the threads of each run
};

// `sources`: folders of runs or their json files. Regions without time are left out. Throws FileError.
[[nodiscard]] LoopsOfRuns loops_of_runs(const std::vector<std::string> &sources, const CoresAtWork &said,
                                        double clock_Hz);

// What the runs can tell: all coefficients, or U alone, or none, and why.
[[nodiscard]] FittedLoop fit_what_is_known(const MeasuredLoop &loop, const Machine &machine);

} // namespace cpl_lb
