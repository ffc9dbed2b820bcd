// Finds what two states of a model have in common, and compares it.
#include "comparison/compare_runs.hpp"

#include "analysis/mean_error.hpp"
#include "analysis/waiting_share.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double day_s = 86'400;

// Timers cover the whole run: one value for a day of the model, which may be compared with dated steps.
StepSeries series_of_timers(const CoupledRun &run, const ComponentBalance &b) {
    StepSeries series;
    const double days = run.run.simulated_s / day_s;
    const auto take = [&](StepValues &values, double seconds) {
        if (is_known(seconds) && days > 0) values.push_back(seconds / days);
    };
    take(series.length, b.loop_s);
    take(series.computing, b.computing_s);
    take(series.waiting, b.waiting_s);
    series.simulated_s = day_s;
    return series;
}

// The times of the coupling steps of a component, one value for each step, or for groups of equally many.
StepSeries step_series(const CoupledRun &run, const Component &component) {
    StepSeries series;
    const ComponentBalance &b = component.balance;
    if (run.from_timers()) return series_of_timers(run, b);
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

// Whether value n of both is of the same step.
bool same_steps(const StepSeries &a, const StepSeries &b) {
    return a.length.size() == b.length.size() && a.steps_in_value == b.steps_in_value && a.dates == b.dates;
}

// The runs of a state, and the components of each by name.
class Runs {
public:
    explicit Runs(const std::vector<CoupledRun> &runs) : runs_(runs) {
        for (const CoupledRun &run : runs) {
            for (const Component &c : run.components)
                if (components_.emplace(std::pair(&run, c.name), &c).second && known_.insert(c.name).second)
                    names_.push_back(c.name);
        }
    }
    [[nodiscard]] auto begin() const { return runs_.begin(); }
    [[nodiscard]] auto end() const { return runs_.end(); }
    [[nodiscard]] std::size_t size() const { return runs_.size(); }
    [[nodiscard]] const CoupledRun &front() const { return runs_.front(); }
    // The component of one of these runs, which has one of this name.
    [[nodiscard]] const Component &component(const CoupledRun &run, const std::string &name) const {
        return *components_.at({&run, name});
    }
    [[nodiscard]] bool all_have(const std::string &name) const {
        return std::ranges::all_of(runs_, [&](const auto &run) { return components_.contains({&run, name}); });
    }
    [[nodiscard]] bool any_has(const std::string &name) const { return known_.contains(name); }
    // The names of the components of all runs, each once.
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }

private:
    const std::vector<CoupledRun> &runs_;
    std::map<std::pair<const CoupledRun *, std::string>, const Component *> components_;
    std::vector<std::string> names_;
    std::set<std::string> known_;
};

// The components to compare. Components of one state only, and those that a repetition lacks, are reported.
std::vector<std::string> common_names(const Runs &before, const Runs &after, Comparison &comparison) {
    std::vector<std::string> names;
    for (const std::string &name : before.names()) {
        if (!after.any_has(name)) {
            comparison.gone.push_back(name);
        } else if (before.all_have(name) && after.all_have(name)) {
            names.push_back(name);
        } else {
            comparison.notes.push_back(say(Sentence::not_in_all_runs,
                                           {{"name", name}, {"state", before.all_have(name) ? "after" : "before"}}));
        }
    }
    for (const std::string &name : after.names())
        if (!before.any_has(name)) comparison.added.push_back(name);
    return names;
}

// One figure of all runs of a state, as a list of one value for each run.
template <class Figure>
std::vector<StepValues> one_value_each(const Runs &runs, Figure figure) {
    std::vector<StepValues> values;
    for (const CoupledRun &run : runs)
        values.push_back({figure(run)});
    return values;
}

