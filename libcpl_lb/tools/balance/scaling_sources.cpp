// Keeps which run each measured time is of, and makes the pictures of components and regions from them.
#include "data/time.hpp"
#include "tools/balance/balance_page.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cpl_lb {
namespace {

constexpr double simulated_day_s = 86'400;

bool same_times(const std::vector<ScalingSample> &a, const std::vector<ScalingSample> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ScalingSample &x, const ScalingSample &y) {
        return x.processes == y.processes && x.seconds == y.seconds;
    });
}

void sort_by_cores(std::vector<MeasuredTime> &times) {
    std::stable_sort(times.begin(), times.end(),
                     [](const MeasuredTime &a, const MeasuredTime &b) { return a.cores < b.cores; });
}

std::size_t runs_with(const std::vector<RegionTime> &times) {
    std::set<std::string> runs;
    for (const RegionTime &each : times)
        runs.insert(each.time.run);
    return runs.size();
}

// Runs of different lengths compare by the day that they simulate; of equal or unknown ones the whole run does.
bool by_simulated_day(const std::vector<RegionTime> &times) {
    const double first_s = times.empty() ? unknown : times.front().simulated_s;
    const auto is_given = [](const RegionTime &each) { return each.simulated_s > 0; };
    return std::all_of(times.begin(), times.end(), is_given) &&
           std::any_of(times.begin(), times.end(),
                       [&](const RegionTime &each) { return std::abs(each.simulated_s - first_s) > 1e-9 * first_s; });
}

// The times with the threads of the answer; if there are none, all.
std::optional<ScalingCurve> curve_through(ScalingPicture &picture) {
    const auto counts = [&](const MeasuredTime &time) { return time.seconds > 0 && is_of_curve(picture, time); };
    if (std::none_of(picture.times.begin(), picture.times.end(), counts)) picture.threads = 0;
    std::vector<ScalingSample> samples;
    for (const MeasuredTime &time : picture.times)
        if (counts(time)) samples.push_back({time.cores, time.seconds});
    if (samples.empty()) return std::nullopt;
    return ScalingCurve(std::move(samples));
}

ScalingPicture picture_of_region(const std::string &name, const std::vector<RegionTime> &times,
                                 const ScalingPicture &component, bool of_day) {
    ScalingPicture picture{name, "the run", {}, {}, component.form, component.threads, component.recommended};
    if (of_day) picture.seconds_of = "a simulated day";
    for (const RegionTime &each : times) {
        picture.times.push_back(each.time);
        if (of_day) picture.times.back().seconds *= simulated_day_s / each.simulated_s;
    }
    sort_by_cores(picture.times);
    picture.curve = curve_through(picture);
    return picture;
}

std::vector<ScalingPicture> pictures_of_regions(const std::map<std::string, std::vector<RegionTime>> &regions,
                                                const ScalingPicture &component) {
    std::vector<RegionTime> all; // that are compared: in one unit
    for (const auto &[name, times] : regions)
        if (runs_with(times) > 1) all.insert(all.end(), times.begin(), times.end());
    const bool of_day = by_simulated_day(all);
    std::vector<ScalingPicture> pictures;
    for (const auto &[name, times] : regions)
        if (runs_with(times) > 1) pictures.push_back(picture_of_region(name, times, component, of_day));
    const auto longest = [](const ScalingPicture &picture) {
        double most_s = 0;
        for (const MeasuredTime &time : picture.times)
            most_s = std::max(most_s, time.seconds);
        return most_s;
    };
    std::stable_sort(pictures.begin(), pictures.end(),
                     [&](const ScalingPicture &a, const ScalingPicture &b) { return longest(a) > longest(b); });
    return pictures;
}

ScalingPicture picture_of_component(const BalanceOutput &output, const ScalingSources &sources, std::size_t c) {
    const std::string &name = output.names[c];
    ScalingPicture picture{name, "", {}, {}, output.form, output.answer.threads[c], output.answer.counts[c]};
    if (const auto seconds_of = sources.seconds_of.find(name); seconds_of != sources.seconds_of.end())
        picture.seconds_of = seconds_of->second;
    if (const auto samples = sources.samples.find(name); samples != sources.samples.end()) {
        const std::vector<std::string> &runs = sources.runs.at(name);
        for (std::size_t i = 0; i < samples->second.size(); ++i) {
            const ScalingSample &sample = samples->second[i];
            picture.times.push_back({runs[i], sample.processes, sample.seconds, sample.threads});
        }
    }
    sort_by_cores(picture.times);
    if (!output.idle[c]) picture.curve = output.curves[c];
    return picture;
}

} // namespace

void add_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &directory,
                 const CoupledRun &run) {
    sources.samples = samples;
    for (const auto &[name, list] : samples)
        sources.runs[name].resize(list.size(), directory);
    for (const Component &component : run.components) {
        const bool alike = component.cores() == static_cast<std::int64_t>(component.ranks.size()) * component.threads;
        for (const RegionSummary &region : component.regions) {
            if (!(region.mean_s > 0)) continue;
            sources.regions[component.name][region.name].push_back(
                {{directory, static_cast<double>(component.cores()), region.mean_s,
                  alike ? component.threads : differing_threads},
                 run.run.simulated_s});
        }
    }
}

void settle_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &table,
                    const std::string &seconds_of) {
    for (const auto &[name, list] : samples) {
        if (same_times(sources.samples[name], list)) {
            sources.seconds_of[name] = seconds_of;
            continue;
        }
        sources.samples[name] = list;
        sources.runs[name].assign(list.size(), table);
    }
}

std::vector<ComponentPictures> pictures_of(const BalanceOutput &output, const ScalingSources &sources) {
    std::vector<ComponentPictures> pictures;
    for (std::size_t c = 0; c < output.names.size(); ++c) {
        ComponentPictures of_one{picture_of_component(output, sources, c), {}};
        const auto regions = sources.regions.find(output.names[c]);
        if (regions != sources.regions.end()) of_one.regions = pictures_of_regions(regions->second, of_one.component);
        pictures.push_back(std::move(of_one));
    }
    return pictures;
}

bool lengths_not_known(const ScalingSources &sources) {
    const auto is_not_known = [](const RegionTime &each) { return !(each.simulated_s > 0); };
    for (const auto &[component, regions] : sources.regions) {
        for (const auto &[name, times] : regions) {
            if (runs_with(times) > 1 && std::any_of(times.begin(), times.end(), is_not_known)) return true;
        }
    }
    return false;
}

} // namespace cpl_lb
