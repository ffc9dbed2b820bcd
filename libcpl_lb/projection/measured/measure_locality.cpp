// The paper's MEMBENCH (Modeling Assertions, section 3.3) for this machine: bandwidth of loads as the program counts
// them, 8 bytes each, by temporal locality (where the data are found again), spatial locality (how they are walked
// through), threads (M) and vector instructions (V).
#include "projection/measured/measure_machine.hpp"
#include "projection/measured/thread_team.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

// TL 2: found again in L1; 1: in L2, else in the last cache; 0: comes from memory each time.
std::array<std::size_t, 3> doubles_of_levels(const std::vector<LevelSet> &sets) {
    const auto find = [&](std::initializer_list<const char *> names) {
        for (const char *const name : names)
            for (const LevelSet &set : sets)
                if (set.level == name) return set.doubles;
        return std::size_t{0};
    };
    return {find({"DRAM"}), find({"L2", "L3"}), find({"L1"})};
}

struct ThreadData {
    ThreadArrays values;
    std::vector<std::int32_t> order; // for SL 0; empty else
};

// SL 2: one after the other; 1: every fourth, so a quarter of each line; 0: in random order.
double run(const KernelSet &kernels, std::size_t sl, const ThreadData &data, std::size_t passes) {
    const double *const a = data.values.array(0);
    const std::size_t n = data.values.doubles();
    if (sl == 2) return kernels.load(a, n, passes);
    if (sl == 1) return kernels.strided(a, n, passes);
    return kernels.gathered(a, data.order.data(), data.order.size(), passes);
}

std::vector<std::int32_t> random_order(std::size_t doubles) {
    // As many loads as lines, each in a line of its own: nothing of a line is used twice.
    const std::size_t lines = doubles / 8;
    std::vector<std::int32_t> order;
    order.reserve(lines);
    for (const std::uint32_t line : one_cycle(lines))
        order.push_back(static_cast<std::int32_t>(line * 8));
    order.resize(order.size() / 32 * 32);
    return order;
}

double bandwidth(const MeasuringPlan &plan, const KernelSet &kernels, std::size_t threads, std::size_t doubles,
                 std::size_t sl, const TeamBudget &budget) {
    std::vector<ThreadData> data;
    for (std::size_t i = 0; i < threads; ++i)
        data.push_back({ThreadArrays(1, doubles), sl == 0 ? random_order(doubles) : std::vector<std::int32_t>()});
    const TeamWork work{[&](std::size_t i) { data[i].values.fill(); },
                        [&](std::size_t i, std::size_t passes) { return run(kernels, sl, data[i], passes); }};
    const double seconds = best_pass_s(plan.cores_for(threads), work, budget);
    const std::size_t loads = sl == 2 ? doubles : sl == 1 ? doubles / kernel_stride : data[0].order.size();
    return 8.0 * static_cast<double>(loads * threads) / seconds;
}

LocalityBandwidth row_of(const MeasuringPlan &plan, bool all_threads, bool vectorised, Machine &machine) {
    const std::size_t threads = all_threads ? plan.cores.size() : 1;
    const KernelSet &kernels = vectorised ? plan.widest() : *plan.kernels.front();
    const auto doubles = doubles_of_levels(level_sets(plan, threads, machine));
    LocalityBandwidth row;
    row.mv = fmt::format("{}{}", all_threads ? 1 : 0, vectorised ? 1 : 0);
    std::array<Floor, 3> further;
    const LocalityBandwidth *one = all_threads ? locality_of(machine, vectorised ? "01" : "00") : nullptr;
    const auto fewer = [&](std::size_t tl, std::size_t sl) {
        return one == nullptr ? unknown : one->B_per_s[tl][sl];
    };
    for (std::size_t tl = 0; tl < 3; ++tl) {
        plan.options.progress(fmt::format("bandwidth by locality, mv {}, TL {}", row.mv, tl));
        for (std::size_t sl = 0; sl < 3; ++sl) {
            if (doubles[tl] == 0) continue;
            const std::string what = fmt::format("the bandwidth by locality, mv {}, TL {}, SL {},", row.mv, tl, sl);
            row.B_per_s[tl][sl] = plausible_rate(
                {what, "GB/s", machine_units::GB_per_s, {further[sl], {fewer(tl, sl), "with one thread", 0.5}}},
                plan.budget,
                [&](const TeamBudget &budget) { return bandwidth(plan, kernels, threads, doubles[tl], sl, budget); });
            raise(further[sl], row.B_per_s[tl][sl], fmt::format("with TL {}", tl));
        }
    }
    const MachineSetting at{static_cast<int>(threads), unknown};
    row.scalar_flop_per_s = flop_rate_of(machine, at, plan.kernels.front()->vector);
    if (vectorised) row.vector_flop_per_s = flop_rate_of(machine, at, plan.widest().vector);
    return row;
}

} // namespace

void measure_locality(const MeasuringPlan &plan, Machine &machine) {
    for (const bool vectorised : {false, true})
        for (const bool all_threads : {false, true})
            machine.locality.push_back(row_of(plan, all_threads, vectorised, machine));
}

} // namespace cpl_lb