Efficiency mean_efficiency(const Runs &runs, const std::string &name) {
    Efficiency mean{0, 0, 0, 0, 0};
    for (const CoupledRun &run : runs) {
        const Efficiency e = name.empty() ? efficiency_of(run) : efficiency_of(runs.component(run, name));
        const auto n = static_cast<double>(runs.size());
        for (const auto figure : {&Efficiency::total, &Efficiency::coupling, &Efficiency::inside,
                                  &Efficiency::load_balance, &Efficiency::communication})
            mean.*figure += e.*figure / n;
    }
    return mean;
}

// Unknown if it is unknown for one of the runs.
ImbalanceShares mean_imbalance(const Runs &runs, const std::string &name) {
    ImbalanceShares mean{0, 0, 0};
    for (const CoupledRun &run : runs) {
        const ComponentBalance &b = runs.component(run, name).balance;
        const ImbalanceParts &p = b.imbalance_parts;
        const double all = b.loop_s * static_cast<double>(runs.size());
        mean.processes += p.processes_s / all;
        mean.nodes += p.nodes_s / all;
        mean.random += p.random_s / all;
    }
    return mean;
}

RangeOfRuns range_of(const std::vector<double> &values) {
    if (values.empty() || !std::ranges::all_of(values, is_known)) return {};
    const auto [least, most] = std::ranges::minmax(values);
    return {mean_of(values), least, most};
}

InsideMessages inside_messages(const Runs &runs, const std::string &name, double scale) {
    InsideMessages inside;
    std::vector<double> messages, bytes, shares;
    std::set<std::int32_t> late;
    for (const CoupledRun &run : runs) {
        const Component &c = runs.component(run, name);
        const StepTraffic of_step = traffic_of_step(c);
        messages.push_back(of_step.messages * scale);
        bytes.push_back(of_step.bytes * scale);
        shares.push_back(late_sender_share(c));
        const WaitedFor *const one = late_sender(c);
        late.insert(one == nullptr ? -1 : one->process);
        inside.processes = std::max(inside.processes, static_cast<std::int64_t>(c.ranks.size()));
        inside.of_whole_run = inside.of_whole_run || c.inside.of_whole_run;
    }
    inside.messages = range_of(messages);
    inside.bytes = range_of(bytes);
    inside.late_share = range_of(shares);
    if (late.size() == 1 && is_known(inside.late_share.mean)) inside.late = *late.begin();
    return inside;
}

std::vector<StepSeries> series_of(const Runs &runs, const std::string &name) {
    std::vector<StepSeries> series;
    for (const CoupledRun &run : runs)
        series.push_back(step_series(run, runs.component(run, name)));
    return series;
}

// Seconds of the model in a step; unknown if the runs do not agree.
double simulated_s(const std::vector<StepSeries> &runs) {
    const double first = runs.front().simulated_s;
    return std::ranges::all_of(runs, [&](const StepSeries &run) { return run.simulated_s == first; }) ? first
                                                                                                      : unknown;
}

Difference compared(const ComparedComponent &c, StepValues StepSeries::*figure, double scale_before,
                    double scale_after, bool disturbed) {
    const auto scaled = [figure](const std::vector<StepSeries> &runs, double scale) {
        std::vector<StepValues> values;
        for (const StepSeries &run : runs) {
            values.push_back(run.*figure);
            for (double &v : values.back())
                v *= scale;
        }
        return values;
    };
    return difference_of(scaled(c.before, scale_before), scaled(c.after, scale_after),
                         same_steps(c.before.front(), c.after.front()), disturbed);
}

// Waiting in each step for each component, by name: the mean over the runs.
std::map<std::string, double> waiting_for(const Runs &runs, const std::string &name) {
    std::map<std::string, double> seconds;
    for (const CoupledRun &run : runs) {
        const ComponentBalance &b = runs.component(run, name).balance;
        const double steps = run.from_timers() ? run.run.simulated_s / day_s : static_cast<double>(b.step_count);
        for (const WaitingFor &w : b.waiting_for)
            seconds[run.component_name(w.component)] +=
                (w.get_s + w.put_s) / steps / static_cast<double>(runs.size());
    }
    return seconds;
}

