// Fills a CoupledRun from timers, and keeps the source of each figure.
#include "run/timers/timed_results.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/concurrency.hpp"
#include "run/timers/shares.hpp"
#include "run/timers/timer_doubts.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

void complete(TimedFigure &figure, const TimedFigure &other) {
    if (!figure.known()) figure = other;
}

void complete(std::string &text, const std::string &other) {
    if (text.empty()) text = other;
}

// Statistics over all processes hold those of a process's own file.
void complete(TimedPart &part, const TimedPart &other) {
    if (part.of_own_files && other.of_own_files)
        add_part(part, other);
    else if (part.of_own_files || !is_known(part.mean_s))
        part = other;
}

void complete(TimedComponent &component, const TimedComponent &other) {
    if (component.processes == 0) {
        component.processes = other.processes;
        component.threads = other.threads;
        component.processes_from = other.processes_from;
        component.first_process = other.first_process;
        component.stride = other.stride;
    }
    for (TimedFigure TimedComponent::*figure : timed_component_figures)
        complete(component.*figure, other.*figure);
    if (component.waits.empty()) component.waits = other.waits;
    join_parts(component.parts, other.parts, [](TimedPart &part, const TimedPart &its) { complete(part, its); });
    component.is_io_server = component.is_io_server || other.is_io_server;
}

// Tables of processes that other files told already do not count again.
bool is_told_already(TimedRun &run, const TimedRun &other) {
    for (const auto &[process, from] : other.own_tables) {
        const auto first = run.own_tables.find(process);
        if (first == run.own_tables.end()) continue;
        run.remarks.push_back(
            say(Sentence::timers_process_twice, {{"where", from}, {"process", process}, {"first", first->second}}));
        return true;
    }
    run.own_tables.insert(other.own_tables.begin(), other.own_tables.end());
    return false;
}

void complete(TimedRun &run, TimedRun other) {
    if (is_told_already(run, other)) return;
    complete(run.id, other.id);
    complete(run.coupler, other.coupler);
    complete(run.machine, other.machine);
    complete(run.submitted, other.submitted);
    complete(run.started, other.started);
    complete(run.ended, other.ended);
    for (TimedFigure TimedRun::*figure : {&TimedRun::simulated_s, &TimedRun::startup_s, &TimedRun::loop_s,
                                          &TimedRun::shutdown_s, &TimedRun::wall_s, &TimedRun::cores})
        complete(run.*figure, other.*figure);
    run.speed_is_of_loop = run.speed_is_of_loop || other.speed_is_of_loop;
    if (run.processes == 0) run.processes = other.processes;
    for (TimedComponent &component : other.components) {
        const auto same = std::find_if(run.components.begin(), run.components.end(),
                                       [&](const TimedComponent &c) { return c.name == component.name; });
        if (same != run.components.end() && same->is_share && component.is_share)
            add_share(*same, component);
        else if (same != run.components.end())
            complete(*same, component);
        else if (!run.leads) // one that leads has all that compute
            run.components.push_back(std::move(component));
    }
    if (run.layout.empty()) {
        run.layout = other.layout;
        run.layout_rules = other.layout_rules;
    }
    run.remarks.insert(run.remarks.end(), other.remarks.begin(), other.remarks.end());
}

class Filler {
public:
    explicit Filler(const TimedRun &timed) : timed_(timed) {}
    CoupledRun run();

private:
    void take(const std::string &figure, const TimedFigure &told, double &value);
    void source(const std::string &figure, const std::string &from);
    void fill_info();
    void fill_cores();
    void fill(const TimedComponent &told, Component &c);
    void fill_waits(const std::string &path, const TimedComponent &told, ComponentBalance &b);
    void fill_regions(const std::string &path, const TimedComponent &told, Component &c);
    void follow_layout();

    const TimedRun &timed_;
    CoupledRun run_;
    std::vector<std::string> doubts_;
    std::int32_t next_rank_ = 0;
};

void Filler::source(const std::string &figure, const std::string &from) {
    if (!from.empty()) run_.sources.push_back({figure, from});
}

void Filler::take(const std::string &figure, const TimedFigure &told, double &value) {
    if (!told.known()) return;
    if (told.value < 0) {
        doubts_.push_back(
            say(Sentence::timers_negative, {{"where", told.from}, {"value", fmt::format("{:.6g}", told.value)}}));
        return;
    }
    value = told.value;
    source(figure, told.from);
}

