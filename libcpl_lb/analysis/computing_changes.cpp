// Folds the steps at each period to find a pattern, and cuts the rest into parts of constant level.

#include "analysis/change_points.hpp"

#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace cpl_lb {
namespace {

using Values = std::vector<double>;

constexpr double least_change = 0.1;   // of the larger level
constexpr double least_of_step = 0.02; // of a step's whole length: less has no effect that anybody would see
constexpr std::size_t most_parts = 8;

// Seconds of a single step.
struct StepSeconds {
    Values computing;
    double length = 0;          // mean
    bool in_logarithms = false; // the measure of the noise: all compute something
    [[nodiscard]] bool is_change(double a, double b) const {
        const double difference = std::abs(a - b);
        return difference >= least_change * std::max(a, b) && difference >= least_of_step * length;
    }
};

StepSeconds steps_of(const ComponentBalance &balance) {
    StepSeconds result;
    double all_s = 0, count = 0;
    for (const Step &step : balance.steps) {
        const auto steps = static_cast<double>(step.steps);
        result.computing.push_back(step.computing_s / steps);
        all_s += step.length_s;
        count += steps;
    }
    result.length = count > 0 ? all_s / count : 0;
    result.in_logarithms = std::ranges::all_of(result.computing, [](double v) { return v > 0; });
    return result;
}

// The mean of each phase. There are at least as many values as a period has.
Values folded(std::span<const double> values, std::size_t period) {
    const std::span<const double> first_period = values.first(period);
    Values means(first_period.begin(), first_period.end());
    for (std::size_t first = period; first < values.size(); first += period) {
        const std::size_t count = std::min(period, values.size() - first);
        for (std::size_t k = 0; k < count; ++k)
            means[k] += values[first + k];
    }
    const std::size_t whole = values.size() / period, rest = values.size() % period;
    for (std::size_t k = 0; k < period; ++k)
        means[k] /= static_cast<double>(whole + (k < rest ? 1 : 0));
    return means;
}

// Looks at one series with one period after the other.
class Periods {
public:
    explicit Periods(std::span<const double> values)
        : values_(values), sums_(values.size() + 1), flat_(values.size()) {
        for (std::size_t i = 0; i < values.size(); ++i)
            sums_[i + 1] = sums_[i] + values[i];
    }
    // Each value less the mean of the `period` values around it. This keeps a pattern of that period and removes
    // levels.
    const Values &without_levels(std::size_t period) {
        const auto length = static_cast<double>(period);
        const std::size_t half = period / 2, last = values_.size() - period;
        const auto mean_from = [&](std::size_t first) { return (sums_[first + period] - sums_[first]) / length; };
        for (std::size_t i = 0; i < half; ++i)
            flat_[i] = values_[i] - mean_from(0);
        for (std::size_t first = 0; first <= last; ++first)
            flat_[half + first] = values_[half + first] - mean_from(first);
        for (std::size_t i = half + last + 1; i < flat_.size(); ++i)
            flat_[i] = values_[i] - mean_from(last);
        return flat_;
    }
    // The share of the scatter that a pattern of this period explains, beyond what it does by chance.
    double explained(std::size_t period) {
        const Values phases = folded(without_levels(period), period);
        double all = 0, left = 0;
        for (std::size_t i = 0, k = 0; i < flat_.size(); ++i, k = k + 1 == period ? 0 : k + 1) {
            all += flat_[i] * flat_[i];
            left += (flat_[i] - phases[k]) * (flat_[i] - phases[k]);
        }
        const auto n = static_cast<double>(values_.size());
        return all > 0 ? 1 - left / (n - static_cast<double>(period)) / (all / (n - 1)) : 0;
    }

private:
    std::span<const double> values_;
    Values sums_; // of the values before each
    Values flat_;
};

// The shortest period that explains about as much as the best; 0: none explains most of the scatter.
std::size_t period_of(std::span<const double> values) {
    constexpr std::size_t fewest_values = 16, fewest_periods = 4, longest = 500, examined = 2000;
    constexpr double most_of_it = 0.7, as_much = 0.05;
    values = values.first(std::min(values.size(), examined));
    if (values.size() < fewest_values) return 0;
    Values by_period(std::min(values.size() / fewest_periods, longest) + 1);
    Periods periods(values);
    for (std::size_t period = 2; period < by_period.size(); ++period)
        by_period[period] = periods.explained(period);
    const double best = *std::ranges::max_element(by_period);
    if (best < most_of_it) return 0;
    for (std::size_t period = 2; period < by_period.size(); ++period)
        if (by_period[period] >= best - as_much) return period;
    return 0;
}

// Heavy phases lie above the middle between the largest and the least. A pattern has them in a row.
ComputingPattern pattern_of(const StepSeconds &steps, const Values &phases) {
    const auto [least, most] = std::ranges::minmax_element(phases);
    const double middle = (*least + *most) / 2;
    ComputingPattern pattern;
    std::size_t begins = 0;
    double heavy_s = 0, other_s = 0;
    for (std::size_t k = 0; k < phases.size(); ++k) {
        const bool heavy = phases[k] > middle;
        begins += heavy && phases[(k + phases.size() - 1) % phases.size()] <= middle ? 1 : 0;
        pattern.heavy_steps += heavy ? 1 : 0;
        (heavy ? heavy_s : other_s) += phases[k];
    }
    const auto count = static_cast<std::int64_t>(phases.size());
    pattern.heavy_s = heavy_s / static_cast<double>(pattern.heavy_steps);
    pattern.other_s = other_s / static_cast<double>(count - pattern.heavy_steps);
    // A small pattern, such as output now and then, goes on in any layout: it is not worth reporting.
    constexpr double least_pattern = 0.2;
    const bool matters = pattern.heavy_s - pattern.other_s >= least_pattern * pattern.heavy_s;
    if (begins == 1 && matters && steps.is_change(pattern.heavy_s, pattern.other_s)) pattern.period = count;
    return pattern;
}

// Converts to the measure of the noise, which is relative: logarithms, if all values are above 0.
Values as_noise(const StepSeconds &steps) {
    Values result = steps.computing;
    if (steps.in_logarithms)
        std::transform(result.begin(), result.end(), result.begin(), [](double v) { return std::log(v); });
    return result;
}

// Takes the pattern out of `noisy`, if there is one that matters.
ComputingPattern take_pattern(const StepSeconds &steps, Values &noisy) {
    const std::size_t period = period_of(noisy);
    if (period == 0) return {};
    const ComputingPattern pattern = pattern_of(steps, folded(steps.computing, period));
    if (pattern.period == 0) return {};
    const Values phases = folded(Periods(noisy).without_levels(period), period);
    for (std::size_t i = 0; i < noisy.size(); ++i)
        noisy[i] -= phases[i % period];
    return pattern;
}

// Places where a level begins; the first is 0.
using Places = std::vector<std::size_t>;

std::span<const double> part_of(const Values &values, const Places &begins, std::size_t i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : values.size();
    return std::span(values).subspan(begins[i], end - begins[i]);
}

// The error of a part's mean. A long part has its own noise, a short one uses that of the whole series.
double error_of_part(std::span<const double> part, const StepNoise &of_all) {
    constexpr std::size_t enough = 12;
    return (part.size() < enough ? of_all : StepNoise(part)).standard_error(part.size());
}

// One of ten values lies above it, or below it.
double tenth(std::span<const double> part, bool of_the_largest) {
    Values sorted(part.begin(), part.end());
    std::ranges::sort(sorted);
    return of_the_largest ? sorted[sorted.size() - 1 - sorted.size() / 10] : sorted[sorted.size() / 10];
}

// Whether nine of ten values of one part lie above nine of ten of the other, by a factor of two. No noise does that,
// however long it lasts. The values are logarithms. Needed because a busy machine may disturb short steps so much
// that the noise of their part tells nothing.
bool lie_apart(std::span<const double> one, std::span<const double> other) {
    constexpr std::size_t fewest = 8;
    if (std::min(one.size(), other.size()) < fewest) return false;
    return std::max(tenth(one, false) - tenth(other, true), tenth(other, false) - tenth(one, true)) >= std::log(2);
}

constexpr double sure_enough = 4.5; // standard errors: the places were chosen where the parts differ most

// By how many standard errors two parts differ; 0: by too little to matter.
struct Differences {
    const StepSeconds &steps;
    const Values &noisy;
    StepNoise noise{noisy};

