// The time of each loop, and of all nodes with their communication.
#include "projection/models/loop_model.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::array<const char *, 4> levels = {"L1", "L2", "L3", "DRAM"};

[[noreturn]] void cannot(const CodeLoop &loop, const std::string &what) {
    throw ProjectionError("loop " + loop.name + ": " + what);
}

} // namespace

NodeRates node_rates(const Machine &machine, MachineSetting at) {
    NodeRates rates;
    rates.machine = machine.name;
    rates.flop_per_s = flop_rate_of(machine, at);
    if (!is_known(rates.flop_per_s)) rates.why_no_flop_rate = why_no_flop_rate(machine, at);
    for (std::size_t level = 0; level < levels.size(); ++level) {
        rates.B_per_s[level] = bandwidth_of(machine, levels[level], at);
        if (!is_known(rates.B_per_s[level]))
            rates.why_no_bandwidth[level] = why_no_bandwidth(machine, levels[level], at);
    }
    return rates;
}

double peak_flop_per_s(double clock_Hz, double vector_length, double operations_per_cycle, int cores) {
    return clock_Hz * vector_length * operations_per_cycle * cores;
}

double seconds_per_flop(const CodeLoop &loop, const NodeRates &rates) {
    const LoopCoefficients &c = loop.coefficients;
    if (!is_known(c.u)) cannot(loop, "it has operations and no coefficient U");
    if (!is_known(rates.flop_per_s)) cannot(loop, rates.machine + " has no flop rate" + rates.why_no_flop_rate);
    const double reached = rates.flop_per_s * c.u + c.s_flop_per_s;
    if (!(reached > 0)) cannot(loop, "U makes its flop rate zero");
    return 1 / reached;
}

double seconds_per_byte(const CodeLoop &loop, const NodeRates &rates) {
    const LoopCoefficients &c = loop.coefficients;
    const std::array<double, 4> shares = {c.v, c.x, c.y, c.z};
    double reached = 0;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (shares[level] == 0) continue;
        if (!is_known(rates.B_per_s[level]))
            cannot(loop, rates.machine + " has no bandwidth of " + levels[level] + rates.why_no_bandwidth[level]);
        reached += shares[level] * rates.B_per_s[level];
    }
    if (!(reached > 0)) cannot(loop, "V, X, Y and Z make its bandwidth zero");
    return 1 / reached;
}

LoopTime loop_time(const CodeLoop &loop, const NodeRates &rates, double share) {
    LoopTime time;
    if (!is_known(loop.flop) && !is_known(loop.moved_B)) cannot(loop, "neither operations nor bytes");
    if (is_known(loop.flop)) time.compute_s = share * loop.flop * seconds_per_flop(loop, rates);
    if (is_known(loop.moved_B)) time.move_s = share * loop.moved_B * seconds_per_byte(loop, rates);
    return time;
}

double CodeTime::loops_s() const {
    double sum = 0;
    for (const LoopTime &loop : loops)
        sum += loop.total_s();
    return sum;
}

CodeTime code_time(const std::vector<CodeLoop> &loops, const std::vector<NodeRates> &nodes,
                   const NodeExchange &exchange) {
    const double share = 1 / static_cast<double>(nodes.size());
    CodeTime slowest;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        CodeTime time;
        time.slowest = n;
        for (const CodeLoop &loop : loops)
            time.loops.push_back(loop_time(loop, nodes[n], share));
        if (n == 0 || time.loops_s() > slowest.loops_s()) slowest = std::move(time);
    }
    if (nodes.size() > 1) slowest.communication_s = exchange.seconds();
    return slowest;
}

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// How many edges of one direction have a neighbour on the node that has most.
std::int64_t edges_of(std::int64_t blocks) {
    return std::min<std::int64_t>(blocks - 1, 2);
}

struct Halo {
    double columns = unknown; // that the busiest node sends
    std::int64_t messages = 0;
};

Halo halo_of(const PatternedExchange &x, std::int64_t nodes) {
    Halo least;
    for (std::int64_t px = 1; px <= nodes; ++px) {
        if (nodes % px != 0 || px > x.grid_x || nodes / px > x.grid_y) continue;
        const std::int64_t py = nodes / px;
        const auto columns =
            static_cast<double>(edges_of(px) * ceil_div(x.grid_y, py) + edges_of(py) * ceil_div(x.grid_x, px)) *
            x.halo_width;
        if (!is_known(least.columns) || columns < least.columns) least = {columns, edges_of(px) + edges_of(py)};
    }
    if (!is_known(least.columns))
        throw ProjectionError("--grid " + std::to_string(x.grid_x) + "x" + std::to_string(x.grid_y) +
                              " cannot be cut into " + std::to_string(nodes) + " blocks");
    return least;
}

} // namespace

ExchangePattern exchange_pattern_of(const std::string &name) {
    constexpr std::array<std::string_view, 5> names = {"plain", "halo", "all-to-all", "gather", "scatter"};
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw ProjectionError("no pattern is called '" + name + "'");
    return static_cast<ExchangePattern>(found - names.begin());
}

NodeExchange PatternedExchange::on(std::int64_t nodes) const {
    NodeExchange exchange = plain;
    if (pattern == ExchangePattern::plain) return exchange;
    const auto n = static_cast<double>(nodes);
    const double field_B = static_cast<double>(grid_x) * static_cast<double>(grid_y) * point_B;
    exchange.in_B = exchange.out_B = exchange.messages = 0;
    if (nodes == 1) return exchange;
    exchange.messages = n - 1;
    switch (pattern) {
    case ExchangePattern::plain:
        break;
    case ExchangePattern::halo: {
        const Halo halo = halo_of(*this, nodes);
        exchange.in_B = exchange.out_B = halo.columns * point_B;
        exchange.messages = static_cast<double>(halo.messages);
        break;
    }
    case ExchangePattern::all_to_all:
        exchange.in_B = exchange.out_B = field_B * (n - 1) / (n * n);
        break;
    case ExchangePattern::gather:
        exchange.in_B = field_B * (n - 1) / n;
        break;
    case ExchangePattern::scatter:
        exchange.out_B = field_B * (n - 1) / n;
        break;
    }
    return exchange;
}

} // namespace cpl_lb
