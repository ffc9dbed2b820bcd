// Reads out the meters of this process, on the run's clock, and unites them with those of all.
#include "run/live/steps/own_meters.hpp"

#include "analysis/batch_system.hpp"
#include "meters/figures.hpp"
#include "meters/processors.hpp"
#include "run/live/unite.hpp"
#include "support/sentences.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace cpl_lb {
namespace {

// At the ends of the loop counters are interpolated between two samples, which means nothing with few samples.
constexpr std::ptrdiff_t fewest_samples_in_loop = 10;

double largest(const std::vector<TimedValue> &samples) {
    double most = unknown;
    for (const TimedValue &s : samples)
        if (is_known(s.value)) most = is_known(most) ? std::max(most, s.value) : s.value;
    return most;
}

NodeEnergy energy_of(const EnergyMeter &meter) {
    const EnergyTotals t = meter.totals();
    NodeEnergy e;
    e.package_J = t.package_J;
    e.dram_J = t.dram_J;
    e.core_J = t.core_J;
    e.uncore_J = t.uncore_J;
    e.psys_J = t.psys_J;
    e.gpu_J = t.gpu_J;
    e.module_J = t.module_J;
    e.node_J = t.node_J;
    e.total_J = t.total_J;
    return e;
}

// Samples with their times on the run's clock.
std::vector<TimedValue> samples_of(const ProcessRecord &record, const RunClock &clock, std::string_view quantity) {
    std::vector<TimedValue> samples = record.meters->series(quantity);
    for (TimedValue &s : samples)
        s.at = clock.to_run_time(s.at);
    return samples;
}

std::vector<NamedSpread> counters_in(const ProcessRecord &record, const RunClock &clock, const Interval &loop) {
    std::vector<NamedSpread> all;
    for (const Quantity &counter : record.meters->counter_quantities()) {
        NamedSpread &one = all.emplace_back();
        one.name = counter.name;
        one.why_missing = counter.why_missing;
        if (!one.why_missing.empty()) continue;
        const std::vector<TimedValue> samples = held_samples(record, clock, counter.name);
        const auto inside = std::ranges::count_if(
            samples, [&](const TimedValue &t) { return t.at >= loop.start && t.at <= loop.stop; });
        if (loop.length() == 0) {
            one.why_missing = "there is no coupling loop";
        } else if (inside < fewest_samples_in_loop) {
            one.why_missing = "fewer than ten samples fall into the coupling loop: lower rn_sample";
        } else {
            one.over.add(value_at(loop.stop, samples) - value_at(loop.start, samples));
        }
    }
    return all;
}

// The cores that the batch system gives the job on this node, else all that it may use.
std::int32_t installed_cores(const Settings &settings, const std::string &node) {
    const auto variable = [](const char *name) -> const char * { return std::getenv(name); };
    const std::int64_t given =
        slurm_cores_on(node, variable, {processors_of_node(), threads_of_core(settings.sysfs_root)});
    if (given > 0 && given <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(given);
    return cores_of_node(settings.sysfs_root, settings.procfs_root);
}

void enter_node(const ProcessRecord &record, const RunClock &clock, GatheredMeters &mine, const Bins &bins) {
    const ProcessMeters &meters = *record.meters;
    NodeEntry &entry = mine.nodes.emplace_back();
    entry.node = record.node();
    const std::string domain = clock_domain_here(record.settings.procfs_root);
    entry.machine = domain.substr(0, domain.find(' ')); // without the time namespace
    entry.meters.name = host_name();
    const Settings &settings = record.settings;
    entry.meters.installed_cores = installed_cores(settings, entry.meters.name);
    if (const EnergyMeter *energy = meters.energy()) {
        entry.meters.energy = energy_of(*energy);
        entry.meters.energy_source = energy->source();
        mine.run.node_power = series_of(bins, rate_in(bins, samples_of(record, clock, "total")));
    }
    const std::vector<TimedValue> used = held_samples(record, clock, "node_memory_used");
    entry.meters.memory_B = meters.node_memory_B();
    entry.meters.memory_used_B = largest(used);
    mine.run.node_memory = series_of(bins, largest_in(bins, used));
}

void enter_disturbance(const ProcessRecord &record, GatheredMeters &mine) {
    const std::int64_t switches = involuntary_switches();
    const double seconds = to_seconds(record.arrival.monotonic_ns - record.first_point.monotonic_ns);
    if (record.first_switches >= 0 && switches >= record.first_switches && seconds > 0)
        mine.run.switches_per_s.add(static_cast<double>(switches - record.first_switches) / seconds);
    mine.run.no_processor_s.add(growth_of(record.first_no_processor, record.last_no_processor));
    const double threads = threads_per_processor(record);
    if (is_known(threads)) mine.run.crowding.add(threads);
}

// Enters figures for the components that this process takes part in.
void enter_components(const ProcessRecord &record, const RunClock &clock, const Catalogue &catalogue,
                      const std::vector<std::string> &components, const std::vector<Interval> &loops,
                      const Series &rss, GatheredMeters &mine) {
    const ProcessMeters &meters = *record.meters;
    for (std::size_t i = 0; i < mine.components.size(); ++i) {
        const std::string &name = catalogue.component_names[i];
        if (std::ranges::find(components, name) == components.end()) continue;
        ComponentMeters &m = mine.components[i];
        m.hwm_B.add(meters.high_water_B());
        m.rss_B.add(meters.resident_at_end_B());
        m.executable_B.add(meters.executable_B());
        m.rss = rss;
        m.loop_counters = counters_in(record, clock, i < loops.size() ? loops[i] : Interval{});
    }
}

// Meters that have no figures of their own.
void enter_others(const ProcessRecord &record, const RunClock &clock, const Bins &bins, GatheredMeters &mine) {
    for (SampledQuantity &other : record.meters->listed()) {
        for (TimedValue &s : other.samples)
            s.at = clock.to_run_time(s.at);
        mine.run.others.push_back(figures_of(other, bins, clock.latest_arrival));
    }
}

// Ids of the components with processes on this node.
std::vector<std::int32_t> components_on_node(const ProcessRecord &record, const Agreed &agreed) {
    const std::vector<int> ranks = record.process_map.ranks_of_node(record.node()); // ascending
    std::vector<std::int32_t> here;
    for (std::size_t i = 0; i < agreed.catalogue.members.size(); ++i) {
        const std::vector<std::int32_t> members = agreed.catalogue.members[i].all();
        const bool any =
            std::ranges::any_of(members, [&](std::int32_t rank) { return std::ranges::binary_search(ranks, rank); });
        if (any) here.push_back(static_cast<std::int32_t>(i) + 1);
    }
    return here;
}

void enter_gpus_of_process(const ProcessRecord &record, const Catalogue &catalogue,
                           const std::vector<std::string> &components, GatheredMeters &mine) {
    const ProcessGpus gpus = record.meters->own_gpus();
    for (std::size_t i = 0; i < mine.components.size(); ++i) {
        if (std::ranges::find(components, catalogue.component_names[i]) == components.end()) continue;
        const auto id = static_cast<std::int32_t>(i) + 1;
        mine.gpu_uses.push_back(use_of(id, record.node(), gpus));
    }
}

void enter_absences(const ProcessMeters &meters, bool leads_node, GatheredMeters &mine) {
    for (const ProcessMeters::Absence &a : meters.absences()) {
        const std::string why = a.remedy.empty() ? a.why : a.why + " (" + a.remedy + ")";
        if (leads_node && a.of_node && a.what == "energy") mine.nodes.back().meters.why_no_energy = why;
        mine.absent.push_back({a.what, why, a.of_node, 1});
    }
}

constexpr std::size_t fewest_samples = 10; // in the loop: fewer say nothing of its ends
constexpr double least_part = 0.9;         // of the loop that lies between the first sample and the last

std::vector<TimedValue> known_in(const std::vector<TimedValue> &samples, const Interval &loop) {
    std::vector<TimedValue> inside;
    std::ranges::copy_if(samples, std::back_inserter(inside), [&](const TimedValue &s) {
        return is_known(s.value) && s.at >= loop.start && s.at <= loop.stop;
    });
    return inside;
}

// The part of the loop from the first known sample to the last.
Interval sampled_part(const std::vector<TimedValue> &samples, const Interval &loop) {
    const auto is_good = [](const TimedValue &s) { return is_known(s.value); };
    const auto first = std::ranges::find_if(samples, is_good);
    const auto last = std::find_if(samples.rbegin(), samples.rend(), is_good);
    if (first == samples.end()) return {loop.start, loop.start};
    const Nanoseconds from = std::max(loop.start, first->at);
    return {from, std::max(from, std::min(loop.stop, last->at))};
}

} // namespace

std::vector<TimedValue> held_samples(const ProcessRecord &record, const RunClock &clock, std::string_view quantity) {
    std::vector<TimedValue> samples = samples_of(record, clock, quantity);
    if (!samples.empty()) samples.push_back({clock.latest_arrival, samples.back().value});
    return samples;
}

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

GatheredMeters own_meters(const ProcessRecord &record, const Agreed &agreed,
                          const std::vector<std::string> &components, const std::vector<Interval> &loops) {
    GatheredMeters mine;
    mine.components.resize(agreed.catalogue.members.size());
    enter_disturbance(record, mine);
    if (record.meters == nullptr) return mine;
    const ProcessMeters &meters = *record.meters;
    const RunClock &clock = agreed.clock;
    const Bins bins = bins_of(clock.latest_arrival, from_seconds(record.settings.sample_s));
    mine.run.hwm_B.add(meters.high_water_B());
    mine.run.executable_B.add(meters.executable_B());
    mine.run.samples.add(static_cast<double>(meters.samples()));
    mine.run.sampling_s.add(meters.sampling_s());
    const Series rss = series_of(bins, largest_in(bins, held_samples(record, clock, "rss")));
    enter_components(record, clock, agreed.catalogue, components, loops, rss, mine);
    const bool leads = record.leads_node();
    if (leads) enter_node(record, clock, mine, bins);
    if (leads) mine.nodes.back().gpus = gpus_of_node(meters, clock, loops, components_on_node(record, agreed));
    enter_gpus_of_process(record, agreed.catalogue, components, mine);
    enter_others(record, clock, bins, mine);
    enter_absences(meters, leads, mine);
    return mine;
}

GatheredMeters gather_all_meters(Group &present, const ProcessRecord &record, const Agreed &agreed,
                                 const std::vector<std::string> &components, const std::vector<Component> &all) {
    std::vector<Interval> loops(agreed.catalogue.members.size()); // empty: no loop
    for (const Component &c : all) {
        if (c.balance.steps.empty()) continue;
        const Step &first = c.balance.steps.front(), &last = c.balance.steps.back();
        loops[static_cast<std::size_t>(c.id) - 1] = {from_seconds(first.start_s),
                                                     from_seconds(last.start_s + last.length_s)};
    }
    tell_all(present, "coupling loops", loops);
    GatheredMeters meters = own_meters(record, agreed, components, loops);
    unite_up(present, "meters", meters);
    return meters;
}

} // namespace cpl_lb