void Filler::fill_info() {
    RunInfo &info = run_.run;
    info.id = timed_.id;
    info.origin = Origin::imported;
    info.coupler = timed_.coupler;
    info.submitted = timed_.submitted;
    info.started = timed_.started;
    info.ended = timed_.ended;
    info.platform_facts.machine = timed_.machine;
    info.year_days = timed_.year_days;
    take("run.simulated_s", timed_.simulated_s, info.simulated_s);
    take("run.wall_s", timed_.wall_s, info.wall_s);
    if (!timed_.wall_s.known()) info.wall_s = timed_.startup_s.value + timed_.loop_s.value + timed_.shutdown_s.value;
    if (is_known(info.wall_s) && !timed_.wall_s.known())
        source("run.wall_s", timed_.startup_s.from + " + " + timed_.loop_s.from + " + " + timed_.shutdown_s.from);
    if (timed_.speed_is_of_loop) take("run.speed_over_s", timed_.loop_s, info.speed_over_s);
    double cores = unknown;
    take("run.cores", timed_.cores, cores);
    if (cores > 0) {
        info.cores = static_cast<std::int64_t>(cores);
        info.cores_from = timed_.cores.from;
    }
}

void Filler::fill_waits(const std::string &path, const TimedComponent &told, ComponentBalance &b) {
    for (const TimedWait &wait : told.waits) {
        const auto place = std::find(run_.component_names.begin(), run_.component_names.end(), wait.component);
        const auto id = place == run_.component_names.end()
                            ? std::int32_t{0}
                            : static_cast<std::int32_t>(place - run_.component_names.begin()) + 1;
        b.waiting_for.push_back({id, wait.seconds.value, 0, 0});
        source(path + "waiting_for." + wait.component, wait.seconds.from);
    }
    std::sort(b.waiting_for.begin(), b.waiting_for.end(),
              [](const WaitingFor &a, const WaitingFor &other) { return a.component < other.component; });
}

void Filler::fill_regions(const std::string &path, const TimedComponent &told, Component &c) {
    for (const TimedPart &part : told.parts) {
        RegionSummary &region = c.regions.emplace_back();
        region.name = part.name;
        region.calls = part.calls;
        region.processes = static_cast<std::int32_t>(part.processes);
        region.min_s = part.min_s;
        region.mean_s = part.mean_s;
        region.max_s = part.max_s;
        source(path + "regions." + part.name, part.from);
    }
}

void Filler::fill(const TimedComponent &told, Component &c) {
    const std::string path = "components." + told.name + ".";
    c.threads = static_cast<std::int32_t>(std::max<std::int64_t>(told.threads, 1));
    const bool placed = told.first_process >= 0;
    for (std::int64_t p = 0; p < told.processes; ++p)
        c.ranks.push_back(placed ? static_cast<std::int32_t>(told.first_process + p * told.stride) : next_rank_++);
    if (told.processes > 0) source(path + "processes", told.processes_from);
    ComponentBalance &b = c.balance;
    b.loop_s = timed_.loop_s.value;
    take(path + "loop_s", told.loop_s, b.loop_s);
    if (!told.loop_s.known() && timed_.loop_s.known()) source(path + "loop_s", timed_.loop_s.from);
    take(path + "computing_s", told.computing_s, b.computing_s);
    take(path + "waiting_s", told.waiting_s, b.waiting_s);
    take(path + "mapping_s", told.mapping_s, b.mapping_s);
    take(path + "mapping_spread_s", told.mapping_spread_s, b.mapping_spread_s);
    take(path + "output_s", told.output_s, b.output_s);
    take(path + "output_spread_s", told.output_spread_s, b.output_spread_s);
    take(path + "restart_s", told.restart_s, b.restart_s);
    take(path + "restart_spread_s", told.restart_spread_s, b.restart_spread_s);
    take(path + "imbalance_s", told.imbalance_s, b.imbalance_s);
    take(path + "jitter_s", told.jitter_s, b.jitter_s);
    b.startup.length_s = timed_.startup_s.value;
    take(path + "startup_s", told.startup_s, b.startup.length_s);
    b.shutdown.length_s = timed_.shutdown_s.value;
    take(path + "shutdown_s", told.shutdown_s, b.shutdown.length_s);
    if (is_known(b.waiting_s) && b.loop_s > 0) b.coupling_cost = b.waiting_s / b.loop_s;
    if (!is_known(b.loop_s)) b.why_no_window = "no timer tells how long its loop took";
    c.properties.is_io_server = b.is_io_server = told.is_io_server;
    if (told.is_io_server) b.idle_s = b.waiting_s;
    fill_waits(path, told, b);
    fill_regions(path, told, c);
    c.own_cores = c.cores();
    if (is_known(run_.run.wall_s)) c.last_terminate = from_seconds(run_.run.wall_s);
}

