// Fills a CoupledRun from timers, and keeps the source of each figure.
#include "run/timers/timed_run.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/waiting_share.hpp"
#include "data/coupled_run.hpp"
#include "prediction/concurrency.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double part_of_it = 1.01; // timers of a run are read one after the other
constexpr double digits_s = 0.05;   // and printed with two to six decimals

std::string in_words(double seconds) {
    return fmt::format("{:.6g}", seconds);
}

bool exceeds(double sum_s, double whole_s) {
    return is_known(sum_s) && is_known(whole_s) && sum_s > whole_s * part_of_it + digits_s;
}

void doubt_means(const TimedComponent &component, std::vector<std::string> &remarks) {
    for (const TimedPart &part : component.parts) {
        if (!is_known(part.min_s) || !is_known(part.mean_s) || !is_known(part.max_s)) continue;
        const double apart = 0.006 + 1e-5 * part.max_s; // of printed digits
        if (part.mean_s >= part.min_s - apart && part.mean_s <= part.max_s + apart) continue;
        remarks.push_back(say(Sentence::timers_mean_outside, {{"where", part.from},
                                                              {"mean", in_words(part.mean_s)},
                                                              {"least", in_words(part.min_s)},
                                                              {"most", in_words(part.max_s)}}));
        return; // one for each component: the others are wrong in the same way
    }
}

void doubt_loop(const TimedRun &run, const TimedComponent &component, std::vector<std::string> &remarks) {
    const TimedFigure &loop = component.loop_s.known() ? component.loop_s : run.loop_s;
    if (!component.computing_s.known()) return;
    double sum_s = component.computing_s.value;
    if (component.waiting_s.known()) sum_s += component.waiting_s.value;
    if (!exceeds(sum_s, loop.value)) return;
    remarks.push_back(say(Sentence::timers_more_than_loop, {{"where", component.computing_s.from},
                                                            {"name", component.name},
                                                            {"sum", in_words(sum_s)},
                                                            {"loop", in_words(loop.value)}}));
}

// Sentences on what in the timers cannot be true: means outside of least and most, phases longer than the run,
// components that do more than fits into their loop. At most a few of each kind.
void doubt(const TimedRun &run, std::vector<std::string> &remarks) {
    double sum_s = 0;
    for (const TimedFigure &phase : {run.startup_s, run.loop_s, run.shutdown_s})
        if (phase.known()) sum_s += phase.value;
    if (run.wall_s.known() && exceeds(sum_s, run.wall_s.value)) {
        remarks.push_back(
            say(Sentence::timers_phases_exceed,
                {{"where", run.wall_s.from}, {"sum", in_words(sum_s)}, {"wall", in_words(run.wall_s.value)}}));
    }
    for (const TimedComponent &component : run.components) {
        doubt_means(component, remarks);
        doubt_loop(run, component, remarks);
    }
}

void add_source(CoupledRun &run, const std::string &figure, const std::string &from) {
    if (!from.empty()) run.sources.push_back({figure, from});
}

void take_figure(CoupledRun &run, const std::string &figure, const TimedFigure &told, double &value) {
    if (!told.known()) return;
    if (told.value < 0) {
        run.remarks.push_back(
            say(Sentence::timers_negative, {{"where", told.from}, {"value", in_words(told.value)}}));
        return;
    }
    value = told.value;
    add_source(run, figure, told.from);
}

void fill_info(const TimedRun &timed, CoupledRun &run) {
    RunInfo &info = run.run;
    info.id = timed.id;
    info.origin = Origin::imported;
    info.coupler = timed.coupler;
    info.submitted = timed.submitted;
    info.started = timed.started;
    info.ended = timed.ended;
    info.platform_facts.machine = timed.machine;
    info.year_days = timed.year_days;
    take_figure(run, "run.simulated_s", timed.simulated_s, info.simulated_s);
    const TimedFigure &wall = timed.wall_s;
    take_figure(run, "run.wall_s", wall.known() ? wall : timed.startup_s + timed.loop_s + timed.shutdown_s,
                info.wall_s);
    if (timed.speed_is_of_loop) take_figure(run, "run.speed_over_s", timed.loop_s, info.speed_over_s);
    double cores = unknown;
    take_figure(run, "run.cores", timed.cores, cores);
    if (cores > 0) {
        info.cores = static_cast<std::int64_t>(cores);
        info.cores_from = timed.cores.from;
    }
}

