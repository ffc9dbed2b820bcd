// Makes one sample of a scaling curve for each component of a measured run.
#include "prediction/curve_samples.hpp"

#include "analysis/change_points.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace cpl_lb {

void add_samples(SamplesByComponent &samples, const MeasuredGraph &measured) {
    const CouplingGraph &graph = *measured.graph;
    const std::vector<double> &cycles = measured.cycle.measured_s;
    const double scatter = share_of_error(cycles);
    for (std::size_t c = 0; c < graph.components(); ++c) {
        const double seconds = cycles.empty() ? graph.computing_s()[c] : measured.cycle.computing_s[c];
        samples[graph.names()[c]].push_back(
            {static_cast<double>(measured.processes[c]), seconds, seconds * scatter, measured.threads[c]});
    }
}

std::string cycle_in_words(const CoupledRun &run, const MeasuredGraph &measured) {
    std::string words;
    const std::vector<std::int64_t> &times = measured.cycle.exchanges;
    for (std::size_t e = 0; e < times.size(); ++e) {
        const auto field = static_cast<std::size_t>(measured.exchanges[e].exchange.field) - 1;
        const std::string name = field < run.field_names.size() ? run.field_names[field] : "field";
        words += (words.empty() ? "" : ", ") + std::to_string(times[e]) + " " + name;
    }
    return words;
}

void check_cycle(const std::string &of_first, const CoupledRun &run, const MeasuredGraph &measured) {
    const std::string words = cycle_in_words(run, measured);
    if (words == of_first) return;
    std::string counts;
    for (std::size_t c = 0; c < measured.processes.size(); ++c)
        counts += (c == 0 ? "" : ", ") + std::to_string(measured.processes[c]) + " " + run.components[c].name;
    throw PredictionError("the run with " + counts + " cores has " +
                          (words.empty() ? "no coupling cycle (" + measured.why_no_cycle + ")"
                                         : "another coupling cycle (" + words + ")") +
                          ", unlike the first (" + (of_first.empty() ? "none" : of_first) + ")");
}

namespace {

// A time of 0 tells how a component scales only if it is 0 in all runs.
std::vector<ScalingSample> without_zeros(const std::string &name, std::vector<ScalingSample> samples) {
    for (const ScalingSample &s : samples)
        if (!(s.seconds >= 0)) throw PredictionError(name + ": its computing time in the coupling loop is not known");
    const auto is_zero = [](const ScalingSample &s) { return s.seconds <= 0; };
    if (!std::ranges::all_of(samples, is_zero)) {
        std::erase_if(samples, is_zero);
        return samples;
    }
    for (ScalingSample &s : samples)
        s = {s.processes, idle_s};
    return samples;
}

// The samples with these threads, or all if threads differ; `unsaid`: also those that do not give their threads.
std::vector<ScalingSample> with_threads(const std::vector<ScalingSample> &samples, std::int64_t threads,
                                        bool unsaid) {
    if (threads <= 0) return samples;
    std::vector<ScalingSample> some;
    for (const ScalingSample &s : samples)
        if (s.threads == threads || (unsaid && s.threads == 0)) some.push_back(s);
    return some;
}

std::vector<CurveOfThreads> other_curves(const std::string &name, const std::vector<ScalingSample> &samples,
                                         std::int64_t now) {
    std::set<std::int64_t> all;
    for (const ScalingSample &s : samples)
        if (now > 0 && s.threads > 0 && s.threads != now) all.insert(s.threads);
    std::vector<CurveOfThreads> curves;
    curves.reserve(all.size());
    for (const std::int64_t threads : all)
        curves.push_back({threads, ScalingCurve(without_zeros(name, with_threads(samples, threads, false)))});
    std::erase_if(curves, [](const CurveOfThreads &c) { return c.curve.samples().front().seconds <= idle_s; });
    return curves;
}

// A curve that was measured with one count gets the shape of the one that was measured with most counts.
void share_shape(ScalingCurve &now, std::vector<CurveOfThreads> &others) {
    std::vector<ScalingCurve *> all = {&now};
    for (CurveOfThreads &other : others)
        all.push_back(&other.curve);
    const auto counts = [](const ScalingCurve *c) {
        return c->has_serial_part() ? std::numeric_limits<std::size_t>::max() : c->samples().size();
    };
    const ScalingCurve most =
        **std::ranges::max_element(all, [&](const auto *a, const auto *b) { return counts(a) < counts(b); });
    if (counts(&most) < 2) return; // all scale ideally
    for (ScalingCurve *curve : all)
        if (counts(curve) < 2) *curve = ScalingCurve::like(curve->samples().front(), most);
}

// That of then(to) / now(from); 0 for the same count on the same curve.
TimeError factor_error(const ScalingCurve &now, double from, const ScalingCurve &then, double to) {
    if (&now == &then && from == to) return {};
    const TimeError before = now.error(from), after = then.error(to);
    return {std::hypot(before.longer, after.shorter), std::hypot(before.shorter, after.longer)};
}

} // namespace

