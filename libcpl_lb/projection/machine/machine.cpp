// Looks up rates, bandwidths and power of a machine at a clock and a number of threads.
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
    if (!any && machine.has_gpu) return ": it is a GPU; use --gpu with --kernels";
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

} // namespace cpl_lb
