// Looks up rates, bandwidths and power of a machine at a clock and a number of threads; works out the rows of
// Modeling Assertions' tables 2 to 4 for machines that have bandwidths of cache levels.
#include "projection/machine/machine.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

bool same_clock(double a, double b) {
    if (!is_known(a) || !is_known(b)) return is_known(a) == is_known(b);
    return a == b || std::abs(a - b) <= 1e-6 * std::abs(b);
}

// The clock of the rows that answer the question; see the header.
template <typename Rows>
double clock_for(const Rows &rows, double wanted, double nominal) {
    if (is_known(wanted)) return wanted;
    const auto has = [&](double clock) {
        return std::ranges::any_of(rows, [&](const auto &row) { return same_clock(row.at.clock_Hz, clock); });
    };
    if (has(unknown)) return unknown;
    if (is_known(nominal) && has(nominal)) return nominal;
    double highest = unknown;
    for (const auto &row : rows)
        highest = is_known(highest) ? std::max(highest, row.at.clock_Hz) : row.at.clock_Hz;
    return highest;
}

// The largest value at each number of threads, on straight lines between.
template <typename Rows, typename Taken, typename Value>
double by_threads(const Rows &rows, MachineSetting at, double nominal, Taken taken, Value value) {
    const double clock = clock_for(rows, at.clock_Hz, nominal);
    std::map<int, double> points;
    for (const auto &row : rows) {
        if (!taken(row) || !same_clock(row.at.clock_Hz, clock) || !is_known(value(row))) continue;
        const auto [point, is_new] = points.emplace(row.at.threads, value(row));
        if (!is_new) point->second = std::max(point->second, value(row));
    }
    const auto above = points.lower_bound(at.threads);
    if (above == points.end()) return unknown;
    if (above->first == at.threads) return above->second;
    if (above == points.begin()) return unknown;
    const auto below = std::prev(above);
    const double share = static_cast<double>(at.threads - below->first) / (above->first - below->first);
    return below->second + share * (above->second - below->second);
}

template <typename Rows, typename Taken>
std::string why_none(const Machine &machine, const Rows &rows, MachineSetting at, Taken taken) {
    const double clock = clock_for(rows, at.clock_Hz, machine.clock_Hz);
    std::set<double> clocks;
    std::set<int> threads; // at this clock
    bool any = false;
    for (const auto &row : rows) {
        if (!taken(row)) continue;
        any = true;
        if (is_known(row.at.clock_Hz)) clocks.insert(row.at.clock_Hz);
        if (same_clock(row.at.clock_Hz, clock)) threads.insert(row.at.threads);
    }
    if (!any && machine.has_gpu) return ": it is a GPU; use cpl-lb machine gpu";
    if (!any) return " in its file";
    if (threads.empty()) {
        std::vector<std::string> names(clocks.size());
        std::ranges::transform(clocks, names.begin(), clock_text);
        return " at " + clock_text(clock) +
               (names.empty() ? ": leave the clock out" : ": ask for one of " + joined(names, ", "));
    }
    const std::string there = " at " + counted(at.threads, "thread") + ": ask for ";
    if (at.threads > *threads.rbegin()) return there + fmt::format("at most {}", *threads.rbegin());
    if (at.threads < *threads.begin()) return there + fmt::format("at least {}", *threads.begin());
    return " in its file";
}

constexpr std::array<double, 3> share_of_line = {1.0 / 8, 1.0 / 4, 1.0}; // SL 0, 1, 2

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

} // namespace

std::string clock_text(double clock_Hz) {
    return std::isinf(clock_Hz) ? "turbo" : fmt::format("{:g} GHz", 1e-9 * clock_Hz);
}

std::string why_no_flop_rate(const Machine &machine, MachineSetting at) {
    return why_none(machine, machine.flop_rates, at, [](const FlopRate &) { return true; });
}

std::string why_no_bandwidth(const Machine &machine, std::string_view level, MachineSetting at) {
    return why_none(machine, machine.bandwidths, at, [&](const LevelBandwidth &row) { return row.level == level; });
}

double flop_rate_of(const Machine &machine, MachineSetting at, std::string_view vector) {
    return by_threads(
        machine.flop_rates, at, machine.clock_Hz,
        [&](const FlopRate &row) { return vector.empty() || row.vector == vector; },
        [](const FlopRate &row) { return row.flop_per_s; });
}

double bandwidth_of(const Machine &machine, std::string_view level, MachineSetting at, std::string_view access) {
    return by_threads(
        machine.bandwidths, at, machine.clock_Hz,
        [&](const LevelBandwidth &row) { return row.level == level && (access.empty() || row.access == access); },
        [](const LevelBandwidth &row) { return row.B_per_s; });
}

PowerDraw power_of(const Machine &machine, MachineSetting at) {
    PowerDraw draw;
    draw.at = at;
    // No line between idle and one core: the first core at work wakes the package.
    const auto taken = [&](const PowerDraw &row) { return (row.at.threads == 0) == (at.threads == 0); };
    draw.package_W =
        by_threads(machine.power, at, machine.clock_Hz, taken, [](const PowerDraw &row) { return row.package_W; });
    draw.dram_W =
        by_threads(machine.power, at, machine.clock_Hz, taken, [](const PowerDraw &row) { return row.dram_W; });
    return draw;
}

const LocalityBandwidth *locality_of(const Machine &machine, std::string_view mv) {
    const auto found = std::ranges::find(machine.locality, mv, &LocalityBandwidth::mv);
    return found == machine.locality.end() ? nullptr : &*found;
}

std::vector<std::string> levels_with_bandwidth(const Machine &machine) {
    std::vector<std::string> levels;
    for (const std::string level : {"L1", "L2", "L3", "DRAM"})
        if (std::ranges::count(machine.bandwidths, level, &LevelBandwidth::level) > 0) levels.push_back(level);
    return levels;
}

double sockets_of_figures(const Machine &machine) {
    return is_known(machine.figures_sockets) ? machine.figures_sockets : machine.sockets;
}

int most_threads(const Machine &machine) {
    return std::max(most_at_work(machine.flop_rates), most_at_work(machine.bandwidths));
}

MachineSetting on_all_threads(const Machine &machine, MachineSetting at) {
    if (at.threads == 0) at.threads = most_threads(machine);
    return at;
}

std::string derive_locality(Machine &machine) {
    if (!machine.locality.empty()) return "";
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
