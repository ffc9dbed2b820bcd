// The benchmark of section VI of Kim, Larson and Chiu: a day of five constituents, as a graph.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/managed_run.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/run_time_manager.hpp"

#include <string>
#include <vector>

namespace cpl_lb::test {

using kim::atm;
using kim::cpl;
using kim::ice;
using kim::land;
using kim::ocn;
using kim::Place;

inline double benchmark_seconds(std::size_t constituent, double processes) {
    return kim::day_seconds(constituent, processes);
}

inline CouplingGraph benchmark_day() {
    return kim::day();
}

inline std::vector<double> benchmark_times(const std::vector<std::int64_t> &counts) {
    std::vector<double> s;
    for (std::size_t c = 0; c < counts.size(); ++c)
        s.push_back(benchmark_seconds(c, static_cast<double>(counts[c])));
    return s;
}

// All counts allowed; tau(p) from the true curves.
inline BalanceProblem benchmark_problem(const CouplingGraph &day, std::int64_t total) {
    const IterationModel model = iteration_model(day);
    BalanceProblem problem;
    for (const std::string &name : day.names())
        problem.allowed.push_back(multiples(name, 1, total, 1));
    problem.total = total;
    problem.computing_s = [](std::size_t c, std::int64_t n) { return benchmark_seconds(c, static_cast<double>(n)); };
    problem.length_s = model.length_s;
    problem.path_shares = model.path_shares;
    return problem;
}

// The same as a run-time manager meets it.
inline ManagedModel benchmark_model(const CouplingGraph &day, std::int64_t total) {
    const BalanceProblem problem = benchmark_problem(day, total);
    return {problem.allowed, total, problem.computing_s, iteration_model(day), {}};
}

inline ProcessCounts counts_of(const kim::PrintedStart &start) {
    return {start.counts.begin(), start.counts.end()};
}

} // namespace cpl_lb::test
