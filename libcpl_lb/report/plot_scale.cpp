// Scales of axes: the position of a value, and which values have labels.
#include "report/plot_parts.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace cpl_lb {
namespace {

void add_decades(AxisScale &scale, std::initializer_list<double> times) {
    scale.ticks.clear();
    for (int decade = static_cast<int>(std::floor(scale.first)); decade <= scale.last; ++decade) {
        for (const double each : times) {
            const double value = each * std::pow(10, decade), at = std::log10(value);
            if (at >= scale.first && at <= scale.last) scale.ticks.push_back(value);
        }
    }
}

void add_round_steps(AxisScale &scale) {
    const double least = std::pow(10, scale.first), most = std::pow(10, scale.last), step = round_step(most - least);
    scale.ticks.clear();
    for (double times = std::ceil(least / step); times * step <= most; ++times)
        scale.ticks.push_back(times * step);
}

} // namespace

double AxisScale::share(double value) const {
    return ((logarithmic ? std::log10(value) : value) - first) / (last - first);
}

AxisScale linear_scale(double least, double most) {
    AxisScale scale;
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
    if (least == most) most = 1;
    const double step = round_step(most - least);
    const auto first = static_cast<int>(std::floor(least / step + 1e-9)),
               last = static_cast<int>(std::ceil(most / step - 1e-9));
    scale.first = step * first;
    scale.last = step * last;
    for (int i = first; i <= last; ++i)
        scale.ticks.push_back(i * step);
    return scale;
}

AxisScale log_scale(double least, double most) {
    AxisScale scale;
    scale.logarithmic = true;
    scale.first = std::log10(least) - 0.06;
    scale.last = std::log10(most) + 0.06;
    if (scale.last - scale.first < 3)
        add_decades(scale, {1, 2, 5});
    else
        add_decades(scale, {1});
    if (scale.ticks.size() < 3) add_decades(scale, {1, 1.5, 2, 3, 5, 7});
    if (scale.ticks.size() < 3) add_round_steps(scale); // values close to each other
    return scale;
}

} // namespace cpl_lb
