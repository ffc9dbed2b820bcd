// The time of each loop, and of all nodes with their communication. Fits the coefficients of a loop to measured
// times, and refuses rows that cannot tell them apart. Least squares by Eigen.
#include "projection/models/loop_model.hpp"

#include "analysis/mean_error.hpp"
#include "data/time.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::array<const char *, 4> level_names = {"L1", "L2", "L3", "DRAM"};

[[noreturn]] void cannot(const CodeLoop &loop, const std::string &what) {
    throw ProjectionError("loop " + loop.name + ": " + what);
}

// The coefficients of L1, L2, L3 and DRAM.
constexpr std::array<double LoopCoefficients::*, 4> places = {&LoopCoefficients::v, &LoopCoefficients::x,
                                                              &LoopCoefficients::y, &LoopCoefficients::z};

struct RatedRun {
    LoopRun run;
    NodeRates rates;
};

// Levels whose bandwidth is known for every run; one that is known for some only would bend the fit.
std::vector<std::size_t> levels_of(const std::string &name, const std::vector<RatedRun> &runs) {
    std::vector<std::size_t> levels;
    for (std::size_t level = 0; level < 4; ++level) {
        const auto known =
            std::ranges::count_if(runs, [level](const RatedRun &r) { return is_known(r.rates.B_per_s[level]); });
        if (known == static_cast<std::ptrdiff_t>(runs.size()))
            levels.push_back(level);
        else if (known > 0)
            throw ProjectionError("loop " + name + ": " + runs.front().rates.machine +
                                  " lacks a bandwidth at some of the clocks and threads that were measured");
    }
    if (levels.empty())
        throw ProjectionError("loop " + name + ": " + runs.front().rates.machine +
                              " has no bandwidth at the clocks and threads that were measured");
    return levels;
}

void fit_compute(const std::string &name, const std::vector<RatedRun> &runs, LoopFit &fit) {
    std::vector<std::vector<double>> rows;
    std::vector<double> reached;
    for (const RatedRun &r : runs) {
        if (!is_known(r.run.flop)) continue;
        if (!is_known(r.rates.flop_per_s))
            throw ProjectionError("loop " + name + ": " + r.rates.machine +
                                  " has no flop rate at the clocks and threads that were measured");
        rows.push_back({r.rates.flop_per_s});
        reached.push_back(r.run.flop / r.run.seconds);
    }
    if (rows.empty()) return;
    const NonNegativeFit found = non_negative_least_squares(rows, reached);
    fit.coefficients.u = found.coefficients[0];
    fit.half_width.u = found.half_width[0];
}

void fit_movement(const std::string &name, const std::vector<RatedRun> &all, LoopFit &fit) {
    std::vector<RatedRun> runs;
    std::ranges::copy_if(all, std::back_inserter(runs), [](const RatedRun &r) { return is_known(r.run.moved_B); });
    if (runs.empty()) return;
    const std::vector<std::size_t> levels = levels_of(name, runs);
    std::vector<std::vector<double>> rows;
    std::vector<double> reached;
    for (const RatedRun &r : runs) {
        rows.emplace_back();
        for (const std::size_t level : levels)
            rows.back().push_back(r.rates.B_per_s[level]);
        reached.push_back(r.run.moved_B / r.run.seconds);
    }
    if (independent_unknowns(rows) < levels.size()) {
        throw ProjectionError(fmt::format(
            "loop {}: {} with bytes cannot tell the coefficients of {}'s {} apart: it takes at least {} at "
            "different clocks and numbers of threads, or a machine file with fewer levels",
            name, counted(runs.size(), "run"), runs.front().rates.machine, counted(levels.size(), "level"),
            levels.size()));
    }
    const NonNegativeFit found = non_negative_least_squares(rows, reached);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        fit.coefficients.*places[levels[i]] = found.coefficients[i];
        fit.half_width.*places[levels[i]] = found.half_width[i];
    }
}

LoopFit coefficients_of(const std::string &name, const std::vector<RatedRun> &runs) {
    LoopFit fit;
    fit_compute(name, runs, fit);
    fit_movement(name, runs, fit);
    return fit;
}

double error_of(const std::string &name, const RatedRun &r, const LoopCoefficients &c) {
    const CodeLoop loop{name, r.run.flop, r.run.moved_B, c};
    return loop_time(loop, r.rates, 1).total_s() / r.run.seconds - 1;
}

double left_out_error(const std::string &name, const std::vector<RatedRun> &runs, std::size_t out) {
    std::vector<RatedRun> others = runs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    if (others.empty()) return unknown;
    try {
        return error_of(name, runs[out], coefficients_of(name, others).coefficients);
    } catch (const ProjectionError &) {
        return unknown; // the only run that tells of one of the rates
    }
}

} // namespace