std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples, const std::vector<std::string> &names,
                                    const std::vector<double> &serial) {
    std::vector<ScalingCurve> curves;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::string &name = names[c];
        const auto found = samples.find(name);
        if (found == samples.end()) throw PredictionError("no measured time of " + name);
        ScalingCurve curve(without_zeros(name, found->second));
        if (c < serial.size() && is_known(serial[c])) {
            if (curve.samples().size() > 1)
                throw PredictionError("--curves: " + name +
                                      " was measured with several counts, which tell its serial part");
            curve = ScalingCurve::with_serial_part(curve.samples().front(), serial[c]);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

CurvesOfThreads curves_of_threads(const SamplesByComponent &samples, const std::vector<std::string> &names,
                                  const std::vector<std::int64_t> &threads_now, const std::vector<double> &serial) {
    SamplesByComponent of_now;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto found = samples.find(names[c]);
        if (found == samples.end()) continue;
        of_now[names[c]] = with_threads(found->second, threads_now[c], true);
        if (of_now[names[c]].empty()) {
            throw PredictionError(fmt::format("no time of {} with {} for each process, as in the run", names[c],
                                              counted(threads_now[c], "thread")));
        }
    }
    CurvesOfThreads curves{curves_of(of_now, names, serial), {}};
    for (std::size_t c = 0; c < names.size(); ++c) {
        ScalingCurve &now = curves.now[c];
        const bool idle = now.samples().front().seconds <= idle_s;
        curves.others.push_back(idle ? std::vector<CurveOfThreads>{}
                                     : other_curves(names[c], samples.at(names[c]), threads_now[c]));
        share_shape(now, curves.others.back());
    }
    return curves;
}

ChosenCurves chosen(const std::vector<ScalingCurve> &curves) {
    ChosenCurves all;
    for (const ScalingCurve &curve : curves)
        all.push_back(&curve);
    return all;
}

std::vector<double> factors_of(const MeasuredGraph &measured, const CurvesOfMove &move, CurveForm form) {
    std::vector<double> factors;
    for (std::size_t c = 0; c < move.now.size(); ++c)
        factors.push_back(move.then[c]->seconds(static_cast<double>(move.counts[c]), form) /
                          move.now[c]->seconds(static_cast<double>(measured.processes[c]), form));
    return factors;
}

// Two standard errors of the cycles' mean cover 95 of 100 cases. Another run's loop may begin and end elsewhere in a
// cycle: half a cycle at each end, which are independent.
double run_uncertainty(const MeasuredGraph &measured) {
    constexpr double of_cycle = 0.7071; // 0.5 x square root of 2
    const std::vector<double> &cycles = measured.cycle.measured_s;
    const double error = share_of_error(cycles);
    return is_known(error) ? 2 * error + of_cycle / static_cast<double>(cycles.size()) : 0;
}

double PredictedRange::uncertainty_s(double predicted_s) const {
    if (!is_known(least_s)) return unknown;
    return std::max({0.0, predicted_s - least_s, most_s - predicted_s});
}

PredictedRange predicted_range(const MeasuredGraph &measured, const CurvesOfMove &move, CurveForm form) {
    std::vector<double> slower = factors_of(measured, move, form);
    std::vector<double> faster = slower;
    for (std::size_t c = 0; c < move.now.size(); ++c) {
        const TimeError off = factor_error(*move.now[c], static_cast<double>(measured.processes[c]), *move.then[c],
                                           static_cast<double>(move.counts[c]));
        if (!is_known(off.larger())) return {};
        slower[c] *= 1 + off.longer;
        faster[c] /= 1 + off.shorter;
    }
    const double run = 1 + run_uncertainty(measured);
    return {predict(measured, faster).predicted_s / run, predict(measured, slower).predicted_s * run};
}

} // namespace cpl_lb
