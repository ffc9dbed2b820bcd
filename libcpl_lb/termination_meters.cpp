// The part of cpl_lb_terminate that gathers what the meters say.
#include "termination.hpp"

#include "gather/meters_gather.hpp"
#include "metering/process_meters.hpp"
#include "readers/disturbance.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

// Counters at the ends of the loop lie on lines between two samples: over a loop of few samples that says nothing.
constexpr std::ptrdiff_t fewest_samples_in_loop = 10;

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

Series series_of(const Bins &bins, const std::vector<double> &values) {
    Series series;
    if (std::none_of(values.begin(), values.end(), is_known)) return series;
    series.step_s = to_seconds(bins.step);
    for (const double value : values)
        series.values.emplace_back().add(value);
    return series;
}

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
    e.total_J = is_known(t.gpu_J) ? t.package_and_dram_J + t.gpu_J : t.package_and_dram_J;
    return e;
}

} // namespace

// Samples with their times on the run's clock.
std::vector<TimedValue> Termination::metered(std::string_view quantity) const {
    std::vector<TimedValue> samples = r_.meters_->series(quantity);
    for (TimedValue &s : samples)
        s.at = to_run_time(s.at);
    return samples;
}

// What the process does here, waiting for the others, is not the model's: the last value holds.
std::vector<TimedValue> Termination::held(std::string_view quantity) const {
    std::vector<TimedValue> samples = metered(quantity);
    if (!samples.empty()) samples.push_back({latest_arrival_, samples.back().value});
    return samples;
}

