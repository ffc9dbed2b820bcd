// From samples of a node's GPUs to their shares of each coupling loop.
#include "run/live/steps/own_gpus.hpp"

#include "meters/figures.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::size_t fewest_samples = 10; // in the loop: fewer say nothing of its ends
constexpr double least_part = 0.9;         // of the loop that lies between the first sample and the last

std::vector<TimedValue> known_in(const std::vector<TimedValue> &samples, const Interval &loop) {
    std::vector<TimedValue> inside;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(inside),
                 [&](const TimedValue &s) { return is_known(s.value) && s.at >= loop.start && s.at <= loop.stop; });
    return inside;
}

// The part of the loop from the first known sample to the last.
Interval sampled_part(const std::vector<TimedValue> &samples, const Interval &loop) {
    const auto is_good = [](const TimedValue &s) { return is_known(s.value); };
    const auto first = std::find_if(samples.begin(), samples.end(), is_good);
    const auto last = std::find_if(samples.rbegin(), samples.rend(), is_good);
    if (first == samples.end()) return {loop.start, loop.start};
    const Nanoseconds from = std::max(loop.start, first->at);
    return {from, std::max(from, std::min(loop.stop, last->at))};
}

} // namespace

GpuInLoop in_loop(const ProcessMeters::NodeGpuSamples &gpu, std::int32_t component, const Interval &loop) {
    GpuInLoop share;
    share.component = component;
    share.why_missing = gpu.why_not_busy;
    if (!share.why_missing.empty()) return share;
    const Interval part = sampled_part(gpu.busy_s, loop);
    if (loop.length() <= 0) {
        share.why_missing = say(Sentence::no_loop_for_gpus);
    } else if (known_in(gpu.busy_s, loop).size() < fewest_samples) {
        share.why_missing = say(Sentence::few_samples_of_gpus);
    } else if (static_cast<double>(part.length()) < least_part * static_cast<double>(loop.length())) {
        share.why_missing = say(Sentence::gpu_read_in_part);
    } else {
        const double busy_s = value_at(part.stop, gpu.busy_s) - value_at(part.start, gpu.busy_s);
        share.busy_share = std::clamp(busy_s / to_seconds(part.length()), 0.0, 1.0);
        share.clock_share = mean_over_time(known_in(gpu.clock, loop));
    }
    return share;
}

GpusOfNode gpus_of_node(const ProcessMeters &meters, const RunClock &clock, const std::vector<Interval> &loops,
                        const std::vector<std::int32_t> &here) {
    ProcessMeters::NodeGpuReadings readings = meters.node_gpus();
    GpusOfNode node;
    node.known = readings.known;
    for (ProcessMeters::NodeGpuSamples &gpu : readings.gpus) {
        for (std::vector<TimedValue> *samples : {&gpu.busy_s, &gpu.clock})
            for (TimedValue &s : *samples)
                s.at = clock.to_run_time(s.at);
        GpuOfNode &one = node.gpus.emplace_back();
        one.gpu = gpu.gpu;
        for (const std::int32_t component : here) {
            const auto i = static_cast<std::size_t>(component) - 1;
            one.loops.push_back(in_loop(gpu, component, i < loops.size() ? loops[i] : Interval{}));
        }
    }
    return node;
}

} // namespace cpl_lb
