// Quotients of useful time, computing time and loop.
#include "analysis/efficiency.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Timelines may be rounded; a loop that is not the one in which MPI was summed up says nothing.
constexpr double same_loop = 1e-3;

// Seconds of one process of a component, or of all cores of several.
struct Hours {
    double interval = 0, computing = 0, useful = 0;
};

double quotient(double part, double whole) {
    return whole > 0 ? part / whole : unknown;
}

double zero_if_unknown(double value) {
    return is_known(value) ? value : 0;
}

Hours hours_of(const Component &c) {
    const ComponentBalance &b = c.balance;
    const ComponentInside &inside = c.inside;
    Hours h{b.loop_s, b.computing_s, unknown};
    if (!has_loop(c)) {
        h.interval = inside.known() ? inside.length_s : unknown;
        h.computing = h.interval - zero_if_unknown(b.whole_waiting_s) - zero_if_unknown(b.whole_away_s);
    }
    const bool same =
        inside.of_whole_run == !has_loop(c) && std::abs(inside.length_s - h.interval) <= same_loop * h.interval;
    if (inside.known() && same) h.useful = inside.useful_s.mean();
    return h;
}

Efficiency efficiency_from(const Hours &h, bool coupled) {
    Efficiency e;
    e.inside = quotient(h.useful, h.computing);
    if (!coupled) return e;
    e.total = quotient(h.useful, h.interval);
    e.coupling = quotient(h.computing, h.interval);
    return e;
}

} // namespace

Efficiency efficiency_of(const Component &c) {
    const Hours h = hours_of(c);
    Efficiency e = efficiency_from(h, has_loop(c));
    if (!is_known(h.useful)) return e;
    e.load_balance = quotient(h.useful, c.inside.useful_s.max);
    e.communication = quotient(c.inside.useful_s.max, h.computing);
    return e;
}

Efficiency efficiency_of(const CoupledRun &run) {
    const bool coupled = std::any_of(run.components.begin(), run.components.end(), has_loop);
    Hours sum;
    for (const Component &c : run.components) {
        if (has_loop(c) != coupled) continue;
        const Hours h = hours_of(c);
        const auto cores = static_cast<double>(c.cores());
        sum.interval += h.interval * cores;
        sum.computing += h.computing * cores;
        sum.useful += h.useful * cores;
    }
    return efficiency_from(sum, coupled);
}

bool knows_inside(const CoupledRun &run) {
    return std::any_of(run.components.begin(), run.components.end(),
                       [](const Component &c) { return c.inside.known() || !c.inside.why_not.empty(); });
}

} // namespace cpl_lb