// Who is on the longest path through the layout, by its rules.
void Filler::follow_layout() {
    RunBalance &balance = run_.balance;
    balance.why_no_path = "timers tell how long components computed, and not who waited for whom when";
    balance.why_no_gain = balance.why_no_path;
    if (timed_.layout.empty()) return;
    run_.run.layout = timed_.layout;
    source("run.layout", timed_.layout_rules);
    std::vector<double> computing;
    for (const Component &c : run_.components)
        computing.push_back(c.balance.computing_s);
    if (!(timed_.loop_s.value > 0) || !std::all_of(computing.begin(), computing.end(), is_known)) return;
    const Concurrency layout(timed_.layout, run_.component_names);
    const std::vector<double> shares = layout.path_shares(computing);
    constexpr double timers_apart = 1.01;
    if (const double path_s = layout.length_s(computing); path_s > timers_apart * timed_.loop_s.value) {
        balance.why_no_path = balance.why_no_gain = "the layout's longest path takes longer than the loop";
        doubts_.push_back(
            say(Sentence::timers_path_too_long, {{"layout", timed_.layout},
                                                 {"path", fmt::format("{:.6g}", path_s)},
                                                 {"loop", fmt::format("{:.6g}", timed_.loop_s.value)}}));
        return;
    }
    balance.why_no_path.clear();
    balance.loop_s = timed_.loop_s.value;
    balance.on_path_s = 0;
    for (std::size_t i = 0; i < run_.components.size(); ++i) {
        const double on_path_s = shares[i] * computing[i];
        run_.components[i].balance.critical_share = on_path_s / balance.loop_s;
        balance.on_path_s += on_path_s;
    }
    source("balance.critical_s", timed_.layout_rules);
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
void Filler::fill_cores() {
    RunInfo &info = run_.run;
    const bool all_known = std::all_of(timed_.components.begin(), timed_.components.end(),
                                       [](const TimedComponent &c) { return c.processes > 0 && c.threads > 0; });
    if (info.cores == 0 && !all_known) return;
    std::vector<std::string> names;
    names.reserve(timed_.components.size());
    for (const TimedComponent &c : timed_.components)
        names.push_back(c.name);
    if (timed_.others != OtherModels::none) {
        const Sentence sentence =
            timed_.others == OtherModels::ran ? Sentence::timers_part_of_run : Sentence::timers_maybe_part;
        doubts_.push_back(say(sentence, {{"name", joined(names, ", ")}}));
    }
    if (info.cores > 0 || timed_.others == OtherModels::ran) return;
    info.cores = static_cast<std::int64_t>(component_cores(run_));
    info.cores_from = "processes x threads";
}

CoupledRun Filler::run() {
    refuse_too_many(timed_);
    fill_info();
    for (const TimedComponent &told : timed_.components)
        run_.component_names.push_back(told.name);
    for (const TimedComponent &told : timed_.components) {
        next_rank_ = std::max<std::int32_t>(
            next_rank_, told.first_process < 0
                            ? 0
                            : static_cast<std::int32_t>(told.first_process + told.processes * told.stride));
    }
    for (std::size_t i = 0; i < timed_.components.size(); ++i) {
        Component &c = run_.components.emplace_back();
        c.name = timed_.components[i].name;
        c.id = static_cast<std::int32_t>(i) + 1;
        fill(timed_.components[i], c);
    }
    RunInfo &info = run_.run;
    info.processes = timed_.processes;
    std::vector<std::int32_t> ranks;
    for (const Component &c : run_.components)
        ranks.insert(ranks.end(), c.ranks.begin(), c.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    if (info.processes == 0) info.processes = std::unique(ranks.begin(), ranks.end()) - ranks.begin();
    fill_cores();
    follow_layout();
    run_.clock.nodes = 0;
    run_.clock.order_violations = -1;
    run_.balance.waiting_share = waiting_share_of_cores(run_);
    run_.cpmip = cpmip_of(run_);
    enter_asypd(run_, {unix_seconds_or_unknown(info.submitted), unix_seconds_or_unknown(info.started),
                       unix_seconds_or_unknown(info.ended)});
    run_.remarks = timed_.remarks;
    run_.remarks.insert(run_.remarks.end(), doubts_.begin(), doubts_.end());
    const std::vector<std::string> doubts = doubts_about(timed_);
    run_.remarks.insert(run_.remarks.end(), doubts.begin(), doubts.end());
    if (run_.sources.empty()) source("run.id", timed_.id); // also a job of which only the times are known
    return std::move(run_);
}

} // namespace

// Members of an ensemble that began in the same second may share the word that joins files: each that leads is a run
// then, and nobody knows whose the other files are.
std::vector<TimedRun> joined_runs(std::vector<TimedRun> runs) {
    std::map<std::string, std::set<std::string>> leaders; // by TimedRun::of
    for (const TimedRun &run : runs)
        if (run.leads) leaders[run.of].insert(run.id);
    std::vector<TimedRun> joined;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (TimedRun &run : runs) {
        const auto found = leaders.find(run.of);
        const bool several = found != leaders.end() && found->second.size() > 1;
        const bool alone = run.of.empty() || (several && !run.leads);
        const auto [place, is_new] = places.try_emplace({run.of, several ? run.id : ""}, joined.size());
        if (alone || is_new) {
            joined.push_back(std::move(run));
            continue;
        }
        if (run.leads && !joined[place->second].leads) std::swap(run, joined[place->second]);
        complete(joined[place->second], std::move(run));
    }
    return joined;
}

CoupledRun run_of_timers(const TimedRun &timed) {
    return Filler(timed).run();
}

} // namespace cpl_lb
