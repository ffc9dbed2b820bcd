// Products of figures with intervals.
#include "analysis/carbon.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

bool has_interval(const GivenFigure &f) {
    return is_known(f.low) && is_known(f.high);
}

// A figure without an interval counts as exact; a product of two such has none.
GivenFigure product(const GivenFigure &a, const GivenFigure &b) {
    GivenFigure p{a.value * b.value};
    if (!is_known(p.value) || (!has_interval(a) && !has_interval(b))) return p;
    const auto width = [](const GivenFigure &f, double end) {
        return has_interval(f) && f.value > 0 ? (end - f.value) / f.value : 0;
    };
    p.low = p.value * (1 - std::hypot(width(a, a.low), width(b, b.low)));
    p.high = p.value * (1 + std::hypot(width(a, a.high), width(b, b.high)));
    return p;
}

} // namespace

CarbonFootprint carbon_footprint(const GivenFigure &energy_kWh, const GivenFigure &pue,
                                 const GivenFigure &emission_factor) {
    CarbonFootprint result;
    result.building_kWh = product(energy_kWh, pue);
    result.co2e_kg = product(result.building_kWh, emission_factor);
    const auto note = [&](const GivenFigure &f, const char *name) {
        if (has_interval(f)) return;
        result.without_interval += (result.without_interval.empty() ? "" : ", ") + std::string(name);
    };
    note(energy_kWh, "the energy");
    note(pue, "the PUE");
    note(emission_factor, "the emission factor");
    return result;
}

} // namespace cpl_lb
