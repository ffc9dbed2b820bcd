// Averages over launches by the formulas of table 8, from the names that Nsight Compute has for the counters of table
// 7; and the times of a kernel by the formulas of table 11, from a card's peaks and these averages.
#include "projection/models/gpu_model.hpp"

#include "projection/models/loop_model.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
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

constexpr double threads_of_warp = 32;

// Nsight Compute's names of the counters of table 7, by NVIDIA's own list of both.
constexpr const char *warp_instructions = "smsp__inst_executed.sum",                                   // I_e
    *control = "smsp__sass_thread_inst_executed_op_control_pred_on.sum",                               // i_cf
        *convert = "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",                        // i_bc
            *miscellaneous = "smsp__sass_thread_inst_executed_op_misc_pred_on.sum",                    // i_m
                *load_store = "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",                 // i_t
                    *integers = "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",              // i_i
                        *single_precision = "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum",     // i_f
                            *double_precision = "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum", // i_d
                                *ipc = "sm__inst_executed.avg.per_cycle_active",
                     *active_cycles = "sm__cycles_active.sum";

// Loads and stores of global memory: bytes of sectors, and how much of a sector the program uses.
struct Way {
    const char *moved_B, *efficiency;
};
constexpr Way ways[] = {
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"}};

bool is_metric(const std::string &name) {
    const auto is = [&](const char *other) { return name == other; };
    return std::ranges::any_of(std::array{warp_instructions, control, convert, miscellaneous, load_store, integers,
                                          single_precision, double_precision, ipc, active_cycles},
                               is) ||
           std::ranges::any_of(ways, [&](const Way &w) { return is(w.moved_B) || is(w.efficiency); });
}

// The metrics of one kernel, and errors that name it.
class Metrics {
public:
    Metrics(const GpuProfile &profile, const ProfiledKernel &kernel) : profile_(profile), kernel_(kernel) {}

    [[nodiscard]] double known_or_nan(const std::string &name) const {
        const auto found = kernel_.metrics.find(name);
        return found == kernel_.metrics.end() ? unknown : found->second.mean();
    }
    [[nodiscard]] double of(const std::string &name) const {
        const double value = known_or_nan(name);
        if (!is_known(value)) wrong("the profile lacks " + name);
        return value;
    }
    [[noreturn]] void wrong(const std::string &what) const {
        throw ProjectionError(profile_.source + ": kernel " + kernel_.name + ": " + what);
    }

private:
    const GpuProfile &profile_;
    const ProfiledKernel &kernel_;
};

struct Traffic {
    double requested_B = 0, moved_B = 0; // of one launch
};

Traffic traffic_of(const Metrics &m) {
    Traffic traffic;
    for (const Way &way : ways) {
        const double moved = m.of(way.moved_B);
        if (moved == 0) continue; // nothing of which a part could be used
        traffic.requested_B += m.of(way.efficiency) * moved;
        traffic.moved_B += moved;
    }
    return traffic;
}

GpuKernel characteristics(const Metrics &m, const ProfiledKernel &profiled, double cells) {
    const double slots = m.of(warp_instructions) * threads_of_warp;
    double of_threads = 0; // i
    for (const char *const counter :
         {control, miscellaneous, load_store, single_precision, double_precision, convert, integers})
        of_threads += m.of(counter);
    if (!(slots > 0)) m.wrong("it executed no instruction");
    if (of_threads > slots * 1.001) {
        m.wrong(
            fmt::format("{:.4g} instructions of threads are more than 32 for each of {:.4g} instructions of warps: "
                        "are both of the same launches?",
                        of_threads, slots / threads_of_warp));
    }
    const Traffic traffic = traffic_of(m);
    GpuKernel k;
    k.name = profiled.name;
    k.launches = profiled.metrics.at(warp_instructions).launches;
    k.inactive = std::max(0.0, 1 - of_threads / slots);
    k.miscellaneous = m.of(miscellaneous) / slots;
    k.control = m.of(control) / slots;
    k.transfer_efficiency = traffic.moved_B > 0 ? traffic.requested_B / traffic.moved_B : 1;
    k.requested_B = traffic.requested_B / cells;
    k.integers = m.of(integers) / cells;
    k.singles = m.of(single_precision) / cells;
    k.doubles = m.of(double_precision) / cells;
    k.warp_instructions = m.of(warp_instructions) / cells;
    const double per_cycle = m.known_or_nan(ipc);
    k.instructions_per_cycle = is_known(per_cycle) ? per_cycle : m.of(warp_instructions) / m.of(active_cycles);
    if (!(k.instructions_per_cycle > 0)) m.wrong("no instruction in a cycle");
    return k;
}

constexpr GpuFigure figures[] = {{"launches", &GpuKernel::launches, false, false},
                                 {"inactive", &GpuKernel::inactive, true, true},
                                 {"miscellaneous", &GpuKernel::miscellaneous, true, true},
                                 {"control", &GpuKernel::control, true, true},
                                 {"transfer_efficiency", &GpuKernel::transfer_efficiency, true, false},
                                 {"requested_B", &GpuKernel::requested_B, false, true},
                                 {"integers", &GpuKernel::integers, false, true},
                                 {"singles", &GpuKernel::singles, false, true},
                                 {"doubles", &GpuKernel::doubles, false, true},
                                 {"warp_instructions", &GpuKernel::warp_instructions, false, false},
                                 {"instructions_per_cycle", &GpuKernel::instructions_per_cycle, false, false}};

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

std::string gpu_metric(const std::string &name) {
    if (is_metric(name)) return name;
    const std::string of_part = name.starts_with("sm__") ? "smsp" + name.substr(2) : "";
    return is_metric(of_part) ? of_part : "";
}

std::vector<GpuKernel> characteristics_of(const GpuProfile &profile, double cells) {
    std::vector<GpuKernel> kernels;
    for (const ProfiledKernel &kernel : profile.kernels)
        kernels.push_back(characteristics(Metrics(profile, kernel), kernel, cells));
    if (kernels.empty()) throw ProjectionError(profile.source + ": no kernel");
    return kernels;
}

std::vector<GpuKernel> average_over_cards(const std::vector<std::vector<GpuKernel>> &cards) {
    std::vector<GpuKernel> mean = cards.front();
    for (GpuKernel &kernel : mean) {
        for (std::size_t c = 1; c < cards.size(); ++c) {
            const auto same = std::find_if(cards[c].begin(), cards[c].end(),
                                           [&](const GpuKernel &other) { return other.name == kernel.name; });
            if (same == cards[c].end() || cards[c].size() != mean.size()) {
                throw ProjectionError(
                    fmt::format("--profile {}: its kernels are not those of the first ({})", c + 1, kernel.name));
            }
            if (same->launches != kernel.launches) {
                throw ProjectionError(fmt::format("--profile {}: kernel {} has {:g} launches, and {:g} in the first",
                                                  c + 1, kernel.name, same->launches, kernel.launches));
            }
            for (const GpuFigure &f : figures)
                kernel.*f.figure += (*same).*f.figure;
        }
        for (const GpuFigure &f : figures)
            kernel.*f.figure /= static_cast<double>(cards.size());
    }
    return mean;
}

std::span<const GpuFigure> gpu_figures() {
    return figures;
}

std::string gpu_kernels_as_csv(const std::vector<GpuKernel> &kernels) {
    std::string text = "kernel";
    for (const GpuFigure &f : figures)
        text += std::string(",") + f.column;
    for (const GpuKernel &k : kernels) {
        text += "\n" + quoted_csv_cell(k.name);
        for (const GpuFigure &f : figures)
            text += fmt::format(",{:.6g}", k.*f.figure);
    }
    return text + "\n";
}

} // namespace cpl_lb