void fill_waits(const std::string &path, const TimedComponent &told, CoupledRun &run, ComponentBalance &b) {
    for (const TimedWait &wait : told.waits) {
        const auto place = std::ranges::find(run.component_names, wait.component);
        const bool is_here = place != run.component_names.end();
        const auto id = is_here ? static_cast<std::int32_t>(place - run.component_names.begin()) + 1 : 0;
        b.waiting_for.push_back({id, wait.seconds.value, 0, 0});
        add_source(run, path + "waiting_for." + wait.component, wait.seconds.from);
    }
    std::ranges::sort(b.waiting_for, {}, &WaitingFor::component);
}

// Processes that no file places get the ranks from `next_rank` on.
void fill_component(const TimedRun &timed, const TimedComponent &told, std::int32_t &next_rank, CoupledRun &run,
                    Component &c) {
    const std::string path = "components." + told.name + ".";
    c.threads = static_cast<std::int32_t>(std::max<std::int64_t>(told.threads, 1));
    const bool placed = told.first_process >= 0;
    for (std::int64_t p = 0; p < told.processes; ++p)
        c.ranks.push_back(placed ? static_cast<std::int32_t>(told.first_process + p * told.stride) : next_rank++);
    if (told.processes > 0) add_source(run, path + "processes", told.processes_from);
    ComponentBalance &b = c.balance;
    b.loop_s = timed.loop_s.value;
    take_figure(run, path + "loop_s", told.loop_s.known() ? told.loop_s : timed.loop_s, b.loop_s);
    for (const ComponentFigure &figure : component_figures)
        take_figure(run, path + figure.name, told.*figure.told, b.*figure.filled);
    b.startup.length_s = timed.startup_s.value;
    take_figure(run, path + "startup_s", told.startup_s, b.startup.length_s);
    b.shutdown.length_s = timed.shutdown_s.value;
    take_figure(run, path + "shutdown_s", told.shutdown_s, b.shutdown.length_s);
    if (is_known(b.waiting_s) && b.loop_s > 0) b.coupling_cost = b.waiting_s / b.loop_s;
    if (!is_known(b.loop_s)) b.why_no_window = "no timer tells how long its loop took";
    fill_waits(path, told, run, b);
    for (const TimedPart &part : told.parts) {
        RegionSummary &region = c.regions.emplace_back();
        region.name = part.name;
        region.calls = part.calls;
        region.processes = static_cast<std::int32_t>(part.processes);
        region.min_s = part.min_s;
        region.mean_s = part.mean_s;
        region.max_s = part.max_s;
        add_source(run, path + "regions." + part.name, part.from);
    }
    c.own_cores = c.cores();
    if (is_known(run.run.wall_s)) c.last_terminate = from_seconds(run.run.wall_s);
}

