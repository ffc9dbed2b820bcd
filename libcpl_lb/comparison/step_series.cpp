// Takes the values of single steps, or of groups of equally many.
#include "comparison/step_series.hpp"

namespace cpl_lb {

StepSeries step_series(const Component &component) {
    StepSeries series;
    const ComponentBalance &b = component.balance;
    if (b.steps.empty() || !b.why_no_window.empty()) return series;
    series.steps_in_value = b.steps.front().steps;
    std::int64_t steps = 0;
    for (const Step &step : b.steps) {
        if (step.steps != series.steps_in_value) break; // the last group may be smaller
        const auto count = static_cast<double>(step.steps);
        series.length.push_back(step.length_s / count);
        series.computing.push_back(step.computing_s / count);
        series.waiting.push_back(step.waiting_s / count);
        if (b.has_dates) series.dates.push_back(step.date);
        steps += step.steps;
    }
    const std::int64_t before_last = steps - series.steps_in_value;
    if (b.has_dates && before_last > 0) {
        series.simulated_s =
            static_cast<double>(series.dates.back() - series.dates.front()) / static_cast<double>(before_last);
    }
    return series;
}

bool same_steps(const StepSeries &a, const StepSeries &b) {
    return a.length.size() == b.length.size() && a.steps_in_value == b.steps_in_value && a.dates == b.dates;
}

} // namespace cpl_lb
