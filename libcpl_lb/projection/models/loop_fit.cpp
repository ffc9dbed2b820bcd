// Fits the coefficients of a loop to measured times and refuses rows that cannot tell them apart.
#include "projection/models/loop_fit.hpp"

#include "projection/models/least_squares.hpp"
#include "projection/models/projection_error.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

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
        const auto known = std::count_if(runs.begin(), runs.end(),
                                         [level](const RatedRun &r) { return is_known(r.rates.B_per_s[level]); });
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
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
                 [](const RatedRun &r) { return is_known(r.run.moved_B); });
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

} // namespace cpl_lb
