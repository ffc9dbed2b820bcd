// The output of cpl-lb project: tables for people, and the same figures as json.
#pragma once

#include "projection/models/energy_model.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/job_queue.hpp"
#include "projection/models/loop_fit.hpp"
#include "projection/models/workflow_plan.hpp"

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
    double flop = unknown, moved_B = unknown; // W and Q of the whole run
    [[nodiscard]] GpuTime all() const;
};
[[nodiscard]] std::string gpu_as_text(const std::vector<GpuProjection> &projections);
[[nodiscard]] std::string gpu_as_json(const std::vector<GpuProjection> &projections);

// A code on one machine over numbers of nodes.
struct CodeProjection {
    std::string machine, called; // its own name, and what the user called it
    MachineSetting at;
    std::vector<CodeLoop> loops;
    std::vector<std::int64_t> nodes;
    std::vector<CodeTime> times; // for each number of nodes
    DomainPower package, dram;   // of one node, under full load and idle; NaN: the machine's file has none
    // Energy of all nodes: each loop by section 5.2, and both domains idle while messages travel. NaN: not known.
    [[nodiscard]] double joules(std::size_t n) const;
};
[[nodiscard]] std::string code_as_text(const std::vector<CodeProjection> &projections);
[[nodiscard]] std::string code_as_json(const std::vector<CodeProjection> &projections);
[[nodiscard]] std::string code_as_svg(const std::vector<CodeProjection> &projections);

struct FittedLoop {
    std::string name;
    std::vector<LoopRun> runs;
    LoopFit fit;
};
[[nodiscard]] std::string fit_as_text(const std::string &machine, const std::vector<FittedLoop> &loops);
[[nodiscard]] std::string fit_as_json(const std::string &machine, const std::vector<FittedLoop> &loops);
// As --loops reads them, with the work of each loop's first run.
[[nodiscard]] std::string fit_as_csv(const std::vector<FittedLoop> &loops);

[[nodiscard]] std::string workflow_as_text(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers);
[[nodiscard]] std::string workflow_as_json(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers);
// Energy over time to solution, one series for each combination of machines.
[[nodiscard]] std::string workflow_as_svg(const WorkflowPlan &plan, const std::vector<WorkflowAnswer> &answers);

// The jobs in the order of their starts.
[[nodiscard]] std::string queue_as_text(const std::vector<QueuedJob> &jobs, const MachineRoom &room,
                                        const RoomSchedule &schedule);
[[nodiscard]] std::string queue_as_json(const std::vector<QueuedJob> &jobs, const MachineRoom &room,
                                        const RoomSchedule &schedule);

} // namespace cpl_lb
