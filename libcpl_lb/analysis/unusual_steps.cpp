// Tries every period, then looks at single values.
#include "analysis/unusual_steps.hpp"

#include "data/time.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t longest_rule = 64;        // steps
constexpr std::size_t least_of_rule = 5;        // values that a rule needs
constexpr std::size_t examined_for_rule = 4096; // a longer series shows its rule in its beginning
constexpr double deviation_of_median = 1.4826;  // standard deviation / median deviation, of a normal distribution

// The standard deviation around the values' own centres.
double deviation(std::vector<double> residuals) {
    for (double &r : residuals)
        r = std::abs(r);
    return deviation_of_median * median_of(residuals);
}

// The values at one phase of the period.
std::vector<double> at_phase(std::span<const double> values, std::size_t period, std::size_t phase) {
    std::vector<double> at;
    for (std::size_t i = phase; i < values.size(); i += period)
        if (is_known(values[i])) at.push_back(values[i]);
    return at;
}

struct Rule {
    std::size_t period = 0;
    std::vector<bool> heavy; // by phase
    double excess = 0;       // of all heavy values together
};

struct Phases {
    std::vector<double> median, low; // low: four of five values are above it
    std::vector<std::size_t> count;
    double deviation = 0; // of the values around the medians of their phases
};

Phases phases_of(std::span<const double> values, std::size_t period) {
    Phases phases;
    std::vector<double> residuals;
    for (std::size_t phase = 0; phase < period; ++phase) {
        std::vector<double> at = at_phase(values, period, phase);
        phases.count.push_back(at.size());
        const double median = median_of(at);
        phases.median.push_back(median);
        for (const double value : at)
            residuals.push_back(value - median);
        const std::size_t fifth = at.size() / 5;
        if (!at.empty()) std::nth_element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(fifth), at.end());
        phases.low.push_back(at.empty() ? unknown : at[fifth]);
    }
    phases.deviation = deviation(std::move(residuals));
    return phases;
}

// The larger of the medians two phases away. It keeps a slow rise and fall from counting as unusual steps.
double beside(const Phases &phases, std::size_t phase) {
    const std::size_t period = phases.median.size(), away = period >= 5 ? 2 : 1;
    return std::max(phases.median[(phase + away) % period], phases.median[(phase + period - away) % period]);
}

Rule rule_of(std::span<const double> values, std::size_t period) {
    const Phases phases = phases_of(values, period);
    std::vector<double> medians = phases.median;
    // Rounds down: of two phases the lower one is usual, because at most half of all phases are heavy.
    const auto low = medians.begin() + static_cast<std::ptrdiff_t>((period - 1) / 2);
    std::nth_element(medians.begin(), low, medians.end());
    const double usual = *low;
    Rule rule{period, std::vector<bool>(period), 0};
    std::size_t heavy = 0;
    for (std::size_t phase = 0; phase < period; ++phase) {
        const double excess = phases.median[phase] - usual;
        const auto count = static_cast<double>(phases.count[phase]);
        // A few values may stand out by chance, because many periods and phases are tried.
        const double least = phases.deviation * std::max(1.5, 12.0 / std::sqrt(count));
        const bool stands_out = phases.count[phase] >= least_of_rule && excess > least && excess > 0.5 * usual &&
                                phases.low[phase] > usual + 0.25 * excess &&
                                phases.median[phase] - beside(phases, phase) > 0.5 * excess;
        if (!stands_out) continue;
        rule.heavy[phase] = true;
        rule.excess += excess * count;
        ++heavy;
    }
    if (heavy > std::max<std::size_t>(1, period / 4)) return {};
    return rule;
}

// The shortest period that explains nearly as much as the best one.
Rule best_rule(std::span<const double> values) {
    const std::span<const double> examined = values.first(std::min(values.size(), examined_for_rule));
    std::vector<Rule> rules;
    double best = 0;
    for (std::size_t period = 2; period <= std::min(longest_rule, examined.size() / least_of_rule); ++period) {
        rules.push_back(rule_of(examined, period));
        best = std::max(best, rules.back().excess);
    }
    for (const Rule &rule : rules)
        if (rule.excess > 0 && rule.excess >= 0.9 * best) return rule;
    return {};
}

void mark_single(std::span<const double> values, std::vector<std::uint8_t> &is) {
    std::vector<double> usual;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is[i] == 0 && is_known(values[i])) usual.push_back(values[i]);
    if (usual.size() < least_of_rule) return;
    const double median = median_of(usual);
    std::vector<double> residuals;
    residuals.reserve(usual.size());
    for (const double value : usual)
        residuals.push_back(value - median);
    const double far = median + 8 * deviation(std::move(residuals));
    std::vector<std::size_t> single;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is[i] == 0 && values[i] > far && values[i] > 1.5 * median) single.push_back(i);
    if (single.size() * 10 > usual.size()) return;
    for (const std::size_t i : single)
        is[i] = 1;
}

} // namespace

bool UnusualSteps::any() const {
    return std::find(is.begin(), is.end(), 1) != is.end();
}

double median_of(std::vector<double> &values) {
    const auto known = std::remove_if(values.begin(), values.end(), [](double v) { return !is_known(v); });
    const auto count = known - values.begin();
    if (count == 0) return unknown;
    const auto middle = values.begin() + count / 2;
    std::nth_element(values.begin(), middle, known);
    if (count % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

UnusualSteps find_unusual(std::span<const double> values) {
    UnusualSteps found;
    found.is.assign(values.size(), 0);
    const Rule rule = best_rule(values);
    for (std::size_t i = 0; i < values.size() && rule.period > 0; ++i)
        found.is[i] = rule.heavy[i % rule.period] ? 1 : 0;
    found.every = static_cast<std::int64_t>(rule.period);
    // Two heavy phases in a period of 12 are "every 6th" on average.
    if (rule.period > 0) found.every /= std::count(rule.heavy.begin(), rule.heavy.end(), true);
    mark_single(values, found.is);
    return found;
}

} // namespace cpl_lb
