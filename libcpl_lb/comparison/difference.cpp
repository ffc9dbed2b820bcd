// Combines the error of two means, within the runs and between them.
#include "comparison/difference.hpp"

#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

struct Error {
    double variance = unknown; // of the change
    double freedom = 1;

    [[nodiscard]] double half_width() const { return students_t(freedom) * std::sqrt(variance); }
};

double mean_of_runs(std::span<const StepValues> runs) {
    double sum = 0;
    for (const StepValues &run : runs)
        sum += mean_of(run);
    return sum / static_cast<double>(runs.size());
}

// The change is after / before - 1: to first order its error is that of after / before_mean - ratio * before /
// before_mean.
Error of_pairs(const StepValues &before, const StepValues &after, double mean, double ratio) {
    StepValues difference(before.size());
    std::transform(after.begin(), after.end(), before.begin(), difference.begin(),
                   [=](double a, double b) { return (a - ratio * b) / mean; });
    const MeanError e = error_of_mean(difference);
    return {e.standard_error * e.standard_error, e.freedom};
}

// Welch and Satterthwaite, for independent parts.
Error sum_of(const std::vector<Error> &parts) {
    Error sum{0, 0};
    double spread = 0;
    for (const Error &part : parts) {
        sum.variance += part.variance;
        spread += part.variance * part.variance / part.freedom;
    }
    sum.freedom = spread > 0 ? sum.variance * sum.variance / spread : 1e9;
    return sum;
}

Error within_runs(std::span<const StepValues> before, std::span<const StepValues> after, double mean, double ratio) {
    std::vector<Error> parts;
    const auto add = [&](std::span<const StepValues> runs, double scale) {
        const auto count = static_cast<double>(runs.size());
        for (const StepValues &run : runs) {
            const MeanError e = error_of_mean(run);
            const double error = scale * e.standard_error / count;
            parts.push_back({error * error, e.freedom});
        }
    };
    add(before, ratio / mean);
    add(after, 1 / mean);
    return sum_of(parts);
}

// Of the distances of the runs' means from the mean of their state, relative to it: added to `squares`.
double with_squares(std::span<const StepValues> runs, double squares) {
    const double mean = mean_of_runs(runs);
    for (const StepValues &run : runs)
        squares += std::pow(mean_of(run) / mean - 1, 2);
    return squares;
}

// From the spread of the runs, for both states together.
Error between_runs(std::span<const StepValues> before, std::span<const StepValues> after, double ratio) {
    double squares = 0, freedom = 0;
    for (const auto &runs : {before, after}) {
        squares = with_squares(runs, squares);
        freedom += static_cast<double>(runs.size()) - 1;
    }
    const double of_mean = 1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size());
    return {ratio * ratio * squares / freedom * of_mean, freedom};
}

// The same if the two states may vary differently: the error of each mean by itself. The state with fewer runs
// decides how well it is known: with two runs, Welch's degrees of freedom would hold the truth in only 91 of 100
// cases. Needs two runs of each state.
Error between_unlike_runs(std::span<const StepValues> before, std::span<const StepValues> after, double ratio) {
    Error sum{0, static_cast<double>(std::min(before.size(), after.size())) - 1};
    for (const auto &runs : {before, after}) {
        const auto count = static_cast<double>(runs.size());
        sum.variance += ratio * ratio * with_squares(runs, 0) / (count - 1) / count;
    }
    return sum;
}

bool all_have_values(std::span<const StepValues> runs) {
    return !runs.empty() && std::ranges::all_of(runs, [](const StepValues &run) {
        return !run.empty() && std::ranges::all_of(run, [](double v) { return std::isfinite(v); });
    });
}

bool enough_steps(std::span<const StepValues> runs) {
    return std::ranges::all_of(runs, [](const StepValues &run) { return run.size() >= fewest_values; });
}

} // namespace

Difference difference_of(std::span<const StepValues> before, std::span<const StepValues> after, bool same_steps,
                         bool disturbed) {
    Difference d;
    if (all_have_values(before)) d.before = mean_of_runs(before);
    if (all_have_values(after)) d.after = mean_of_runs(after);
    const auto without_interval = [&](const char *why) {
        d.why_no_interval = why;
        return d;
    };
    if (!is_known(d.before) || !is_known(d.after)) return without_interval("the figure before or after is not known");
    if (!(d.before > 0)) return without_interval("it was 0 before");
    const double ratio = d.after / d.before;
    d.change = ratio - 1;
    const bool repeated = before.size() > 1 || after.size() > 1;
    const bool long_enough = enough_steps(before) && enough_steps(after);
    if (!repeated && !long_enough) return without_interval(too_few_steps);
    if (disturbed && (before.size() < 2 || after.size() < 2))
        return without_interval("a run was disturbed, and a state has one run only");
    Error error;
    if (!repeated && same_steps && before[0].size() == after[0].size())
        error = of_pairs(before[0], after[0], d.before, ratio);
    else if (long_enough)
        error = within_runs(before, after, d.before, ratio);
    if (repeated) {
        const Error between =
            disturbed ? between_unlike_runs(before, after, ratio) : between_runs(before, after, ratio);
        if (!is_known(error.variance) || between.half_width() > error.half_width()) error = between;
    }
    d.low = std::max(-1.0, d.change - error.half_width()); // neither time nor speed is below 0
    d.high = d.change + error.half_width();
    return d;
}

} // namespace cpl_lb
