// A component whose processes come late for known reasons, and what each reason costs. It shares no code with
// the library: the parts are worked out from the reasons themselves (docs/definitions.md, section 2), never from
// arrivals.
#pragma once

#include "data/events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace cpl_lb::made {

using Matrix = std::vector<std::vector<double>>; // by step, then by process; s

struct Reasons {
    std::size_t processes = 2, steps = 100, nodes = 1; // processes of a node are neighbours
    double step_s = 1;                                 // of the earliest process
    double always_s = 0;                               // the largest of the processes' own delays
    double node_s = 0;                                 // of one node
    double moving_s = 0;                               // of a front that goes round the processes
    std::size_t period = 24;                           // steps of its way round
    double heavy_s = 0;                                // of one process in every heavy_every-th step
    std::size_t heavy_every = 12;
    double noise_s = 0; // standard deviation
    std::uint32_t seed = 1;
    std::int64_t date_step_s = 0; // 0: no dates
};

struct Delays {
    Matrix always, node, moving, heavy, noise;
};

inline std::size_t node_of(const Reasons &r, std::size_t process) {
    return process * r.nodes / r.processes;
}

inline Matrix filled(const Reasons &r, const std::function<double(std::size_t step, std::size_t process)> &delay) {
    Matrix m(r.steps, std::vector<double>(r.processes));
    for (std::size_t k = 0; k < r.steps; ++k)
        for (std::size_t p = 0; p < r.processes; ++p)
            m[k][p] = delay(k, p);
    return m;
}

inline Delays delays_of(const Reasons &r) {
    std::mt19937 random(r.seed);
    std::uniform_real_distribution<double> share(0, 1);
    std::normal_distribution<double> normal(0, 1);
    std::vector<double> own(r.processes);
    for (double &one : own)
        one = r.always_s * 0.6 * share(random);
    own[random() % r.processes] = r.always_s;
    const std::size_t slow_node = random() % r.nodes, heavy_process = random() % r.processes;
    constexpr double pi = 3.14159265358979323846;
    Delays d;
    d.always = filled(r, [&](std::size_t, std::size_t p) { return own[p]; });
    d.node = filled(r, [&](std::size_t, std::size_t p) { return node_of(r, p) == slow_node ? r.node_s : 0.0; });
    d.moving = filled(r, [&](std::size_t k, std::size_t p) {
        const double around = static_cast<double>(k % r.period) / static_cast<double>(r.period) -
                              static_cast<double>(p) / static_cast<double>(r.processes);
        return r.moving_s * 0.5 * (1 + std::cos(2 * pi * around));
    });
    d.heavy = filled(r, [&](std::size_t k, std::size_t p) {
        return p == heavy_process && k % r.heavy_every == 3 % r.heavy_every ? r.heavy_s : 0.0;
    });
    d.noise = filled(r, [&](std::size_t, std::size_t) { return r.noise_s * normal(random); });
    return d;
}

inline Matrix sum_of(std::initializer_list<const Matrix *> all) {
    Matrix sum = **all.begin();
    for (auto m = all.begin() + 1; m != all.end(); ++m) {
        for (std::size_t k = 0; k < sum.size(); ++k)
            for (std::size_t p = 0; p < sum[k].size(); ++p)
                sum[k][p] += (**m)[k][p];
    }
    return sum;
}

inline Matrix less(Matrix a, const Matrix &b) {
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t p = 0; p < a[k].size(); ++p)
            a[k][p] -= b[k][p];
    return a;
}

// What the latest costs in the steps 1 to the last but one: those in the loop.
inline double cost(const Matrix &delays) {
    double sum = 0;
    for (std::size_t k = 1; k + 1 < delays.size(); ++k)
        sum += *std::max_element(delays[k].begin(), delays[k].end()) -
               *std::min_element(delays[k].begin(), delays[k].end());
    return sum;
}

struct Truth {
    double nodes_s = 0, processes_s = 0, random_s = 0, loop_s = 0; // random_s: the rest
};

// Means over the steps; over the processes of each node, too, if one node is slow.
inline Matrix own_means(const Reasons &r, const Delays &d) {
    const Matrix lasting = sum_of({&d.always, &d.node, &d.moving});
    return filled(r, [&, mean = [&] {
                      std::vector<double> of(r.processes);
                      for (const auto &step : lasting)
                          for (std::size_t p = 0; p < r.processes; ++p)
                              of[p] += step[p] / static_cast<double>(r.steps);
                      return of;
                  }()](std::size_t, std::size_t p) { return mean[p]; });
}

inline Matrix node_means(const Reasons &r, const Matrix &means) {
    std::vector<double> sum(r.nodes), count(r.nodes);
    for (std::size_t p = 0; p < r.processes; ++p) {
        sum[node_of(r, p)] += means[0][p];
        count[node_of(r, p)] += 1;
    }
    return filled(r, [&](std::size_t, std::size_t p) { return sum[node_of(r, p)] / count[node_of(r, p)]; });
}

inline Truth truth_of(const Reasons &r, const Delays &d) {
    const Matrix all = sum_of({&d.always, &d.node, &d.moving, &d.heavy, &d.noise});
    const Matrix means = own_means(r, d);
    const double c0 = cost(all);
    const double c1 = r.node_s > 0 ? cost(less(all, node_means(r, means))) : c0;
    const bool lasting = r.always_s > 0 || r.node_s > 0;
    const double c2 = lasting ? cost(less(all, means)) : c0;
    Truth t{c0 - c1, c1 - c2, c2, 0};
    for (std::size_t k = 1; k + 1 < r.steps; ++k)
        t.loop_s += r.step_s + *std::max_element(all[k].begin(), all[k].end());
    return t;
}

struct Made {
    EventTable table;
    std::vector<Row> rows;
    std::vector<std::int32_t> nodes;
};

// In each step all compute, then PUT: they leave together when the last one has come.
inline Made component(const Reasons &r, const Delays &d) {
    const Matrix all = sum_of({&d.always, &d.node, &d.moving, &d.heavy, &d.noise});
    Made made;
    made.rows.resize(r.processes);
    std::vector<EventKey> keys;
    double now_s = 10;
    for (std::size_t k = 0; k < r.steps; ++k) {
        const double least = *std::min_element(all[k].begin(), all[k].end());
        double last_s = 0;
        EventSpan span;
        for (std::size_t p = 0; p < r.processes; ++p)
            last_s = std::max(last_s, now_s + r.step_s + all[k][p] - least);
        for (std::size_t p = 0; p < r.processes; ++p) {
            const Nanoseconds start = from_seconds(now_s + r.step_s + all[k][p] - least);
            made.rows[p].start.push_back(start);
            made.rows[p].stop.push_back(from_seconds(last_s + 1e-3));
            span.add(start, from_seconds(last_s + 1e-3));
        }
        made.table.spans.whole().push_back(span);
        const bool dated = r.date_step_s > 0;
        const auto n = static_cast<std::int64_t>(k);
        keys.push_back({Kind::put, 1, 2, dated ? n * r.date_step_s : no_date, dated ? 0 : n});
        now_s = last_s + 1e-3;
    }
    made.table.keys = EventKeys(keys);
    for (std::size_t p = 0; p < r.processes; ++p)
        made.nodes.push_back(static_cast<std::int32_t>(node_of(r, p)));
    return made;
}

} // namespace cpl_lb::made
