// Bandwidth of each level by threads and by what moves, and the latency of each level. The paper's MEMBENCH (Modeling
// Assertions, section 3.3), too: bandwidth of loads as the program counts them, 8 bytes each, by temporal locality
// (where the data are found again), spatial locality (how they are walked through), threads (M) and vector
// instructions (V).
#include "projection/measured/measure_machine.hpp"

#include "projection/measured/thread_team.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

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

double bandwidth(const MeasuringPlan &plan, std::size_t threads, const LevelSet &set, const Access &access,
                 TeamBudget budget) {
    const std::size_t doubles = set.doubles / access.arrays / kernel_block * kernel_block;
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < threads; ++i)
        arrays.emplace_back(access.arrays, doubles);
    const KernelSet &kernels = plan.widest();
    const TeamWork work{
        [&](std::size_t i) { arrays[i].fill(); },
        [&](std::size_t i, std::size_t passes) { return run(kernels, access.name, arrays[i], passes); }};
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

double latency(const MeasuringPlan &plan, const LevelSet &set, const TeamBudget &budget) {
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
    return best_pass_s(plan.cores_for(1), work, budget) / 256;
}

std::vector<LevelSet> from_the_furthest(std::vector<LevelSet> sets) {
    std::ranges::reverse(sets);
    return sets;
}

// The bandwidths of all levels with one number of threads. It begins with the furthest level, because no nearer one
// can be slower. `by_threads` holds the best so far with fewer threads, by level and access.
std::vector<LevelBandwidth> bandwidths_of(const MeasuringPlan &plan, std::size_t threads,
                                          const std::vector<LevelSet> &sets,
                                          std::map<std::pair<std::string, std::string>, Floor> &by_threads) {
    std::vector<LevelBandwidth> rows;
    std::map<std::string, Floor> further; // by access
    for (const LevelSet &set : from_the_furthest(sets)) {
        for (const Access &access : accesses) {
            const std::string what =
                fmt::format("bandwidth of {}, {}, {}", set.level, counted(threads, "thread"), access.name);
            plan.options.progress(what);
            Floor &fewer = by_threads[{set.level, access.name}];
            const double B_per_s = plausible_rate(
                {"the " + what, "GB/s", machine_units::GB_per_s, {further[access.name], fewer}}, plan.budget,
                [&](const TeamBudget &budget) { return bandwidth(plan, threads, set, access, budget); });
            further[access.name].share = share_of_further_level;
            raise(further[access.name], B_per_s, "that of " + set.level);
            raise(fewer, B_per_s, "with " + counted(threads, "thread"));
            rows.push_back({set.level, access.name, {static_cast<int>(threads), unknown}, B_per_s});
        }
    }
    return rows;
}

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
double walk(const KernelSet &kernels, std::size_t sl, const ThreadData &data, std::size_t passes) {
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

double bandwidth_of_walk(const MeasuringPlan &plan, const KernelSet &kernels, std::size_t threads,
                         std::size_t doubles, std::size_t sl, const TeamBudget &budget) {
    std::vector<ThreadData> data;
    for (std::size_t i = 0; i < threads; ++i)
        data.push_back({ThreadArrays(1, doubles), sl == 0 ? random_order(doubles) : std::vector<std::int32_t>()});
    const TeamWork work{[&](std::size_t i) { data[i].values.fill(); },
                        [&](std::size_t i, std::size_t passes) { return walk(kernels, sl, data[i], passes); }};
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
                plan.budget, [&](const TeamBudget &budget) {
                    return bandwidth_of_walk(plan, kernels, threads, doubles[tl], sl, budget);
                });
            raise(further[sl], row.B_per_s[tl][sl], fmt::format("with TL {}", tl));
        }
    }
    const MachineSetting at{static_cast<int>(threads), unknown};
    row.scalar_flop_per_s = flop_rate_of(machine, at, plan.kernels.front()->vector);
    if (vectorised) row.vector_flop_per_s = flop_rate_of(machine, at, plan.widest().vector);
    return row;
}

} // namespace

void measure_flops(const MeasuringPlan &plan, Machine &machine) {
    for (const KernelSet *const kernels : plan.kernels) {
        Floor fewer{0, "", share_of_flops};
        for (const std::size_t threads : plan.thread_counts) {
            const TeamWork work{nullptr, [&](std::size_t, std::size_t passes) { return kernels->flops(passes); }};
            const double rate =
                plausible_rate({fmt::format("the {} flop rate with {}", kernels->vector, counted(threads, "thread")),
                                "GFLOP/s",
                                machine_units::GFLOP_per_s,
                                {fewer}},
                               plan.budget, [&](const TeamBudget &budget) {
                                   return kernels->flops_per_pass * static_cast<double>(threads) /
                                          best_pass_s(plan.cores_for(threads), work, budget);
                               });
            raise(fewer, rate, "with " + counted(threads, "thread"));
            machine.flop_rates.push_back({kernels->vector, {static_cast<int>(threads), unknown}, rate});
        }
    }
}

void measure_memory(const MeasuringPlan &plan, Machine &machine) {
    std::map<std::pair<std::string, std::string>, Floor> by_threads;
    for (const std::size_t threads : plan.thread_counts) {
        const std::vector<LevelSet> sets = level_sets(plan, threads, machine);
        const std::vector<LevelBandwidth> rows = bandwidths_of(plan, threads, sets, by_threads);
        // Into the file from the nearest level on, each with its accesses in their order.
        const std::size_t each = std::size(accesses);
        for (std::size_t level = sets.size(); level-- > 0;) {
            const auto first = rows.begin() + static_cast<std::ptrdiff_t>(level * each);
            machine.bandwidths.insert(machine.bandwidths.end(), first, first + static_cast<std::ptrdiff_t>(each));
        }
    }
}

void measure_latency(const MeasuringPlan &plan, Machine &machine) {
    constexpr machine_units::Unit per_ns{1e9,
                                         {1 / machine_units::ns.bounds.most, 1 / machine_units::ns.bounds.least}};
    Floor further{0, "", share_of_further_level};
    std::vector<MachineLevel> levels;
    for (const LevelSet &set : from_the_furthest(level_sets(plan, 1, machine))) {
        plan.options.progress("latency of " + set.level);
        const double steps_per_s =
            plausible_rate({"the walk through " + set.level, "steps/ns", per_ns, {further}}, plan.budget,
                           [&](const TeamBudget &budget) { return 1 / latency(plan, set, budget); });
        raise(further, steps_per_s, "that through " + set.level);
        MachineLevel level;
        level.level = set.level;
        level.latency_s = 1 / steps_per_s;
        for (const CacheSize &cache : plan.caches) {
            if (cache.level != set.level) continue;
            level.size_B = cache.size_B;
            level.shared_by = cache.shared_by;
        }
        levels.push_back(level);
    }
    machine.levels.insert(machine.levels.end(), levels.rbegin(), levels.rend());
}

void measure_locality(const MeasuringPlan &plan, Machine &machine) {
    for (const bool vectorised : {false, true})
        for (const bool all_threads : {false, true})
            machine.locality.push_back(row_of(plan, all_threads, vectorised, machine));
}

} // namespace cpl_lb