NodeRates node_rates(const Machine &machine, MachineSetting at) {
    NodeRates rates;
    rates.machine = machine.name;
    rates.flop_per_s = flop_rate_of(machine, at);
    if (!is_known(rates.flop_per_s)) rates.why_no_flop_rate = why_no_flop_rate(machine, at);
    for (std::size_t level = 0; level < level_names.size(); ++level) {
        rates.B_per_s[level] = bandwidth_of(machine, level_names[level], at);
        if (!is_known(rates.B_per_s[level]))
            rates.why_no_bandwidth[level] = why_no_bandwidth(machine, level_names[level], at);
    }
    return rates;
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
    double reached = 0;
    for (std::size_t level = 0; level < level_names.size(); ++level) {
        const double share = loop.coefficients.*places[level];
        if (share == 0) continue;
        if (!is_known(rates.B_per_s[level]))
            cannot(loop,
                   rates.machine + " has no bandwidth of " + level_names[level] + rates.why_no_bandwidth[level]);
        reached += share * rates.B_per_s[level];
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

LoopFit fit_loop(const std::string &name, const std::vector<LoopRun> &runs, const Machine &machine) {
    std::vector<RatedRun> rated;
    rated.reserve(runs.size());
    for (const LoopRun &run : runs)
        rated.push_back({run, node_rates(machine, run.at)});
    LoopFit fit = coefficients_of(name, rated);
    for (std::size_t r = 0; r < rated.size(); ++r) {
        fit.error.push_back(error_of(name, rated[r], fit.coefficients));
        fit.left_out_error.push_back(left_out_error(name, rated, r));
    }
    return fit;
}

namespace {

constexpr std::size_t most_unknowns = 8;
// As a share of the values' size: smaller differences of residuals are rounding.
constexpr double rounding = 1e-12;

struct Problem {
    Eigen::MatrixXd matrix; // columns of length 1, so that units do not matter
    Eigen::VectorXd values, lengths;
};

Problem problem_of(const std::vector<std::vector<double>> &rows, const std::vector<double> &values) {
    const std::size_t unknowns = rows.empty() ? 0 : rows.front().size();
    if (unknowns == 0 || unknowns > most_unknowns || rows.size() != values.size())
        throw std::invalid_argument("least squares: rows and values do not fit together");
    Problem p{{static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(unknowns)},
              Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size())),
              {}};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].size() != unknowns) throw std::invalid_argument("least squares: rows of different lengths");
        p.matrix.row(static_cast<Eigen::Index>(r)) =
            Eigen::RowVectorXd::Map(rows[r].data(), static_cast<Eigen::Index>(unknowns));
    }
    if (!p.matrix.allFinite() || !p.values.allFinite())
        throw std::invalid_argument("least squares: a value is not finite");
    p.lengths = p.matrix.colwise().norm();
    for (Eigen::Index c = 0; c < p.matrix.cols(); ++c)
        if (p.lengths[c] > 0) p.matrix.col(c) /= p.lengths[c];
    return p;
}

// The least squares on the columns in `support`; false if they are dependent or a coefficient is negative.
bool solve_on(const Problem &p, unsigned support, Eigen::VectorXd &coefficients) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index c = 0; c < p.matrix.cols(); ++c)
        if ((support >> static_cast<unsigned>(c) & 1U) != 0) used.push_back(c);
    const Eigen::MatrixXd part = p.matrix(Eigen::all, used);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(part);
    if (qr.rank() < part.cols()) return false;
    const Eigen::VectorXd x = qr.solve(p.values);
    if (x.minCoeff() < 0) return false;
    coefficients = Eigen::VectorXd::Zero(p.matrix.cols());
    coefficients(used) = x;
    return true;
}

// Half widths of the coefficients above 0, unknown for others; the columns have length 1, as in `p`.
Eigen::VectorXd half_widths(const Problem &p, const Eigen::VectorXd &coefficients, double residual) {
    Eigen::VectorXd widths = Eigen::VectorXd::Constant(coefficients.size(), unknown);
    std::vector<Eigen::Index> used;
    for (Eigen::Index c = 0; c < coefficients.size(); ++c)
        if (coefficients[c] > 0) used.push_back(c);
    const Eigen::Index freedom = p.matrix.rows() - static_cast<Eigen::Index>(used.size());
    if (used.empty() || freedom < 1) return widths;
    const Eigen::MatrixXd part = p.matrix(Eigen::all, used);
    const Eigen::VectorXd variances = (part.transpose() * part).inverse().diagonal();
    const double scatter = residual / std::sqrt(static_cast<double>(freedom));
    const double t = students_t(static_cast<double>(freedom));
    widths(used) = t * scatter * variances.cwiseSqrt();
    return widths;
}

} // namespace

NonNegativeFit non_negative_least_squares(const std::vector<std::vector<double>> &rows,
                                          const std::vector<double> &values) {
    const Problem p = problem_of(rows, values);
    Eigen::VectorXd best = Eigen::VectorXd::Zero(p.matrix.cols());
    double residual = p.values.norm();
    int size = 0;
    const double equal = rounding * residual;
    for (unsigned support = 1; support < 1U << static_cast<unsigned>(p.matrix.cols()); ++support) {
        Eigen::VectorXd x;
        if (!solve_on(p, support, x)) continue;
        const double left = (p.matrix * x - p.values).norm();
        const int its_size = std::popcount(support);
        if (left > residual + equal || (left > residual - equal && its_size >= size)) continue;
        best = x;
        residual = left;
        size = its_size;
    }
    NonNegativeFit fit;
    fit.residual = residual;
    const Eigen::VectorXd widths = half_widths(p, best, residual);
    for (Eigen::Index c = 0; c < best.size(); ++c) {
        fit.coefficients.push_back(p.lengths[c] > 0 ? best[c] / p.lengths[c] : 0.0);
        fit.half_width.push_back(widths[c] / p.lengths[c]);
    }
    return fit;
}

std::size_t independent_unknowns(const std::vector<std::vector<double>> &rows) {
    const Problem p = problem_of(rows, std::vector<double>(rows.size(), 0.0));
    return static_cast<std::size_t>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(p.matrix).rank());
}

} // namespace cpl_lb
