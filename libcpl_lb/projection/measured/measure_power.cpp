// Idle and loaded power, where the node has RAPL or the kernel's power events.
#include "meters/energy.hpp"
#include "meters/reader.hpp"
#include "projection/measured/measure_machine.hpp"
#include "support/fmt.hpp"

#include <thread>

namespace cpl_lb {
namespace {

PowerDraw between(const EnergyTotals &first, const EnergyTotals &last, double seconds, int threads) {
    PowerDraw draw;
    draw.at = {threads, unknown};
    draw.package_W = (last.package_J - first.package_J) / seconds;
    draw.dram_W = (last.dram_J - first.dram_J) / seconds;
    return draw;
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
    return between(before, meter.totals(), seconds, threads);
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

void measure_power(const MeasuringPlan &plan, Machine &machine) {
    plan.options.progress("power");
    EnergyMeter meter(plan.options.readers, steady_now);
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
