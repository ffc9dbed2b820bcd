// Picks S, T and the shoulder among measured points. Nothing is claimed between them.
#include "analysis/scaling_modes.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// Points where more cores make the model faster: one that is not faster than one with fewer cores is left out.
std::vector<std::size_t> rising(const std::vector<ScalingPoint> &points) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!kept.empty() && points[i].sypd <= points[kept.back()].sypd) continue;
        if (!kept.empty() && points[i].cores <= points[kept.back()].cores)
            kept.pop_back(); // the same cores, better used
        kept.push_back(i);
    }
    return kept;
}

// The point farthest above the straight line from the first to the last, both axes from 0 to 1 (Satopaa et al. 2011).
void enter_shoulder(ScalingModes &modes, const std::vector<ScalingPoint> &points) {
    constexpr double least_bend = 0.05, tie = 1e-9;
    const std::vector<std::size_t> rise = rising(points);
    if (rise.size() < 3) {
        modes.why_no_shoulder = "needs three numbers of cores, each faster than the one before";
        return;
    }
    const ScalingPoint &first = points[rise.front()], &last = points[rise.back()];
    double most = least_bend;
    for (const std::size_t i : rise) {
        const double bend = (points[i].sypd - first.sypd) / (last.sypd - first.sypd) -
                            (points[i].cores - first.cores) / (last.cores - first.cores);
        if (bend <= most + tie) continue; // of equal bends the one with fewer cores
        most = bend;
        modes.shoulder = i;
    }
    if (!modes.shoulder) modes.why_no_shoulder = "the speed grows in nearly a straight line up to the most cores";
}

} // namespace

std::vector<ScalingPoint> repetitions_as_one(const std::vector<ScalingPoint> &runs) {
    struct Sum {
        ScalingPoint of;
        double runs = 0, days = 0, chsy = 0; // days: of a simulated year
    };
    std::vector<Sum> sums;
    for (const ScalingPoint &run : runs) {
        auto same = std::find_if(sums.begin(), sums.end(), [&](const Sum &s) {
            return s.of.name == run.name && !(s.of.cores < run.cores) && !(s.of.cores > run.cores);
        });
        if (same == sums.end()) same = sums.insert(sums.end(), Sum{run});
        same->runs += 1;
        same->days += 1 / run.sypd;
        same->chsy += run.chsy;
    }
    std::vector<ScalingPoint> points;
    points.reserve(sums.size());
    for (const Sum &s : sums)
        points.push_back({s.of.name, s.of.cores, s.runs / s.days, s.chsy / s.runs});
    std::stable_sort(points.begin(), points.end(),
                     [](const ScalingPoint &a, const ScalingPoint &b) { return a.cores < b.cores; });
    return points;
}

ScalingModes scaling_modes(const std::vector<ScalingPoint> &points, double wanted_sypd) {
    ScalingModes modes;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ScalingPoint &p = points[i], &s = points[modes.speed];
        if (p.sypd > s.sypd || (p.sypd >= s.sypd && p.chsy < s.chsy)) modes.speed = i;
        if (p.chsy < points[modes.cheapest].chsy) modes.cheapest = i;
        if (p.sypd >= wanted_sypd && (!modes.cheapest_enough || p.chsy < points[*modes.cheapest_enough].chsy))
            modes.cheapest_enough = i;
    }
    enter_shoulder(modes, points);
    return modes;
}

} // namespace cpl_lb
