// A run of members of one ensemble as a literal: member m computes delay(step, m) longer than step_s in each step,
// then all receive from one component (an assimilation) and leave together when the last one has come.
#pragma once

#include "data/coupled_run.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct MadeMembers {
    std::size_t members = 8, steps = 50;
    double step_s = 1;
    std::int32_t processes = 4; // of a member
    std::function<double(std::size_t step, std::size_t member)> delay = [](std::size_t, std::size_t) { return 0.0; };
    std::function<std::size_t(std::size_t member)> steps_of = {}; // where they differ
    bool meet = true; // else they receive nothing, and send to the assimilation
    std::string name = "atmosphere";
};

inline constexpr double leaving_s = 0.001; // after the last one has come

inline std::string member_name(const std::string &name, std::size_t member) {
    std::string text(8, ' ');
    text.resize(
        static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "_%02d", static_cast<int>(member + 1))));
    return name + text;
}

inline void add_event(Component &c, Kind kind, std::int32_t counterpart, std::int64_t n, double start_s,
                      double stop_s) {
    EventSpan span;
    span.add(from_seconds(start_s), from_seconds(stop_s));
    c.table.spans.push_back(span);
    c.table.keys.push_back({kind, 1, counterpart, no_date, n});
}

// Components 1 to `members`, then the assimilation.
inline CoupledRun members_run(const MadeMembers &made) {
    CoupledRun run;
    run.field_names = {"state"};
    const auto hub = static_cast<std::int32_t>(made.members + 1);
    std::vector<double> now(made.members), end(made.members);
    for (std::size_t m = 0; m < made.members; ++m) {
        Component &c = run.components.emplace_back();
        c.name = member_name(made.name, m);
        c.id = static_cast<std::int32_t>(m + 1);
        c.ranks.resize(static_cast<std::size_t>(made.processes));
        std::iota(c.ranks.begin(), c.ranks.end(), static_cast<std::int32_t>(m) * made.processes);
        run.component_names.push_back(c.name);
    }
    for (std::size_t k = 0; k < made.steps; ++k) {
        double last = 0;
        std::vector<double> arrival(made.members);
        for (std::size_t m = 0; m < made.members; ++m) {
            if (made.steps_of && k >= made.steps_of(m)) continue;
            arrival[m] = now[m] + made.step_s + made.delay(k, m);
            last = std::max(last, arrival[m]);
        }
        for (std::size_t m = 0; m < made.members; ++m) {
            if (made.steps_of && k >= made.steps_of(m)) continue;
            Component &c = run.components[m];
            const double leaves = (made.meet ? last : arrival[m]) + leaving_s;
            add_event(c, made.meet ? Kind::get : Kind::put, hub, static_cast<std::int64_t>(k), arrival[m], leaves);
            Step step;
            step.start_s = now[m];
            step.computing_s = made.step_s + made.delay(k, m);
            step.waiting_s = leaves - arrival[m];
            step.length_s = leaves - now[m];
            c.balance.steps.push_back(step);
            now[m] = leaves;
        }
    }
    for (std::size_t m = 0; m < made.members; ++m) {
        Component &c = run.components[m];
        ComponentBalance &b = c.balance;
        b.step_count = static_cast<std::int64_t>(b.steps.size());
        b.computing_s = b.waiting_s = 0;
        for (const Step &step : b.steps) {
            b.computing_s += step.computing_s;
            b.waiting_s += step.waiting_s;
        }
        b.loop_s = b.computing_s + b.waiting_s;
        b.coupling_cost = b.waiting_s / b.loop_s;
        b.startup.length_s = 2;
        b.waiting_for = {{hub, b.waiting_s, 0}};
        c.last_terminate = from_seconds(now[m]);
    }
    Component &assimilation = run.components.emplace_back();
    assimilation.name = "assimilation";
    assimilation.id = hub;
    assimilation.ranks = {static_cast<std::int32_t>(made.members) * made.processes};
    assimilation.last_terminate = from_seconds(*std::max_element(now.begin(), now.end()));
    run.component_names.emplace_back("assimilation");
    run.clock.error_bound_s = 1e-6;
    run.run.wall_s = to_seconds(assimilation.last_terminate);
    return run;
}

} // namespace cpl_lb::test
