// Messages inside a component for random pairs of runs, and the figures of them that compare's sentences hold, by
// code that shares nothing with what writes them.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace cpl_lb::pairs {

using Runs = std::vector<CoupledRun>;
using simulator::Random;

inline const Component *find(const CoupledRun &run, const std::string &name) {
    for (const Component &c : run.components)
        if (c.name == name) return &c;
    return nullptr;
}

inline bool any_has(const Runs &runs, const std::string &name) {
    return std::any_of(runs.begin(), runs.end(), [&](const CoupledRun &run) { return find(run, name) != nullptr; });
}
inline bool all_have(const Runs &runs, const std::string &name) {
    return std::all_of(runs.begin(), runs.end(), [&](const CoupledRun &run) { return find(run, name) != nullptr; });
}

// MPI inside the ocean: of the runs of a state alike but for a few per cent. One of its processes may be late.
struct Traffic {
    double messages = 0, bytes = 0; // in a step, between its processes
    std::int32_t late = 0;
    double late_share = 0;
};

inline Traffic random_traffic(Random &random) {
    return {random.uniform(1, 6), random.log_uniform(100, 1e5), static_cast<std::int32_t>(random.whole(0, 1)),
            random.chance(0.4) ? 0 : random.uniform(0.01, 0.1)};
}

inline void add_traffic(CoupledRun &run, const Traffic &of_state, Random &random) {
    const auto ocean = std::find_if(run.components.begin(), run.components.end(),
                                    [](const Component &one) { return one.name == "ocean"; });
    if (ocean == run.components.end()) return;
    Component &c = *ocean;
    ComponentInside &inside = c.inside;
    const auto steps = static_cast<double>(c.balance.step_count);
    inside.length_s = c.balance.loop_s;
    inside.useful_s.add(0.9 * inside.length_s);
    inside.traffic.groups = traffic_groups(static_cast<std::int64_t>(c.ranks.size()));
    const auto count = [&](double of_step) {
        return static_cast<std::int64_t>(of_step * steps * random.uniform(0.97, 1.03));
    };
    inside.traffic.pairs = {{0, 0, count(of_state.messages), count(of_state.bytes), 0}};
    const double late_s = of_state.late_share * inside.length_s * static_cast<double>(c.ranks.size());
    inside.traffic.waited_for = {{of_state.late, 1, 20, late_s, late_s, late_s}, {5, 1, 20, 0, 0, 0.01 * late_s}};
}

// Messages, bytes or the share of the core time of each run; the latter is 0 if nobody is late.
inline std::vector<double> of_runs(const Runs &runs, const std::string &name, const std::string &what) {
    std::vector<double> values;
    for (const CoupledRun &run : runs) {
        const Component &c = *find(run, name);
        const InsideTraffic &traffic = c.inside.traffic;
        if (traffic.groups == 0) return {};
        const GroupPair &all = traffic.pairs.front();
        const double core_s = c.inside.length_s * static_cast<double>(c.ranks.size());
        const auto steps = static_cast<double>(c.balance.step_count);
        const double share = traffic.waited_for.front().in_loop_s / core_s;
        values.push_back(what == "late"       ? (share >= 0.02 ? share : 0)
                         : what == "messages" ? static_cast<double>(all.messages) / steps
                                              : static_cast<double>(all.bytes) / steps);
    }
    return values;
}

inline double mean(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

inline bool all_above(const std::vector<double> &these, const std::vector<double> &those) {
    return *std::min_element(these.begin(), these.end()) > *std::max_element(those.begin(), those.end());
}

inline bool is_other(const std::vector<double> &one, const std::vector<double> &other, double least) {
    if (one.empty() || other.empty()) return false;
    return (all_above(one, other) || all_above(other, one)) &&
           std::abs(mean(one) - mean(other)) >= std::max(least, 0.1 * mean(one));
}

} // namespace cpl_lb::pairs
