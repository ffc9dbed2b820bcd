// Chooses the counts of the next run: the best ones by the curves, or those where the curves are least certain.
#include "prediction/tuning.hpp"

#include "prediction/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace cpl_lb {
namespace {

// Two standard errors cover 95 of 100 cases; a difference has the errors of two runs.
constexpr double errors_in_noise = 2;
const double of_difference = errors_in_noise * std::sqrt(2.0);
// Times of one count differ by this much, as a share, if nothing else is known of their scatter.
constexpr double least_scatter = 0.01;

double scatter_between(const ScalingSample &a, const ScalingSample &b) {
    const auto share = [](const ScalingSample &s) { return s.error_s > 0 ? s.error_s / s.seconds : 0; };
    return std::max(least_scatter, 2 * std::hypot(share(a), share(b)));
}

// Whether more cores never made it slower, and never faster than ideal scaling.
bool within_bounds(const ScalingCurve &curve) {
    const std::vector<ScalingSample> &s = curve.samples();
    for (std::size_t i = 1; i < s.size(); ++i) {
        const double scatter = scatter_between(s[i - 1], s[i]);
        const double faster = s[i - 1].seconds / s[i].seconds;
        if (faster < 1 - scatter || faster > (1 + scatter) * s[i].processes / s[i - 1].processes) return false;
    }
    return true;
}

// The least time that the measured ones allow if that continues, divided by the curve's time.
double least_by_bounds(const ScalingCurve &curve, double count) {
    double least = 0;
    for (const ScalingSample &s : curve.samples())
        least = std::max(least, s.processes >= count ? s.seconds : s.seconds * s.processes / count);
    return std::min(1.0, least / curve.seconds(count, CurveForm::measured));
}

// The least possible time with a count, divided by the curve's time.
double least_possible(const ScalingCurve &curve, double count, bool bounds_hold) {
    const double uncertainty = curve.uncertainty(count);
    const double by_curve = is_known(uncertainty) ? 1 / (1 + uncertainty) : 0;
    // One sample tells nothing else, whatever the other components did.
    if (!bounds_hold && is_known(uncertainty)) return by_curve;
    return std::max(by_curve, least_by_bounds(curve, count));
}

bool was_run(const std::vector<TunedRun> &runs, const std::vector<std::int64_t> &counts) {
    return std::ranges::any_of(runs, [&](const TunedRun &run) { return run.counts == counts; });
}

// A new split at which the curves are least certain. The most hopeful times are often far off, so the likely times
// are mixed in, as far as the split stays a new one.
std::vector<std::int64_t> where_to_learn(const BalanceProblem &likely, const BalanceProblem &hopeful,
                                         const std::vector<TunedRun> &runs, std::int64_t boxes) {
    BalanceProblem mixed = hopeful;
    std::vector<std::int64_t> counts;
    for (const double of_likely : {0.5, 0.25, 0.1, 0.0}) {
        mixed.computing_s = [&, of_likely](std::size_t c, std::int64_t n) {
            return of_likely * likely.computing_s(c, n) + (1 - of_likely) * hopeful.computing_s(c, n);
        };
        counts = balance(mixed, Objective::time, boxes).counts;
        if (!was_run(runs, counts)) break;
    }
    return counts;
}

} // namespace

std::size_t fastest(const std::vector<TunedRun> &runs) {
    const auto shorter = [](const TunedRun &a, const TunedRun &b) { return a.cycle_s < b.cycle_s; };
    return static_cast<std::size_t>(std::ranges::min_element(runs, shorter) - runs.begin());
}

double error_of_run(const std::vector<TunedRun> &runs, std::size_t best) {
    const double of_cycles = runs[best].error_s / runs[best].cycle_s;
    std::map<std::vector<std::int64_t>, std::vector<double>> repeated;
    for (const TunedRun &run : runs)
        repeated[run.counts].push_back(run.cycle_s);
    double squares = 0;
    std::size_t freedom = 0;
    for (const auto &[counts, seconds] : repeated) {
        const double middle = mean(seconds);
        for (const double s : seconds)
            squares += (s / middle - 1) * (s / middle - 1);
        freedom += seconds.size() - 1;
    }
    if (freedom == 0) return of_cycles;
    const double apart = std::sqrt(squares / static_cast<double>(freedom));
    return is_known(of_cycles) ? std::max(of_cycles, apart) : apart;
}

TuningStep tuning_step(const BalanceModel &model, const BalanceProblem &problem, const std::vector<TunedRun> &runs,
                       const TuningSettings &settings) {
    TuningStep step;
    step.best = fastest(runs);
    step.noise = of_difference * error_of_run(runs, step.best);
    step.scales_within_bounds = std::ranges::all_of(model.curves, within_bounds);
    const double measured_s = model.length_s(model.measured->graph->computing_s());
    BalanceProblem hopeful = problem;
    hopeful.computing_s = [&](std::size_t c, std::int64_t n) {
        const auto count = static_cast<double>(n);
        return problem.computing_s(c, n) * least_possible(model.curves[c], count, step.scales_within_bounds);
    };
    const BalanceAnswer possible = balance(hopeful, Objective::time, settings.boxes);
    step.left = std::max(0.0, 1 - possible.seconds * (1 - possible.gap) / measured_s);

    const BalanceAnswer likely = balance(problem, Objective::time, settings.boxes);
    const double noise = is_known(step.noise) ? step.noise : 0;
    const double promised = 1 - model.expected_s(likely.counts, CurveForm::measured) / model.measured->measured_s();
    step.to_learn = was_run(runs, likely.counts) || promised <= settings.enough;
    step.counts = step.to_learn ? where_to_learn(problem, hopeful, runs, settings.boxes) : likely.counts;
    if (step.left <= settings.enough)
        step.end = TuningEnd::small;
    else if ((step.left <= noise && promised <= noise / errors_in_noise) || was_run(runs, step.counts))
        step.end = TuningEnd::within_noise;
    else if (runs.size() >= settings.most_runs)
        step.end = TuningEnd::most_runs;
    if (step.end != TuningEnd::go_on) step.counts = runs[step.best].counts;
    const double to_expect = model.expected_s(step.counts, CurveForm::measured);
    step.expected_s = runs[step.best].cycle_s * to_expect / model.measured->measured_s();
    return step;
}

} // namespace cpl_lb