std::string waits_more_for(const Runs &before, const Runs &after, const std::string &name, double sign) {
    std::map<std::string, double> change = waiting_for(after, name);
    for (const auto &[other, seconds] : waiting_for(before, name))
        change[other] -= seconds;
    const auto largest = std::ranges::max_element(change, {}, [&](const auto &one) { return sign * one.second; });
    return largest == change.end() || !(sign * largest->second > 0) ? "" : largest->first;
}

ComparedComponent compare_component(const Runs &before, const Runs &after, const std::string &name,
                                    bool of_model_days, bool disturbed) {
    const Component &one = before.component(before.front(), name);
    const Component &other = after.component(after.front(), name);
    ComparedComponent c;
    c.name = name;
    c.is_io_server = one.balance.is_io_server || other.balance.is_io_server;
    c.cores_before = one.cores();
    c.cores_after = other.cores();
    c.before = series_of(before, name);
    c.after = series_of(after, name);
    const double scale_before = of_model_days ? day_s / simulated_s(c.before) : 1;
    const double scale_after = of_model_days ? day_s / simulated_s(c.after) : 1;
    c.length = compared(c, &StepSeries::length, scale_before, scale_after, disturbed);
    c.computing = compared(c, &StepSeries::computing, scale_before, scale_after, disturbed);
    c.waiting = compared(c, &StepSeries::waiting, scale_before, scale_after, disturbed);
    c.waits_more_for = waits_more_for(before, after, name, c.waiting.after < c.waiting.before ? -1 : 1);
    c.efficiency_before = mean_efficiency(before, name);
    c.efficiency_after = mean_efficiency(after, name);
    c.imbalance_before = mean_imbalance(before, name);
    c.imbalance_after = mean_imbalance(after, name);
    c.inside_before = inside_messages(before, name, scale_before);
    c.inside_after = inside_messages(after, name, scale_after);
    return c;
}

// Replaces "too few steps" as the reason: a run from timers has no steps at all.
void tell_no_steps(Comparison &comparison) {
    std::vector<Difference *> all = {&comparison.length, &comparison.sypd, &comparison.chsy};
    for (ComparedComponent &c : comparison.components)
        all.insert(all.end(), {&c.length, &c.computing, &c.waiting});
    for (Difference *d : all)
        if (d->why_no_interval == too_few_steps)
            d->why_no_interval = "timers tell no coupling steps, and there is one run of each";
}

// Whether a step of one state is not a step of the other.
bool steps_differ(const Runs &before, const Runs &after, const std::vector<std::string> &names) {
    return std::ranges::any_of(names, [&](const std::string &name) {
        const double one = simulated_s(series_of(before, name)), other = simulated_s(series_of(after, name));
        return is_known(one) && is_known(other) && std::abs(other - one) > 1e-6 * one;
    });
}

// The component that defines the run's steps; null if none has steps in both states.
const ComparedComponent *leading(const Comparison &comparison) {
    const ComparedComponent *most = nullptr;
    double most_core_s = 0;
    for (const ComparedComponent &c : comparison.components) {
        const double core_s = c.length.before * static_cast<double>(c.cores_before);
        if (c.is_io_server || !is_known(c.length.change) || !(core_s > most_core_s)) continue;
        most = &c;
        most_core_s = core_s;
    }
    return most;
}

// If a run has one value, it has no interval of its own: it is as uncertain as the steps of the run.
void as_uncertain_as(Difference &d, const Difference &length, double sign) {
    if (!is_known(d.change) || !length.has_interval()) return;
    if (!(1 + length.low > 0)) {
        d.why_no_interval = "the steps are too uneven";
        return;
    }
    const double ratio = 1 + d.change;
    const double shorter = std::pow((1 + length.low) / (1 + length.change), sign);
    const double longer = std::pow((1 + length.high) / (1 + length.change), sign);
    d.low = ratio * std::min(shorter, longer) - 1;
    d.high = ratio * std::max(shorter, longer) - 1;
    d.why_no_interval.clear();
}