std::vector<NamedSpread> Termination::counters_in(const Interval &loop) const {
    std::vector<NamedSpread> all;
    for (const Quantity &counter : r_.meters_->counter_quantities()) {
        NamedSpread &one = all.emplace_back();
        one.name = counter.name;
        one.why_missing = counter.why_missing;
        if (!one.why_missing.empty()) continue;
        const std::vector<TimedValue> samples = held(counter.name);
        const auto inside = std::count_if(samples.begin(), samples.end(), [&](const TimedValue &t) {
            return t.at >= loop.start && t.at <= loop.stop;
        });
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

void Termination::enter_node(GatheredMeters &mine, const Bins &bins) const {
    const ProcessMeters &meters = *r_.meters_;
    NodeEntry &entry = mine.nodes.emplace_back();
    entry.node = r_.layout_.node_of_rank[static_cast<std::size_t>(r_.transport_.rank())];
    const std::string domain = clock_domain_here(r_.settings_.procfs_root);
    entry.machine = domain.substr(0, domain.find(' ')); // without the time namespace
    entry.meters.name = host_name();
    if (const EnergyMeter *energy = meters.energy()) {
        entry.meters.energy = energy_of(*energy);
        entry.meters.energy_source = energy->source();
        std::vector<TimedValue> joules = metered("package_and_dram");
        const std::vector<TimedValue> gpus = metered("gpu");
        for (std::size_t i = 0; i < joules.size(); ++i)
            if (is_known(entry.meters.energy.gpu_J)) joules[i].value += gpus[i].value;
        mine.node_power = series_of(bins, rate_in(bins, joules));
    }
    const std::vector<TimedValue> used = held("node_memory_used");
    entry.meters.memory_B = meters.node_memory_B();
    entry.meters.memory_used_B = largest(used);
    mine.node_memory = series_of(bins, largest_in(bins, used));
}

void Termination::enter_disturbance(GatheredMeters &mine) const {
    const std::int64_t switches = involuntary_switches();
    const double seconds = to_seconds(arrival_.monotonic_ns - r_.first_point_.monotonic_ns);
    if (r_.first_switches_ >= 0 && switches >= r_.first_switches_ && seconds > 0)
        mine.switches_per_s.add(static_cast<double>(switches - r_.first_switches_) / seconds);
    std::int64_t threads = 0;
    for (const int rank :
         r_.layout_.ranks_of_node(r_.layout_.node_of_rank[static_cast<std::size_t>(r_.transport_.rank())]))
        threads += r_.layout_.threads_of_rank[static_cast<std::size_t>(rank)];
    const std::int64_t processors = processors_of_node();
    if (processors > 0) mine.crowding.add(static_cast<double>(threads) / static_cast<double>(processors));
}

GatheredMeters Termination::local_meters(const std::vector<Interval> &loops) const {
    GatheredMeters mine;
    mine.components.resize(catalogue_.members.size());
    enter_disturbance(mine);
    if (r_.meters_ == nullptr) return mine;
    const ProcessMeters &meters = *r_.meters_;
    const Bins bins = bins_of(latest_arrival_, from_seconds(r_.settings_.sample_s));
    mine.hwm_B.add(meters.high_water_B());
    mine.executable_B.add(meters.executable_B());
    mine.samples.add(static_cast<double>(meters.samples()));
    mine.sampling_s.add(meters.sampling_s());
    const Series rss = series_of(bins, largest_in(bins, held("rss")));
    for (std::size_t i = 0; i < mine.components.size(); ++i) {
        const std::string &name = catalogue_.component_names[i];
        if (std::find(component_names_.begin(), component_names_.end(), name) == component_names_.end()) continue;
        ComponentMeters &m = mine.components[i];
        m.hwm_B.add(meters.high_water_B());
        m.rss_B.add(meters.resident_at_end_B());
        m.executable_B.add(meters.executable_B());
        m.rss = rss;
        m.loop_counters = counters_in(i < loops.size() ? loops[i] : Interval{});
    }
    const auto node = r_.layout_.node_of_rank[static_cast<std::size_t>(r_.transport_.rank())];
    const bool leads = r_.layout_.ranks_of_node(node).front() == r_.transport_.rank();
    if (leads) enter_node(mine, bins);
    for (const ProcessMeters::Absence &a : meters.absences()) {
        const std::string why = a.remedy.empty() ? a.why : a.why + " (" + a.remedy + ")";
        if (leads && a.of_node && a.what == "energy") mine.nodes.back().meters.why_no_energy = why;
        mine.absent.push_back({a.what, why, a.of_node, 1});
    }
    return mine;
}

RegionMeters Termination::region_meters(const RegionTimer &timer) const {
    RegionMeters m;
    if (r_.meters_ == nullptr) return m;
    const std::span<const Quantity> counters = r_.meters_->counter_quantities();
    for (std::size_t i = 0; i < std::min(counters.size(), timer.counts.size()); ++i) {
        NamedSpread &one = m.counters.emplace_back();
        one.name = counters[i].name;
        one.why_missing = counters[i].why_missing;
        one.over.add(timer.counts[i]);
    }
    if (r_.meters_->energy() != nullptr) m.energy_J.add(timer.energy_J);
    m.memory_calls = timer.memory_calls;
    if (timer.memory_calls > 0) m.memory_B.add(timer.change_B);
    return m;
}

// Collective over `present`; `components` on its leader: all of them.
bool Termination::gather_all_meters(Group &present, const std::vector<Component> &components) {
    std::vector<Interval> loops(catalogue_.members.size());
    for (const Component &c : components) {
        if (c.balance.steps.empty()) continue;
        const Step &first = c.balance.steps.front(), &last = c.balance.steps.back();
        loops[static_cast<std::size_t>(c.id) - 1] = {from_seconds(first.start_s),
                                                     from_seconds(last.start_s + last.length_s)};
    }
    if (!share_loops(present, loops)) return false;
    meters_ = local_meters(loops);
    return gather_meters(present, meters_);
}

void Termination::enter_all_meters(CoupledRun &run) const {
    run.meters.memory_wanted = r_.settings_.rss;
    run.meters.energy_wanted = r_.settings_.energy;
    run.meters.counters_wanted = r_.settings_.counters;
    enter_meters(meters_, r_.layout_, run);
}

} // namespace cpl_lb
