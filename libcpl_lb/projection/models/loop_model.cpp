// The time of each loop, and of all nodes with their communication.
#include "projection/models/loop_model.hpp"

#include "projection/models/projection_error.hpp"

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

} // namespace cpl_lb