DisturbedRuns disturbed_runs(const Runs &runs) {
    DisturbedRuns disturbed;
    for (const CoupledRun &run : runs) {
        const std::vector<const Component *> components = disturbed_components(run);
        if (components.empty()) continue;
        if (++disturbed.count > 1) continue;
        const Component &most = *components.front();
        disturbed.component = most.name;
        disturbed.seconds = most.no_processor.outside.max;
        disturbed.share = disturbed.seconds / most.balance.loop_s;
        disturbed.process = most.no_processor.most_outside;
    }
    return disturbed;
}

void note_what_differs(Comparison &comparison, const Runs &before, const Runs &after) {
    const std::string &one = before.front().cpmip.platform, &other = after.front().cpmip.platform;
    if (one != other && !one.empty() && !other.empty())
        comparison.notes.push_back(say(Sentence::another_machine, {{"before", one}, {"after", other}}));
    for (const ComparedComponent &c : comparison.components) {
        if (c.cores_before == c.cores_after) continue;
        std::string time;
        if (is_known(c.computing.change) && c.cores_before > 0) {
            const double cores = static_cast<double>(c.cores_after) / static_cast<double>(c.cores_before);
            const double change = (1 + c.computing.change) * cores - 1;
            time = say(Sentence::part_core_time,
                       {{"share", decimal_text(100 * std::abs(change), 1)}, {"more", change < 0 ? "less" : "more"}});
        }
        comparison.notes.push_back(say(Sentence::other_cores, {{"name", c.name},
                                                               {"after", counted(c.cores_after, "core")},
                                                               {"before", std::to_string(c.cores_before)},
                                                               {"time", time}}));
    }
    if (comparison.from_timers)
        comparison.notes.push_back(say(Sentence::seconds_without_steps));
    else if (comparison.of_model_days)
        comparison.notes.push_back(say(Sentence::seconds_of_days));
}

} // namespace

Comparison compare_runs(const std::vector<CoupledRun> &runs_before, const std::vector<CoupledRun> &runs_after) {
    const Runs before(runs_before), after(runs_after);
    Comparison comparison;
    comparison.runs_before = before.size();
    comparison.runs_after = after.size();
    const std::vector<std::string> names = common_names(before, after, comparison);
    comparison.from_timers = std::ranges::any_of(runs_before, &CoupledRun::from_timers) ||
                             std::ranges::any_of(runs_after, &CoupledRun::from_timers);
    comparison.of_model_days = comparison.from_timers || steps_differ(before, after, names);
    comparison.disturbed_before = disturbed_runs(before);
    comparison.disturbed_after = disturbed_runs(after);
    const bool disturbed = comparison.disturbed_before.count + comparison.disturbed_after.count > 0;
    for (const std::string &name : names)
        comparison.components.push_back(compare_component(before, after, name, comparison.of_model_days, disturbed));
    const auto sypd = [](const CoupledRun &run) { return run.cpmip.sypd; };
    const auto chsy = [](const CoupledRun &run) { return run.cpmip.chsy; };
    comparison.sypd = difference_of(one_value_each(before, sypd), one_value_each(after, sypd), false, disturbed);
    comparison.chsy = difference_of(one_value_each(before, chsy), one_value_each(after, chsy), false, disturbed);
    if (const ComparedComponent *lead = leading(comparison); lead != nullptr) {
        comparison.steps_of = lead->name;
        comparison.length = lead->length;
        if (!comparison.sypd.has_interval()) as_uncertain_as(comparison.sypd, lead->length, -1);
        if (!comparison.chsy.has_interval()) as_uncertain_as(comparison.chsy, lead->length, 1);
    }
    if (comparison.from_timers) tell_no_steps(comparison);
    comparison.efficiency_before = mean_efficiency(before, "");
    comparison.efficiency_after = mean_efficiency(after, "");
    note_what_differs(comparison, before, after);
    return comparison;
}

} // namespace cpl_lb
