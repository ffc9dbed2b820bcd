// The tables that `project` and `energy` read (docs/project.md, docs/energy.md): columns by name, errors with file,
// line and column.
#pragma once

#include "io/files/csv_table.hpp"
#include "projection/models/energy_model.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/job_queue.hpp"
#include "projection/models/loop_fit.hpp"
#include "projection/models/work_parameters.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// kernel, launches, inactive, miscellaneous, control, transfer_efficiency, requested_B, integers, singles, doubles,
// warp_instructions, instructions_per_cycle.
[[nodiscard]] std::vector<GpuKernel> read_gpu_kernels(const std::string &path);

// loop; flops and bytes, or iterations with flops_per_iteration and bytes_per_iteration; U, S_flop_per_s, V, X, Y, Z.
// Work is a number or an expression in parameters; an empty cell is no operations, no bytes, no coefficient. A loop
// without operations and bytes has rates and no time.
[[nodiscard]] std::vector<CodeLoop> read_loops(const std::string &path, const WorkParameters &parameters = {});

// loop, threads, clock_GHz (a number, turbo, or empty), seconds, flops, bytes; by loop, in the order of the file.
struct MeasuredLoop {
    std::string name;
    std::vector<LoopRun> runs;
    std::string why_not = {}; // in words, where the work of a run's region is not known
};
[[nodiscard]] std::vector<MeasuredLoop> read_loop_runs(const std::string &path);

// "2.6", "turbo", "": the clock of a MachineSetting; throws std::invalid_argument with the text for others.
[[nodiscard]] double clock_of(const std::string &GHz);

// domain, kernel, seconds: what a profiler measured; kernel "all" is the whole run. A column card says whose time it
// is, by the name or file that --gpu gives it; without it, or empty, it holds for every card.
struct MeasuredKernel {
    std::string card, domain, kernel;
    [[nodiscard]] auto operator<=>(const MeasuredKernel &) const = default;
};
using MeasuredKernels = std::map<MeasuredKernel, double>;
[[nodiscard]] MeasuredKernels read_measured_kernels(const std::string &path);

// kernel, flops, bytes of one run on a domain of `cells`; summed over kernels.
struct MeasuredWork {
    double flop = unknown, moved_B = unknown;
};
[[nodiscard]] MeasuredWork read_work(const std::string &path);

// job, submitted_s, nodes, seconds, power_W (of one node; may be left out).
[[nodiscard]] std::vector<QueuedJob> read_jobs(const std::string &path);

// "200x200x80" to 3,200,000; throws std::invalid_argument with the text for what is no product of whole numbers.
[[nodiscard]] double cells_of(const std::string &domain);

} // namespace cpl_lb
