// Takes the times of runs with these threads, over their cores.
#include "tools/predict/threads_change.hpp"

#include "prediction/curve_samples.hpp"
#include "report/slow_side_words.hpp"
#include "support/fmt.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
namespace {

// A component's time in each run, with its threads.
struct Seen {
    std::vector<ScalingSample> samples; // with the threads that are asked for
    std::set<std::int32_t> threads;     // of all runs
    double now_s = unknown;             // in the first
};

Seen seen_of(const std::string &name, std::int32_t threads, const std::vector<MeasuredRun> &runs) {
    Seen seen;
    for (const MeasuredRun &one : runs) {
        const auto component = std::find_if(one.run.components.begin(), one.run.components.end(),
                                            [&](const Component &c) { return c.name == name; });
        if (component == one.run.components.end()) continue;
        if (component->cores() != static_cast<std::int64_t>(component->ranks.size()) * component->threads)
            throw PredictionError("--threads: the processes of " + name + " have different numbers of threads");
        SamplesByComponent samples;
        add_samples(samples, one.measured);
        if (!is_known(seen.now_s)) seen.now_s = samples.at(name).front().seconds;
        seen.threads.insert(component->threads);
        if (component->threads == threads) seen.samples.push_back(samples.at(name).front());
    }
    return seen;
}

double uncertainty_of(const ScalingCurve &curve, double cores) {
    const bool measured = std::any_of(curve.samples().begin(), curve.samples().end(),
                                      [&](const ScalingSample &s) { return s.processes == cores; });
    return measured ? 0 : curve.uncertainty(cores);
}

} // namespace

std::vector<ThreadsChange> threads_changes(const std::string &text, const std::vector<MeasuredRun> &runs,
                                           CurveForm form) {
    const std::vector<std::string> &names = runs.front().measured.graph->names();
    const auto asked = processor_counts("--threads", text, names);
    std::vector<ThreadsChange> changes;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto given = asked.find(names[c]);
        if (given == asked.end()) continue;
        const Seen seen = seen_of(names[c], static_cast<std::int32_t>(given->second), runs);
        if (seen.samples.empty()) {
            std::vector<std::string> had;
            for (const std::int32_t threads : seen.threads)
                had.push_back(std::to_string(threads));
            throw PredictionError(
                fmt::format("no run has {} with {} threads for each process: it was measured with {}", names[c],
                            given->second, listed(had)));
        }
        if (!(seen.now_s > 0)) throw PredictionError(names[c] + " computes nothing in the coupling loop");
        const ScalingCurve curve(seen.samples);
        ThreadsChange change;
        change.component = c;
        change.cores = static_cast<std::int64_t>(runs.front().run.components[c].ranks.size()) * given->second;
        const auto cores = static_cast<double>(change.cores);
        change.speed = {names[c], "", seen.now_s / curve.seconds(cores, form)};
        change.uncertainty = uncertainty_of(curve, cores);
        change.extrapolated = !curve.measured_range_holds(cores);
        changes.push_back(std::move(change));
    }
    return changes;
}

} // namespace cpl_lb
