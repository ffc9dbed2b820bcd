// The benchmark of section VI of Kim, Larson and Chiu: a day of five constituents, as a graph.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/measured_interval.hpp"
#include "prediction/optimiser.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace cpl_lb::test {

enum Place : std::size_t { cpl, atm, ocn, land, ice };

// a p^-b + c [s]: a fit to the 14 points of Table I and figures 5 to 7, because the paper's own curves are not
// published.
struct BenchmarkCurve {
    double a, b, c;
};
inline constexpr std::array<BenchmarkCurve, 5> benchmark_curves = {{{84.61648820, 0.83154054, 0.00186002},
                                                                    {1212.00404825, 1.09726076, 0.00417084},
                                                                    {1424.06770730, 1.09947562, 10.06757387},
                                                                    {26.35058991, 0.63329776, 0.01363212},
                                                                    {276.70948060, 1.00614830, 0.00101926}}};

inline double benchmark_seconds(std::size_t constituent, double processes) {
    const BenchmarkCurve &curve = benchmark_curves[constituent];
    return curve.a * std::pow(processes, -curve.b) + curve.c;
}

// Each constituent computes 1 s in the day: a factor is its computing time.
// cpl, each hour: send to land and ice together, 60 %, receive from both together, send to atm, 20 %, receive from
// atm, 20 %. The others, each hour: 20 %, receive from cpl, 60 %, send to cpl, 20 %; ocn the same once a day.
inline CouplingGraph benchmark_day() {
    std::vector<Constituent> day(5);
    std::array<double, 5> pending{};
    const std::array<const char *, 5> names = {"cpl", "atm", "ocn", "land", "ice"};
    for (std::size_t i = 0; i < names.size(); ++i)
        day[i].name = names[i];
    const auto meet = [&](const std::vector<std::size_t> &partners) {
        SyncPoint hub{pending[cpl], {}};
        pending[cpl] = 0;
        for (const std::size_t i : partners) {
            hub.waits_for.push_back({i, day[i].points.size()});
            day[i].points.push_back({pending[i], {{cpl, day[cpl].points.size()}}});
            pending[i] = 0;
        }
        day[cpl].points.push_back(hub);
    };
    const double hour = 1. / 24;
    pending[ocn] += 0.2;
    meet({ocn});
    pending[ocn] += 0.6;
    for (int h = 0; h < 24; ++h) {
        for (const std::size_t i : {land, ice, atm})
            pending[i] += 0.2 * hour;
        meet({land, ice});
        pending[cpl] += 0.6 * hour;
        for (const std::size_t i : {land, ice})
            pending[i] += 0.6 * hour;
        meet({land, ice});
        meet({atm});
        pending[cpl] += 0.2 * hour;
        pending[atm] += 0.6 * hour;
        meet({atm});
        pending[cpl] += 0.2 * hour;
        for (const std::size_t i : {land, ice, atm})
            pending[i] += 0.2 * hour;
    }
    meet({ocn});
    pending[ocn] += 0.2;
    for (std::size_t i = 0; i < day.size(); ++i)
        day[i].last_s = pending[i];
    return CouplingGraph(day);
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

} // namespace cpl_lb::test
