// Characteristics of GPU kernels from what a profiler counted (ESCAPE D3.5, tables 7 and 8): CSV exports of nvprof
// and of Nsight Compute.
#pragma once

#include "projection/models/gpu_model.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// One metric of a kernel, in seconds, bytes or a fraction (for per cent): summed over the launches.
struct ProfiledMetric {
    double sum = 0, launches = 0;
    std::size_t file = 0; // the number of the file that has it, from 1
    [[nodiscard]] double mean() const { return sum / launches; }
};

struct ProfiledKernel {
    std::string name;
    std::map<std::string, ProfiledMetric> metrics; // by the profiler's own names; only those that the model uses
};

// The kernels of one card.
struct GpuProfile {
    std::string source; // the files, for errors
    std::string card;   // as the profiler calls it; empty: it does not
    std::vector<ProfiledKernel> kernels;
};

// All files together are of one card: metrics, and durations (nvprof writes these apart). Takes
//   nvprof --csv --metrics ...          one row for each kernel and metric
//   nvprof --csv --print-gpu-summary    durations
//   ncu --csv [--page details]          one row for each launch and metric
//   ncu --csv --page raw                one row for each launch, one column for each metric
// and the lines of the profiler and of the program around them. Throws FileError with line and column.
[[nodiscard]] GpuProfile read_gpu_profile(const std::vector<std::string> &files);

// Table 8, for one launch and one of `cells` cells. Throws ProjectionError, which names what a kernel lacks; kernels
// of which no instruction was counted are left out.
[[nodiscard]] std::vector<GpuKernel> characteristics_of(const GpuProfile &profile, double cells);

// The averages of table 8 over cards. Throws ProjectionError if a kernel is not in all of them, or was launched
// more often in one.
[[nodiscard]] std::vector<GpuKernel> average_over_cards(const std::vector<std::vector<GpuKernel>> &cards);

// As --kernels reads them.
[[nodiscard]] std::string gpu_kernels_as_csv(const std::vector<GpuKernel> &kernels);

// One of the names that the model uses.
[[nodiscard]] bool is_gpu_metric(const std::string &name);
// nvprof has durations beside its metrics; under this name, that of Nsight Compute.
inline constexpr const char *gpu_duration = "gpu__time_duration.sum";

} // namespace cpl_lb
