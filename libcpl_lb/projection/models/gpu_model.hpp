// Time of kernels on a GPU (ESCAPE D3.5, section 3.4, tables 8 to 11), predicted for one card from averages over
// other cards.
#pragma once

#include "data/time.hpp"
#include "projection/machine/machine.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Table 8: averages over the cards that were profiled. Counts are of one launch and one cell of the domain.
struct GpuKernel {
    std::string name;
    double launches = 1;                                                   // in one run
    double inactive = unknown, miscellaneous = unknown, control = unknown; // P_i, P_m, P_cfl: shares of the time
    double transfer_efficiency = unknown;                                  // G_e: requested over moved bytes
    double requested_B = unknown;                                          // G_r
    double integers = unknown, singles = unknown, doubles = unknown;       // i_i, i_f, i_d: instructions of threads
    double warp_instructions = unknown;                                    // I_e
    double instructions_per_cycle = unknown;                               // IPC_e, of one multiprocessor
};

// All figures of a kernel, by the columns of --kernels.
struct GpuFigure {
    const char *column;
    double GpuKernel::*figure;
    bool is_share, may_be_0;
};
[[nodiscard]] std::span<const GpuFigure> gpu_figures();

// Table 11, of all launches.
struct GpuTime {
    double inactive_s = 0, miscellaneous_s = 0, control_s = 0; // T_i, T_m, T_cfl
    double single_s = 0, double_s = 0, integer_s = 0;          // T_cf, T_cd, T_ci
    double transfer_s = 0;                                     // T_t

    // The columns of tables 12 to 17: "Inactive" there is T_i + T_m + T_cfl.
    [[nodiscard]] double waiting_s() const { return inactive_s + miscellaneous_s + control_s; }
    [[nodiscard]] double compute_s() const { return single_s + double_s + integer_s; }
    [[nodiscard]] double total_s() const { return waiting_s() + compute_s() + transfer_s; }
    GpuTime &operator+=(const GpuTime &other);
};

// Peak rates. Clock x multiprocessors x operations has more digits than a printed peak: it is taken where both agree
// to three digits, and if no peak is given.
struct GpuPeaks {
    double double_flop_per_s = unknown, single_flop_per_s = unknown, integer_op_per_s = unknown;
};
[[nodiscard]] GpuPeaks gpu_peaks(const GpuFacts &gpu);

// G_e on this architecture: Fermi reaches a quarter of it below 40 %, else two thirds (section 3.4).
[[nodiscard]] double gpu_transfer_efficiency(const GpuFacts &gpu, double average);

// `cells`: product of the domain's dimensions. Throws ProjectionError if the machine has no GPU or lacks a fact.
[[nodiscard]] GpuTime gpu_time(const GpuKernel &kernel, const Machine &machine, double cells);

// Root mean square of relative differences: the "square error" below tables 12 to 17.
[[nodiscard]] double root_mean_square(const std::vector<double> &differences);

// Characteristics of GPU kernels from what Nsight Compute counted (ESCAPE D3.5, tables 7 and 8).

// One metric of a kernel, in bytes or a fraction (for per cent): summed over the launches.
struct ProfiledMetric {
    double sum = 0, launches = 0;
    [[nodiscard]] double mean() const { return sum / launches; }
};

struct ProfiledKernel {
    std::string name;
    std::map<std::string, ProfiledMetric> metrics; // by gpu_metric()
};

// The kernels of one card.
struct GpuProfile {
    std::string source; // the file, for errors
    std::vector<ProfiledKernel> kernels;
};

// Takes what ncu --csv --page raw writes: one row for each launch, one column for each metric; and the lines of the
// profiler and of the program around them. Throws FileError with line and column.
[[nodiscard]] GpuProfile read_gpu_profile(const std::string &path);

// Table 8, for one launch and one of `cells` cells. Throws ProjectionError, which names what a kernel lacks.
[[nodiscard]] std::vector<GpuKernel> characteristics_of(const GpuProfile &profile, double cells);

// The averages of table 8 over cards. Throws ProjectionError if a kernel is not in all of them, or was launched
// more often in one.
[[nodiscard]] std::vector<GpuKernel> average_over_cards(const std::vector<std::vector<GpuKernel>> &cards);

// As --kernels reads them.
[[nodiscard]] std::string gpu_kernels_as_csv(const std::vector<GpuKernel> &kernels);

// The profiler's own name if it is one that the model uses, else empty. Sums over multiprocessors (sm__) and over
// their parts (smsp__) are the same, and have one name.
[[nodiscard]] std::string gpu_metric(const std::string &name);

} // namespace cpl_lb
