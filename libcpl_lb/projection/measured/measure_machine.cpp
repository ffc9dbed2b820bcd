// Runs all measurements in turn and puts their figures into one machine.
#include "projection/measured/measure_machine.hpp"

#include "meters/platform.hpp"
#include "projection/machine/machine_file.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"

#include <cstdlib>
#include <string_view>

namespace cpl_lb {

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

std::string now_as_text() {
    return utc_now().substr(0, std::string_view("YYYY-MM-DD").size());
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
    machine.source = fmt::format("measured by cpl-lb machine on {}{}", now_as_text(),
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

} // namespace cpl_lb