    [[nodiscard]] double between(const Places &begins, std::size_t i, std::size_t k) const {
        const auto one = part_of(noisy, begins, i), other = part_of(noisy, begins, k);
        if (!steps.is_change(median_of(part_of(steps.computing, begins, i)),
                             median_of(part_of(steps.computing, begins, k))))
            return 0;
        if (steps.in_logarithms && lie_apart(one, other)) return HUGE_VAL;
        const double error = std::hypot(error_of_part(one, noise), error_of_part(other, noise));
        return std::abs(median_of(one) - median_of(other)) / error; // infinite without any noise
    }
};

// Joins parts that do not differ enough, the most similar first.
void join_alike(const Differences &differences, Places &begins) {
    while (begins.size() > 1) {
        std::size_t most_alike = 0;
        double least = HUGE_VAL;
        for (std::size_t i = begins.size() - 1; i > 0; --i) {
            const double by = differences.between(begins, i - 1, i);
            if (by > least) continue;
            least = by;
            most_alike = i;
        }
        if (least >= sure_enough && begins.size() <= most_parts) return;
        begins.erase(begins.begin() + static_cast<std::ptrdiff_t>(most_alike));
    }
}

constexpr std::size_t few_steps = 8; // a machine disturbs as many in a row

// Removes stalls: a few steps that differ from the parts around them, if these are alike, are no lasting change.
void leave_out_stalls(const Differences &differences, std::size_t steps, Places &begins) {
    constexpr std::size_t least_share = 10; // one of so many
    for (std::size_t i = 1; i + 1 < begins.size();) {
        const std::size_t length = begins[i + 1] - begins[i];
        const bool is_short = length < few_steps || length * least_share < steps;
        if (!is_short || differences.between(begins, i - 1, i + 1) >= sure_enough) {
            ++i;
            continue;
        }
        const auto at = begins.begin() + static_cast<std::ptrdiff_t>(i);
        begins.erase(at, at + 2);
        i = 1;
    }
}

// Whether each of a few steps lies beyond nine of ten of the others.
bool stand_out(std::span<const double> few, std::span<const double> others) {
    const auto [least, most] = std::ranges::minmax_element(few);
    return *least > tenth(others, true) || *most < tenth(others, false);
}

// Removes a few steps at the begin or the end that do not stand out.
void leave_out_short_ends(const Values &noisy, Places &begins) {
    const auto is_one = [&](std::size_t end, std::size_t beside) {
        const auto few = part_of(noisy, begins, end);
        return few.size() < few_steps && !stand_out(few, part_of(noisy, begins, beside));
    };
    while (begins.size() > 1 && is_one(0, 1))
        begins.erase(begins.begin() + 1);
    while (begins.size() > 1 && is_one(begins.size() - 1, begins.size() - 2))
        begins.pop_back();
}

// The one cut with the least sum of squares.
std::size_t best_cut(const Values &values) {
    double all = std::accumulate(values.begin(), values.end(), 0.0), before = 0, most = 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        before += values[i - 1];
        const auto n = static_cast<double>(i), m = static_cast<double>(values.size() - i);
        const double gain = before * before / n + (all - before) * (all - before) / m - all * all / (n + m);
        if (gain <= most) continue;
        most = gain;
        best = i;
    }
    return best;
}