// Who is on the longest path through the layout, by its rules.
void follow_layout(const TimedRun &timed, CoupledRun &run) {
    RunBalance &balance = run.balance;
    balance.why_no_path = "timers tell how long components computed, and not who waited for whom when";
    balance.why_no_gain = balance.why_no_path;
    if (timed.layout.empty()) return;
    run.run.layout = timed.layout;
    add_source(run, "run.layout", timed.layout_rules);
    std::vector<double> computing;
    for (const Component &c : run.components)
        computing.push_back(c.balance.computing_s);
    if (!(timed.loop_s.value > 0) || !std::ranges::all_of(computing, is_known)) return;
    const Concurrency layout(timed.layout, run.component_names);
    const std::vector<double> shares = layout.path_shares(computing);
    constexpr double timers_apart = 1.01;
    if (const double path_s = layout.length_s(computing); path_s > timers_apart * timed.loop_s.value) {
        balance.why_no_path = balance.why_no_gain = "the layout's longest path takes longer than the loop";
        run.remarks.push_back(
            say(Sentence::timers_path_too_long,
                {{"layout", timed.layout}, {"path", in_words(path_s)}, {"loop", in_words(timed.loop_s.value)}}));
        return;
    }
    balance.why_no_path.clear();
    balance.loop_s = timed.loop_s.value;
    balance.on_path_s = 0;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const double on_path_s = shares[i] * computing[i];
        run.components[i].balance.critical_share = on_path_s / balance.loop_s;
        balance.on_path_s += on_path_s;
    }
    add_source(run, "balance.critical_s", timed.layout_rules);
}

// Ranks are kept one by one.
void refuse_too_many(const TimedRun &timed) {
    constexpr std::int64_t most = 10'000'000;
    std::int64_t all = 0;
    for (const TimedComponent &c : timed.components) {
        all += c.processes;
        const bool too_far = c.first_process > most || c.stride > most || c.processes > most;
        if (too_far || all > most || c.first_process + c.processes * c.stride > 100 * most)
            throw std::runtime_error(fmt::format("{}: more than {} processes", timed.id, most));
    }
}

// Cores that no timer tells are those of the components, if these are all that ran.
void fill_cores(const TimedRun &timed, CoupledRun &run) {
    RunInfo &info = run.run;
    const auto has_cores = [](const TimedComponent &c) { return c.processes > 0 && c.threads > 0; };
    if (info.cores == 0 && !std::ranges::all_of(timed.components, has_cores)) return;
    if (timed.others_not_known)
        run.remarks.push_back(say(Sentence::timers_maybe_part, {{"name", joined(run.component_names, ", ")}}));
    if (info.cores > 0) return;
    info.cores = static_cast<std::int64_t>(component_cores(run));
    info.cores_from = "processes x threads";
}

} // namespace

CoupledRun run_of_timers(const TimedRun &timed) {
    CoupledRun run;
    std::int32_t next_rank = 0;
    refuse_too_many(timed);
    run.remarks = timed.remarks;
    fill_info(timed, run);
    for (const TimedComponent &told : timed.components) {
        run.component_names.push_back(told.name);
        if (told.first_process < 0) continue;
        const std::int64_t next = told.first_process + told.processes * told.stride;
        next_rank = std::max(next_rank, static_cast<std::int32_t>(next));
    }
    for (std::size_t i = 0; i < timed.components.size(); ++i) {
        Component &c = run.components.emplace_back();
        c.name = timed.components[i].name;
        c.id = static_cast<std::int32_t>(i) + 1;
        fill_component(timed, timed.components[i], next_rank, run, c);
    }
    RunInfo &info = run.run;
    info.processes = timed.processes;
    std::vector<std::int32_t> ranks;
    for (const Component &c : run.components)
        ranks.insert(ranks.end(), c.ranks.begin(), c.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    if (info.processes == 0) info.processes = std::unique(ranks.begin(), ranks.end()) - ranks.begin();
    fill_cores(timed, run);
    follow_layout(timed, run);
    run.clock.nodes = 0;
    run.clock.order_violations = -1;
    run.balance.waiting_share = waiting_share_of_cores(run);
    run.cpmip = cpmip_of(run);
    enter_asypd(run, {unix_seconds_or_unknown(info.submitted), unix_seconds_or_unknown(info.started),
                      unix_seconds_or_unknown(info.ended)});
    doubt(timed, run.remarks);
    if (run.sources.empty()) add_source(run, "run.id", timed.id); // also a job of which only the times are known
    return run;
}

} // namespace cpl_lb
