// Time of a code as a sum of loops, each limited by its operations or by what it moves (ESCAPE D3.5, section 4.3),
// and of the messages between its nodes.
#pragma once

#include "data/time.hpp"
#include "projection/machine/machine.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {

// How much of the machine's rates a loop reaches: T_flop = 1 / (P U + S), T_mop = 1 / (L1 V + L2 X + L3 Y + DRAM Z).
struct LoopCoefficients {
    double u = unknown;      // NaN: the loop computes nothing
    double s_flop_per_s = 0; // constant of table 41; 0 in table 30
    double v = 0, x = 0, y = 0, z = 0;
};

// One loop's work in the whole run on one node.
struct CodeLoop {
    std::string name;
    double flop = unknown;    // W; NaN: it only moves data
    double moved_B = unknown; // Q; NaN: not known, only the operations count. Both NaN: its work is not known
    LoopCoefficients coefficients;
};

// A machine's rates at one clock and number of threads: P, and the bandwidths of L1, L2, L3, DRAM.
struct NodeRates {
    std::string machine;
    double flop_per_s = unknown;
    std::array<double, 4> B_per_s = {unknown, unknown, unknown, unknown};
    std::string why_no_flop_rate = {}; // if there is none; behind the word
    std::array<std::string, 4> why_no_bandwidth = {};
};
[[nodiscard]] NodeRates node_rates(const Machine &machine, MachineSetting at);

// T_flop and T_mop [s]. A level with coefficient 0 need not be known. They throw ProjectionError, which names the
// loop, where a rate is missing or comes out as zero.
[[nodiscard]] double seconds_per_flop(const CodeLoop &loop, const NodeRates &rates);
[[nodiscard]] double seconds_per_byte(const CodeLoop &loop, const NodeRates &rates);

struct LoopTime {
    double compute_s = 0, move_s = 0; // W T_flop, Q T_mop
    [[nodiscard]] double total_s() const { return compute_s > move_s ? compute_s : move_s; }
};
// `share` of the loop's work: 1 / n on each of n equal nodes.
[[nodiscard]] LoopTime loop_time(const CodeLoop &loop, const NodeRates &rates, double share);

// T_comm = T_single (Q_in + Q_out) iterations, of each node; with it the time that each message takes whatever its
// length, which the paper leaves out.
struct NodeExchange {
    double seconds_per_B = 0, in_B = 0, out_B = 0, iterations = 0;
    double latency_s = 0, messages = 0; // of one exchange
    [[nodiscard]] double seconds() const {
        return (seconds_per_B * (in_B + out_B) + latency_s * messages) * iterations;
    }
};

struct CodeTime {
    std::vector<LoopTime> loops; // of the slowest node
    double communication_s = 0;
    std::size_t slowest = 0; // node
    [[nodiscard]] double loops_s() const;
    [[nodiscard]] double total_s() const { return loops_s() + communication_s; }
};
// The work in equal shares over the nodes, which need not be alike; the run takes the time of the slowest. One node
// sends nothing.
[[nodiscard]] CodeTime code_time(const std::vector<CodeLoop> &loops, const std::vector<NodeRates> &nodes,
                                 const NodeExchange &exchange);

// The error of a model that lacks an input: one line that names the loop, the machine or the fact.
class ProjectionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// plain: the same bytes on each node, whatever their number.
enum class ExchangePattern : std::uint8_t { plain, halo, all_to_all, gather, scatter };
[[nodiscard]] ExchangePattern exchange_pattern_of(const std::string &name); // "all-to-all"

// A field of grid_x x grid_y columns, point_B bytes each (levels x variables x 8), in equal shares over n nodes:
//   halo: blocks of ceil(grid_x / px) x ceil(grid_y / py) with px py = n, such that least is sent; each edge that has
//   a
//     neighbour is `halo_width` columns deep, sent and received. The domain's own edges have none; corners are left
//     out.
//   all-to-all: each node sends to each other 1/n of its share (a transposition): (n - 1) / n^2 of the field out and
//   in. gather: one node receives the others' shares, (n - 1) / n of the field; scatter: it sends them.
struct PatternedExchange {
    ExchangePattern pattern = ExchangePattern::plain;
    NodeExchange plain;                       // with the times of a byte and of a message
    std::int64_t grid_x = 0, grid_y = 0;      // columns
    double point_B = unknown, halo_width = 1; // bytes of a column; columns

    // What the busiest of n nodes exchanges; zero for one node.
    [[nodiscard]] NodeExchange on(std::int64_t nodes) const;
};

// The coefficients U, V, X, Y, Z of a loop from measurements at several clocks and numbers of threads, by least
// squares with coefficients that must not be negative.

// One run of the loop: its work and how long it took.
struct LoopRun {
    MachineSetting at;
    double flop = unknown, moved_B = unknown; // W, Q; NaN: none, not known
    double seconds = unknown;
};

struct LoopFit {
    LoopCoefficients coefficients;
    // Half of the 95 % interval of each, S left out; NaN: not known.
    LoopCoefficients half_width{unknown, unknown, unknown, unknown, unknown, unknown};
    // For each run, predicted / measured time - 1: with the coefficients of all runs, and with those of all others
    // (hold-out). NaN if a run cannot be left out: where all are, nothing checks the fit.
    std::vector<double> error, left_out_error;
};

// Least squares with non-negative coefficients of the rates that were reached, M = W / T and R = Q / T, against the
// machine's (ESCAPE D3.5, section 4.3): P U = M and L1 V + L2 X + L3 Y + DRAM Z = R. A level that the machine knows
// at no setting, or does not have, gets no coefficient. Throws ProjectionError if a rate is missing at some
// setting, and where the runs cannot tell the coefficients of the levels apart.
[[nodiscard]] LoopFit fit_loop(const std::string &name, const std::vector<LoopRun> &runs, const Machine &machine);

// Linear least squares with coefficients that must not be negative, for at most a handful of unknowns, and how well
// they are known.
struct NonNegativeFit {
    std::vector<double> coefficients;
    double residual = 0; // root of the sum of the squares of what is left
    // Half of the 95 % interval of each coefficient: Student's t x standard error, by the scatter around the fit, of
    // the ordinary least squares in the coefficients above 0. NaN for one that the bound holds at 0, and for all
    // where there are not more values than coefficients above 0.
    std::vector<double> half_width;
};

// The x >= 0 that makes |rows x - values| least. All supports are tried: the optimum is the unconstrained solution on
// its own support (Lawson and Hanson 1974, chapter 23), and among supports with equal residuals the smallest is
// taken. rows: one vector of unknowns for each value; 1 to 8 unknowns. Throws std::invalid_argument for other shapes
// and for values that are not finite.
[[nodiscard]] NonNegativeFit non_negative_least_squares(const std::vector<std::vector<double>> &rows,
                                                        const std::vector<double> &values);

// How many of the unknowns the rows can tell apart: their rank. If it is less than the number of unknowns, infinitely
// many coefficients fit equally well, and the ones found mean nothing. It throws like the fit.
[[nodiscard]] std::size_t independent_unknowns(const std::vector<std::vector<double>> &rows);

} // namespace cpl_lb