// A long series is averaged over a few steps first, because the time to find the places grows with the square.
Places levels_of(const StepSeconds &steps, const Values &noisy) {
    constexpr std::size_t most_values = 512;
    const std::size_t group = (noisy.size() + most_values - 1) / most_values;
    Values means;
    for (std::size_t i = 0; i < noisy.size(); i += group)
        means.push_back(mean_of(std::span(noisy).subspan(i, std::min(group, noisy.size() - i))));
    Places begins = {0};
    for (const std::size_t at : change_points(means))
        begins.push_back(at * group);
    const std::size_t cut = best_cut(means) * group;
    const std::span<const double> all(noisy);
    if (begins.size() == 1 && steps.in_logarithms && lie_apart(all.first(cut), all.subspan(cut)))
        begins.push_back(cut);
    const Differences differences{steps, noisy};
    join_alike(differences, begins);
    leave_out_stalls(differences, noisy.size(), begins);
    leave_out_short_ends(noisy, begins);
    return begins;
}

void enter_parts(ComputingChange &change, const ComponentBalance &balance, const StepSeconds &steps,
                 const Places &begins) {
    if (begins.size() < 2) return;
    std::int64_t step = 1;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : balance.steps.size();
        ComputingPart part;
        part.first_step = step;
        for (std::size_t k = begins[i]; k < end; ++k)
            step += balance.steps[k].steps;
        part.last_step = step - 1;
        part.start_s = balance.steps[begins[i]].start_s;
        part.stop_s = balance.steps[end - 1].start_s + balance.steps[end - 1].length_s;
        part.computing_s = median_of(part_of(steps.computing, begins, i));
        change.parts.push_back(part);
    }
}

} // namespace

ComputingChange computing_change(const ComponentBalance &balance) {
    ComputingChange change;
    const StepSeconds steps = steps_of(balance);
    if (steps.computing.size() < 2 || !std::ranges::all_of(steps.computing, is_known)) return change;
    Values noisy = as_noise(steps);
    change.pattern = take_pattern(steps, noisy);
    const Places begins = levels_of(steps, noisy);
    enter_parts(change, balance, steps, begins);
    return change;
}

std::vector<ComputingChange> computing_changes(const CoupledRun &run) {
    std::vector<ComputingChange> of_components;
    of_components.reserve(run.components.size());
    for (const Component &component : run.components)
        of_components.push_back(computing_change(component.balance));
    return computing_changes(run, std::move(of_components));
}

std::vector<ComputingChange> computing_changes(const CoupledRun &run, std::vector<ComputingChange> of_components) {
    std::vector<ComputingChange> changes;
    for (std::size_t i = 0; i < of_components.size(); ++i) {
        ComputingChange &change = of_components[i];
        const bool left_out = run.components[i].balance.steps.empty(); // meanwhile
        if (left_out || (change.parts.empty() && change.pattern.period == 0)) continue;
        change.component = run.components[i].id;
        changes.push_back(std::move(change));
    }
    return changes;
}

} // namespace cpl_lb
