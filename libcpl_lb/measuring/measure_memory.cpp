// Bandwidth of each level by threads and by what moves, and the latency of each level.
#include "measuring/measure_machine.hpp"

#include <fmt/format.h>

namespace cpl_lb {
namespace {

struct Access {
    const char *name;
    std::size_t arrays;
    double words_in_L1,
        words_beyond; // moved for each element; beyond L1 a store first reads its line (write-allocate)
};
constexpr Access accesses[] = {{"load", 1, 1, 1}, {"copy", 2, 2, 3}, {"triad", 3, 3, 4}};

double run(const KernelSet &kernels, const std::string &access, const ThreadArrays &a, std::size_t passes) {
    if (access == "load") return kernels.load(a.array(0), a.doubles(), passes);
    if (access == "copy") return kernels.copy(a.array(0), a.array(1), a.doubles(), passes);
    return kernels.triad(a.array(0), a.array(1), a.array(2), a.doubles(), passes);
}

double bandwidth(const MeasuringPlan &plan, std::size_t threads, const LevelSet &set, const Access &access) {
    const std::size_t doubles = set.doubles / access.arrays / kernel_block * kernel_block;
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < threads; ++i)
        arrays.emplace_back(access.arrays, doubles);
    const KernelSet &kernels = plan.widest();
    const TeamWork work{
        [&](std::size_t i) { arrays[i].fill(); },
        [&](std::size_t i, std::size_t passes) { return run(kernels, access.name, arrays[i], passes); }};
    TeamBudget budget = plan.budget;
    if (set.level == "DRAM") budget.seconds *= 5; // few passes fit, and memory is what others disturb most
    const double seconds = best_pass_s(plan.cores_for(threads), work, budget);
    const double words = set.level == "L1" ? access.words_in_L1 : access.words_beyond;
    return words * sizeof(double) * static_cast<double>(doubles * threads) / seconds;
}

constexpr std::size_t line_words = 8; // of 64 bytes

// Goes on where the last walk ended: a short walk from the start would find its own lines in the nearest cache.
double chase(const std::uint64_t *words, std::uint64_t &at, std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i)
        at = words[at];
    return static_cast<double>(at);
}

double latency(const MeasuringPlan &plan, const LevelSet &set) {
    const std::size_t lines = set.doubles / line_words;
    const ThreadArrays memory(1, lines * line_words);
    const std::vector<std::uint32_t> next = one_cycle(lines);
    auto *const words = reinterpret_cast<std::uint64_t *>(memory.array(0));
    std::uint64_t at = 0;
    const TeamWork work{[&](std::size_t) {
                            for (std::size_t i = 0; i < lines; ++i)
                                words[i * line_words] = std::uint64_t{next[i]} * line_words;
                        },
                        [&](std::size_t, std::size_t passes) { return chase(words, at, passes * 256); }};
    return best_pass_s(plan.cores_for(1), work, plan.budget) / 256;
}

} // namespace

void measure_flops(const MeasuringPlan &plan, Machine &machine) {
    for (const KernelSet *const kernels : plan.kernels) {
        for (const std::size_t threads : plan.thread_counts) {
            const TeamWork work{nullptr, [&](std::size_t, std::size_t passes) { return kernels->flops(passes); }};
            const double seconds = best_pass_s(plan.cores_for(threads), work, plan.budget);
            machine.flop_rates.push_back({kernels->vector,
                                          {static_cast<int>(threads), unknown},
                                          kernels->flops_per_pass * static_cast<double>(threads) / seconds});
        }
    }
}

void measure_memory(const MeasuringPlan &plan, Machine &machine) {
    for (const std::size_t threads : plan.thread_counts) {
        for (const LevelSet &set : level_sets(plan, threads, machine)) {
            for (const Access &access : accesses) {
                plan.options.progress(
                    fmt::format("bandwidth of {}, {} thread(s), {}", set.level, threads, access.name));
                machine.bandwidths.push_back({set.level,
                                              access.name,
                                              {static_cast<int>(threads), unknown},
                                              bandwidth(plan, threads, set, access)});
            }
        }
    }
}

void measure_latency(const MeasuringPlan &plan, Machine &machine) {
    for (const LevelSet &set : level_sets(plan, 1, machine)) {
        plan.options.progress("latency of " + set.level);
        MachineLevel level;
        level.level = set.level;
        level.latency_s = latency(plan, set);
        for (const CacheSize &cache : plan.caches) {
            if (cache.level != set.level) continue;
            level.size_B = cache.size_B;
            level.shared_by = cache.shared_by;
        }
        machine.levels.push_back(level);
    }
}

} // namespace cpl_lb
