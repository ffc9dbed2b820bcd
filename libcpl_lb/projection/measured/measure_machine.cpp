// Runs all measurements in turn and puts their figures into one machine. Here, too: messages, by a ping-pong of two
// processes that the user's own mpirun starts; idle and loaded power, where the node has RAPL or the kernel's power
// events.
#include "projection/measured/measure_machine.hpp"

#include "meters/energy.hpp"
#include "meters/platform.hpp"
#include "meters/reader.hpp"
#include "projection/machine/machine_file.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/shell_words.hpp"
#include "support/utc.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <thread>

namespace cpl_lb {
namespace {

struct CommandOutput {
    std::string text;
    int status = -1;
};

CommandOutput output_of(const std::string &command) {
    CommandOutput output;
    std::fflush(nullptr);
    FILE *const pipe = ::popen(command.c_str(), "r"); // NOLINT(cert-env33-c): the command is the user's own
    if (pipe == nullptr) return output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        output.text += static_cast<char>(c);
    const int status = ::pclose(pipe);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

// The energy of what is done meanwhile, as power.
template <typename Work>
PowerDraw power_while(EnergyMeter &meter, int threads, Work work) {
    meter.sample();
    const EnergyTotals before = meter.totals();
    const Nanoseconds start = steady_now();
    work();
    meter.sample();
    const double seconds = to_seconds(steady_now() - start);
    const EnergyTotals after = meter.totals();
    return {
        {threads, unknown}, (after.package_J - before.package_J) / seconds, (after.dram_J - before.dram_J) / seconds};
}

// The package under multiply-adds, DRAM under a copy that no cache holds: each where it draws most (ESCAPE D3.5,
// section 5.2, which took mprime and lmbench's full write).
PowerDraw loaded(const MeasuringPlan &plan, EnergyMeter &meter, std::size_t threads, Machine &machine) {
    const TeamBudget budget{plan.options.quick ? 0.2 : 1.0, 1e-3};
    const KernelSet &kernels = plan.widest();
    const TeamWork flops{nullptr, [&](std::size_t, std::size_t passes) { return kernels.flops(passes); }};
    const int n = static_cast<int>(threads);
    PowerDraw draw = power_while(meter, n, [&] { (void)best_pass_s(plan.cores_for(threads), flops, budget); });

    const std::size_t doubles = level_sets(plan, threads, machine).back().doubles / 2 / kernel_block * kernel_block;
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < threads; ++i)
        arrays.emplace_back(2, doubles);
    const TeamWork copy{[&](std::size_t i) { arrays[i].fill(); },
                        [&](std::size_t i, std::size_t passes) {
                            return kernels.copy(arrays[i].array(0), arrays[i].array(1), doubles, passes);
                        }};
    draw.dram_W = power_while(meter, n, [&] { (void)best_pass_s(plan.cores_for(threads), copy, budget); }).dram_W;
    return draw;
}

} // namespace

std::vector<const KernelSet *> kernels_here() {
    std::vector<const KernelSet *> sets;
    for (const auto get : {CPL_LB_KERNELS_HERE}) // those of this build
        if (const KernelSet *const set = get(); set != nullptr) sets.push_back(set);
    return sets;
}

namespace {

const char *variable(const char *name) {
    return std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread
}

std::vector<std::size_t> counts_up_to(std::size_t cores) {
    std::vector<std::size_t> counts;
    for (std::size_t n = 1; n < cores; n *= 2)
        counts.push_back(n);
    counts.push_back(cores);
    return counts;
}

MeasuringPlan plan_of(const MeasuringOptions &options) {
    MeasuringPlan plan{options, usable_cores(options.readers.sysfs_root), {}, {}, {}, {}};
    plan.thread_counts = counts_up_to(plan.cores.size());
    plan.caches = data_caches(options.readers.sysfs_root);
    plan.kernels = kernels_here();
    if (options.quick) plan.budget = {0.005, 2e-4};
    return plan;
}

void describe(const MeasuringPlan &plan, Machine &machine) {
    const Platform platform = read_platform(plan.options.readers, variable);
    machine.name = platform.chip.empty() ? "this machine" : platform.chip;
    machine.source =
        fmt::format("measured by cpl-lb machine on {}{}", utc_now().substr(0, std::string_view("YYYY-MM-DD").size()),
                    plan.options.quick ? ", --quick: not exact" : "");
    machine.cores = static_cast<double>(plan.cores.size());
    if (is_known(platform.clock_GHz)) machine.clock_Hz = platform.clock_GHz * 1e9;
    machine.vector_length = plan.widest().length;
    machine.remarks.emplace_back(
        "bandwidths beyond L1 count the line that each store first reads: a copy moves 24 bytes "
        "for an element, a triad 32");
    if (plan.caches.empty())
        machine.remarks.emplace_back("bandwidth of caches n/a: the kernel does not tell their sizes");
}

// What a meter or the kernel says and no machine has (a power of 0, a clock of 0) is not known. What was measured
// with loops has been looked at before.
void forget_impossible(Machine &machine) {
    using namespace machine_units;
    const auto keep = [&](double &value, const Unit &unit, const std::string &what) {
        const double in_file = value / unit.in_SI;
        if (!is_known(value) || (in_file >= unit.bounds.least && in_file <= unit.bounds.most)) return;
        machine.remarks.push_back(fmt::format("{} n/a: {:.3g} is impossible", what, in_file));
        value = unknown;
    };
    keep(machine.clock_Hz, GHz, "clock");
    for (NetworkLink &link : machine.network) {
        keep(link.latency_s, us, "latency of messages");
        keep(link.B_per_s, GB_per_s, "bandwidth of messages");
    }
    for (PowerDraw &draw : machine.power) {
        const std::string with = " with " + counted(draw.at.threads, "thread");
        keep(draw.package_W, W, "power of the package" + with);
        keep(draw.dram_W, W, "power of DRAM" + with);
    }
}

} // namespace

Machine measure_machine(const MeasuringOptions &options) {
    const MeasuringPlan plan = plan_of(options);
    Machine machine;
    describe(plan, machine);
    options.progress("flop rates");
    measure_flops(plan, machine);
    measure_memory(plan, machine);
    measure_latency(plan, machine);
    measure_locality(plan, machine);
    measure_network(plan, machine);
    measure_power(plan, machine);
    forget_impossible(machine);
    return machine;
}

NetworkLink network_from(const std::string &pingpong_output) {
    NetworkLink link;
    std::istringstream lines(pingpong_output);
    std::string word;
    double bytes = 0, seconds = 0, longest = 0, longest_s = 0;
    while (lines >> word) {
        if (word == "hosts") {
            std::string a, b;
            lines >> a >> b;
            link.between = a == b ? "processes of one node" : "nodes";
        } else if (word == "message" && lines >> bytes >> seconds && seconds > 0) {
            if (!is_known(link.latency_s)) link.latency_s = seconds; // the shortest comes first
            longest = bytes;
            longest_s = seconds;
        }
    }
    if (is_known(link.latency_s) && longest_s > link.latency_s) link.B_per_s = longest / (longest_s - link.latency_s);
    return link;
}

void measure_network(const MeasuringPlan &plan, Machine &machine) {
    const MeasuringOptions &options = plan.options;
    if (options.mpirun.empty()) {
        machine.remarks.emplace_back("network n/a: --mpirun 'mpirun -n 2' was not given");
        return;
    }
    if (options.pingpong.empty()) {
        machine.remarks.emplace_back(
            "network n/a: cpl-lb-pingpong is not beside cpl-lb (cpl-lb was built without MPI)");
        return;
    }
    options.progress("messages");
    const std::string command = options.mpirun + " " + shell_path(options.pingpong) + (options.quick ? " quick" : "");
    const CommandOutput output = output_of(command + " 2>/dev/null < /dev/null");
    const NetworkLink link = network_from(output.text);
    if (output.status == 0 && is_known(link.latency_s))
        machine.network.push_back(link);
    else
        machine.remarks.push_back(
            fmt::format("network n/a: '{}' ended with status {} and no times", command, output.status));
}

void measure_power(const MeasuringPlan &plan, Machine &machine) {
    plan.options.progress("power");
    EnergyMeter meter(plan.options.readers);
    if (const Availability state = meter.open(); !state.works) {
        machine.remarks.push_back("power n/a: " + state.reason + (state.remedy.empty() ? "" : "; " + state.remedy));
        return;
    }
    const auto rest = std::chrono::milliseconds(plan.options.quick ? 200 : 1000);
    machine.power.push_back(power_while(meter, 0, [&] { std::this_thread::sleep_for(rest); }));
    for (const std::size_t threads : plan.thread_counts)
        machine.power.push_back(loaded(plan, meter, threads, machine));
    for (const std::string &remark : meter.remarks())
        machine.remarks.push_back("power: " + remark);
}

} // namespace cpl_lb
