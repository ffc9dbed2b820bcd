// Reads the sizes of the caches, chooses how much memory the loops touch for each level, and allocates it.
#include "projection/measured/measure_machine.hpp"

#include "data/time.hpp"
#include "meters/processors.hpp"
#include "meters/small_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <random>

namespace cpl_lb {
namespace {

constexpr std::size_t gap = 136; // doubles: 17 lines of 64 bytes

std::size_t in_blocks(double bytes) {
    const auto doubles = static_cast<std::size_t>(std::max(0.0, bytes) / sizeof(double));
    return doubles / (4 * kernel_block) * (4 * kernel_block);
}

// One thread's part of a cache of the plan, when `threads` are at work.
double part_B(const CacheSize &cache, std::size_t threads) {
    const double sharers = std::min(static_cast<double>(threads), static_cast<double>(cache.shared_by));
    return cache.size_B / sharers;
}

} // namespace

std::vector<LevelSet> level_sets(const MeasuringPlan &plan, std::size_t threads, Machine &machine) {
    std::vector<LevelSet> sets;
    double nearer_B = 0, last_cache_B = 0;
    for (const CacheSize &cache : plan.caches) {
        const double part = part_B(cache, threads);
        // Half of the cache, so that all of it stays; beyond the nearer level by so much that a cyclic walk finds
        // nothing there; and, of a large last cache, no more than needed, because others may use it too.
        const double set = std::min(part / 2, nearer_B > 0 ? 6 * nearer_B : part / 2);
        if (set >= 2 * nearer_B) sets.push_back({cache.level, in_blocks(set)});
        nearer_B = part;
        last_cache_B = std::max(last_cache_B, cache.size_B);
    }
    // STREAM's rule: four times the last cache, here all arrays together and of all threads.
    double wanted = plan.options.quick ? 64e6 : std::max(4 * last_cache_B, 128e6);
    const double memory = available_memory_B(plan.options.readers.procfs_root);
    if (is_known(memory) && wanted > memory / 4) {
        wanted = memory / 4;
        const std::string remark =
            fmt::format("DRAM: sets of {:.0f} MB, a quarter of the free memory; the last cache has {:.0f} MB",
                        wanted / 1e6, last_cache_B / 1e6);
        if (std::ranges::find(machine.remarks, remark) == machine.remarks.end()) machine.remarks.push_back(remark);
    }
    sets.push_back({"DRAM", in_blocks(wanted / static_cast<double>(threads))});
    return sets;
}

void ThreadArrays::Free::operator()(double *p) const {
    std::free(p); // NOLINT(cppcoreguidelines-no-malloc): of aligned_alloc
}

ThreadArrays::ThreadArrays(std::size_t arrays, std::size_t doubles)
    : arrays_(arrays), doubles_(doubles), step_(doubles + gap) {
    const std::size_t bytes = (arrays * step_ * sizeof(double) + 4095) / 4096 * 4096;
    memory_.reset(static_cast<double *>(std::aligned_alloc(4096, bytes)));
    if (!memory_) throw std::bad_alloc();
    first_ = memory_.get();
}

void ThreadArrays::fill() const {
    for (std::size_t i = 0; i < arrays_; ++i)
        std::fill_n(array(i), doubles_, 1.0 + static_cast<double>(i));
}

std::vector<std::uint32_t> one_cycle(std::size_t lines) {
    // Sattolo's shuffle: a permutation of a single cycle. The same order in each run.
    std::vector<std::uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0U);
    std::minstd_rand random(1); // NOLINT(cert-msc32-c,cert-msc51-cpp)
    for (std::size_t i = lines - 1; i > 0; --i)
        std::swap(order[i], order[random() % i]);
    return order;
}

namespace {

// "48K", "2048K", "105M".
double bytes_of(const std::string &text) {
    const auto number = parse_number(text);
    if (!number) return 0;
    const char unit = text.back();
    const double factor = unit == 'K' ? 1024.0 : unit == 'M' ? 1024.0 * 1024.0 : 1.0;
    return static_cast<double>(*number) * factor;
}

} // namespace

std::vector<CacheSize> data_caches(const std::string &sysfs_root) {
    std::vector<CacheSize> caches;
    for (int index = 0; index < 16; ++index) {
        const std::string folder = sysfs_root + "/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        const auto type = read_text(folder + "type"), level = read_text(folder + "level");
        const auto size = read_text(folder + "size"), shared = read_text(folder + "shared_cpu_list");
        if (!type || !level || !size) break;
        if (*type == "Instruction" || size->empty()) continue;
        const CacheSize cache{"L" + *level, bytes_of(*size),
                              shared ? std::max(static_cast<int>(processors_in(*shared).size()), 1) : 1};
        if (cache.size_B > 0) caches.push_back(cache);
    }
    std::ranges::sort(caches, {}, &CacheSize::level);
    return caches;
}

double available_memory_B(const std::string &procfs_root) {
    const auto text = read_text(procfs_root + "/meminfo");
    const auto kibibytes = text ? number_after(*text, "MemAvailable:") : std::nullopt;
    return kibibytes ? static_cast<double>(*kibibytes) * 1024 : unknown;
}

} // namespace cpl_lb
