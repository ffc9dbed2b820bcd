// Works out the rows of Modeling Assertions' tables 2 to 4 for machines that have bandwidths of cache levels.
#include "projection/machine/machine_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::array<double, 3> share_of_line = {1.0 / 8, 1.0 / 4, 1.0};    // SL 0, 1, 2
constexpr std::array<double, 3> share_of_sectors = {1.0 / 4, 1.0 / 4, 1.0}; // of a GPU

// Loads where they are told apart: the work counts what it reads and writes, not what a store reads first.
double level_bandwidth(const Machine &machine, std::string_view level, MachineSetting at) {
    const double loads = bandwidth_of(machine, level, at, "load");
    return is_known(loads) ? loads : bandwidth_of(machine, level, at);
}

// The levels that stand for TL 0, 1, 2; empty: none does.
std::array<std::string, 3> levels_of(const Machine &machine) {
    const std::vector<std::string> known = levels_with_bandwidth(machine);
    const auto has = [&](const char *level) { return std::ranges::find(known, level) != known.end(); };
    return {has("DRAM") ? "DRAM" : "", has("L2") ? "L2" : has("L3") ? "L3" : "", has("L1") ? "L1" : ""};
}

LocalityBandwidth row_of(const Machine &machine, bool all_threads, bool vectorised) {
    LocalityBandwidth row;
    row.mv = fmt::format("{:d}{:d}", all_threads, vectorised);
    const MachineSetting at{all_threads ? most_at_work(machine.bandwidths) : 1, unknown};
    const auto levels = levels_of(machine);
    const double single_loads = level_bandwidth(machine, "L1", at) / machine.vector_length;
    for (std::size_t tl = 0; tl < 3; ++tl) {
        if (levels[tl].empty()) continue;
        const double whole = level_bandwidth(machine, levels[tl], at);
        for (std::size_t sl = 0; sl < 3; ++sl) {
            double &B_per_s = row.B_per_s[tl][sl];
            B_per_s = whole * share_of_line[sl];
            const bool by_vector_loads = vectorised && sl == 2;
            if (!by_vector_loads && single_loads < B_per_s) B_per_s = single_loads;
        }
    }
    const double best = flop_rate_of(machine, at), scalar = flop_rate_of(machine, at, "scalar");
    row.scalar_flop_per_s = is_known(scalar) ? scalar : best / machine.vector_length;
    if (vectorised) row.vector_flop_per_s = best;
    return row;
}

std::string derive_for_gpu(Machine &machine) {
    LocalityBandwidth row;
    row.mv = "11";
    for (std::size_t sl = 0; sl < 3; ++sl)
        row.B_per_s[0][sl] = machine.gpu.B_per_s * share_of_sectors[sl];
    row.vector_flop_per_s = machine.gpu.double_flop_per_s;
    machine.locality.push_back(row);
    return "worked out from the GPU's memory: TL 0 is its memory, of which SL 2 uses all, SL 1 and 0 a quarter; "
           "nothing "
           "is known of its caches and of work that is not vectorised";
}

} // namespace

std::string derive_locality(Machine &machine) {
    if (!machine.locality.empty()) return "";
    if (machine.has_gpu && is_known(machine.gpu.B_per_s)) return derive_for_gpu(machine);
    if (machine.bandwidths.empty()) return "";
    for (const bool all_threads : {false, true})
        for (const bool vectorised : {false, true})
            machine.locality.push_back(row_of(machine, all_threads, vectorised));
    const auto levels = levels_of(machine);
    std::string which;
    for (std::size_t tl = 3; tl-- > 0;)
        if (!levels[tl].empty()) which += fmt::format("{}TL {} is {}", which.empty() ? "" : ", ", tl, levels[tl]);
    return fmt::format(
        "worked out from its levels: {}; SL 2 uses whole lines, SL 1 a quarter, SL 0 an eighth, and no load "
        "of one number is faster than L1 gives it{}",
        which,
        is_known(flop_rate_of(machine, {1, unknown}, "scalar")) || !is_known(machine.vector_length)
            ? ""
            : "; the scalar rate is the vector rate divided by the numbers in a register");
}

} // namespace cpl_lb
