// The times of a kernel by the formulas of table 11, from a card's peaks and a kernel's averages.
#include "projection/models/gpu_model.hpp"

#include "projection/models/loop_model.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

// A peak printed with three digits is at most this far from its product.
constexpr double half_of_third_digit = 0.005;

double peak(double printed, double product) {
    if (!is_known(printed)) return product;
    const double decade = std::pow(10, std::floor(std::log10(printed)));
    return std::abs(product - printed) < half_of_third_digit * decade ? product : printed;
}

double required(double value, const char *fact, const std::string &machine) {
    if (!(value > 0)) throw ProjectionError(machine + ": the GPU model needs " + fact);
    return value;
}

} // namespace

GpuTime &GpuTime::operator+=(const GpuTime &other) {
    inactive_s += other.inactive_s;
    miscellaneous_s += other.miscellaneous_s;
    control_s += other.control_s;
    single_s += other.single_s;
    double_s += other.double_s;
    integer_s += other.integer_s;
    transfer_s += other.transfer_s;
    return *this;
}

GpuPeaks gpu_peaks(const GpuFacts &gpu) {
    const double cycles = gpu.clock_Hz * gpu.multiprocessors; // of all multiprocessors, in a second
    constexpr double multiply_and_add = 2;
    return {peak(gpu.double_flop_per_s, multiply_and_add * cycles * gpu.double_per_cycle),
            peak(gpu.single_flop_per_s, multiply_and_add * cycles * gpu.single_per_cycle),
            peak(gpu.integer_op_per_s, cycles * gpu.integer_per_cycle)};
}

double gpu_transfer_efficiency(const GpuFacts &gpu, double average) {
    if (gpu.architecture != "fermi") return average;
    return average < 0.4 ? average / 4 : average * 2 / 3;
}

GpuTime gpu_time(const GpuKernel &kernel, const Machine &machine, double cells) {
    if (!machine.has_gpu) throw ProjectionError(machine.name + ": not a GPU");
    const GpuFacts &gpu = machine.gpu;
    const GpuPeaks peaks = gpu_peaks(gpu);
    const double cycles = required(gpu.clock_Hz, "the clock", machine.name) *
                          required(gpu.multiprocessors, "the number of multiprocessors", machine.name);
    const double times = kernel.launches * cells;
    const double issue_s = times * kernel.warp_instructions / (kernel.instructions_per_cycle * cycles);
    constexpr double multiply_and_add = 2; // peaks count both, the counters one instruction
    GpuTime t;
    t.inactive_s = kernel.inactive * issue_s;
    t.miscellaneous_s = kernel.miscellaneous * issue_s;
    t.control_s = kernel.control * issue_s;
    t.single_s = times * kernel.singles * multiply_and_add /
                 required(peaks.single_flop_per_s, "single-precision operations", machine.name);
    t.double_s = times * kernel.doubles * multiply_and_add /
                 required(peaks.double_flop_per_s, "double-precision operations", machine.name);
    t.integer_s = times * kernel.integers / required(peaks.integer_op_per_s, "integer operations", machine.name);
    t.transfer_s = times * kernel.requested_B /
                   (required(gpu.B_per_s, "the bandwidth", machine.name) *
                    gpu_transfer_efficiency(gpu, kernel.transfer_efficiency));
    return t;
}

double root_mean_square(const std::vector<double> &differences) {
    double sum = 0;
    for (const double d : differences)
        sum += d * d;
    return std::sqrt(sum / static_cast<double>(differences.size()));
}

} // namespace cpl_lb
