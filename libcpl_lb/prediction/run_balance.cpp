// Finds the slow side and the gain of a run from its critical path.
#include "prediction/run_balance.hpp"

#include "analysis/change_points.hpp"
#include "analysis/members.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/best_split.hpp"
#include "prediction/predictor.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// A component that only takes part in the others' set-up has its loop there, which tells nothing about the run.
// Removes such loops and returns the ids of these components.
std::set<std::int32_t> leave_out_set_ups(CoupledRun &run) {
    constexpr double least_share = 0.1; // of the longest loop
    double longest_s = 0;
    for (const Component &component : run.components)
        if (has_loop(component)) longest_s = std::max(longest_s, component.balance.loop_s);
    std::set<std::int32_t> left_out;
    for (Component &component : run.components) {
        const ComponentBalance &b = component.balance;
        if (component.properties.is_io_server || !has_loop(component) || b.loop_s >= least_share * longest_s)
            continue;
        ComponentBalance without;
        without.why_no_window = "its exchanges take less than a tenth of the longest coupling loop";
        without.whole_waiting_s = b.whole_waiting_s;
        without.whole_waiting_and_operations_s = b.whole_waiting_and_operations_s;
        without.whole_away_s = b.whole_away_s;
        component.balance = std::move(without);
        left_out.insert(component.id);
    }
    return left_out;
}

void mark_io_servers(CoupledRun &run) {
    for (Component &component : run.components) {
        ComponentBalance &b = component.balance;
        b.is_io_server = is_io_server(component);
        b.idle_s = unknown;
        if (!b.is_io_server || !has_loop(component)) continue;
        b.idle_s = 0;
        for (const WaitingFor &part : b.waiting_for)
            b.idle_s += part.get_s;
    }
}

// The coupled components as a run of their own while this object lives: their tables are moved, not copied.
class LentPart {
public:
    LentPart(CoupledRun &run, const std::vector<MatchedExchange> &exchanges) : whole_(run) {
        part_.component_names = run.component_names;
        part_.field_names = run.field_names;
        part_.clock = run.clock;
        const std::set<std::int32_t> coupled = those_that_exchange(exchanges);
        for (std::size_t c = 0; c < run.components.size(); ++c) {
            Component &component = run.components[c];
            if (coupled.count(component.id) == 0) {
                run.balance.left_out.push_back(component.name);
                continue;
            }
            places_.push_back(c);
            part_.components.push_back(std::move(component));
        }
    }
    LentPart(const LentPart &) = delete;
    LentPart &operator=(const LentPart &) = delete;
    ~LentPart() {
        for (std::size_t i = 0; i < places_.size(); ++i)
            whole_.components[places_[i]] = std::move(part_.components[i]);
    }

    [[nodiscard]] CoupledRun &run() { return part_; }
    [[nodiscard]] std::size_t place(std::size_t i) const { return places_[i]; }

private:
    CoupledRun &whole_;
    CoupledRun part_;
    std::vector<std::size_t> places_;
};

// The critical path in the order of time, in the times of the run.
std::vector<PathStretch> stretches_of(const CoupledRun &part, const MeasuredGraph &loop,
                                      const std::vector<std::size_t> &places) {
    std::vector<PathStretch> result; // the latest first
    for (const std::size_t at : places) {
        const std::int32_t component = part.components[loop.graph->component_of(at)].id;
        const bool is_first = loop.graph->is_first(at);
        const Nanoseconds to = loop.time_in_run(loop.measured[at].start, true);
        const Nanoseconds left = is_first ? loop.stretch.start : loop.time_in_run(loop.measured[at - 1].stop, false);
        const Nanoseconds from = std::min(std::max(left, loop.part_at(to).start), to);
        if (!result.empty() && result.back().component == component && !result.back().is_first)
            result.back().time.start = from;
        else
            result.push_back({component, {from, to}, false});
        result.back().is_first = left < from || at == places.back();
    }
    std::ranges::reverse(result);
    return result;
}

void enter_path(CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop) {
    const std::vector<double> as_measured(loop.graph->components(), 1.0);
    std::vector<std::size_t> places;
    const CriticalPath path = loop.graph->critical_path(loop.graph->schedule(as_measured), as_measured, &places);
    const double examined_s = loop.examined_s();
    balance.loop_s = loop.measured_s();
    balance.examined = examined_s / balance.loop_s;
    balance.changes = static_cast<std::int64_t>(std::llround(static_cast<double>(path.hops) / balance.examined));
    balance.on_path_s = 0;
    for (std::size_t c = 0; c < part.components.size(); ++c) {
        const double share = path.seconds[c] / examined_s;
        part.components[c].balance.critical_share = share;
        balance.on_path_s += share * balance.loop_s;
    }
    balance.path = stretches_of(part, loop, places);
}

// A component that waits most of its time lies between those that decide. If all do, they run one after the other,
// and the one with the longest part decides, unless it is a hub. In a ring of relays all are alike.
std::int32_t slow_side_of(const CoupledRun &part) {
    const auto largest = [&](const auto &can_be) {
        const Component *slow = nullptr;
        for (const Component &c : part.components) {
            if (!can_be(c)) continue;
            if (slow == nullptr || c.balance.critical_share > slow->balance.critical_share) slow = &c;
        }
        return slow == nullptr || !(slow->balance.critical_share > 0) ? 0 : slow->id;
    };
    const auto is_busy = [](const Component &c) { return !waits_most_of_its_time(c); };
    const InBetween between(part);
    const auto is_end = [&](const Component &c) { return !c.balance.is_io_server && !between.has(c); };
    if (const std::int32_t one = largest(is_busy); one != 0) return one;
    if (std::ranges::any_of(part.components, is_end)) return largest(is_end);
    return largest([](const Component &c) { return !c.balance.is_io_server; });
}

// The coupled components, the budget, and which components keep their cores.
struct Splitting {
    const LentPart &coupled;
    const BalanceEffort &effort;
    WhoSplits who;

    Splitting(LentPart &part, const BalanceEffort &how) : coupled(part), effort(how) {
        who.keeps = who_decides_the_end(part.run());
        who.keeps.flip();
        for (const Component &component : part.run().components)
            who.threads.push_back(component.threads);
    }
    // The time with the best split, divided by the present one, and its cores for all components of the run.
    double best(const MeasuredGraph &loop, std::size_t components, std::vector<std::int64_t> &cores) const {
        const BestSplit split = best_split(loop, who, effort.boxes, effort.budget);
        cores.assign(components, 0);
        for (std::size_t c = 0; c < split.cores.size(); ++c)
            if (!who.keeps[c]) cores[coupled.place(c)] = split.cores[c];
        return split.pace;
    }
};

void enter_gain(const Splitting &splitting, CoupledRun &run, const MeasuredGraph &loop) {
    RunBalance &balance = run.balance;
    balance.best_s = splitting.best(loop, run.components.size(), balance.best_cores) * balance.loop_s;
    balance.gain_s = balance.loop_s - balance.best_s;
}

// Judges the time after the last change as a run of its own, if it is long enough.
void enter_later(const Splitting &splitting, CoupledRun &whole, CoupledRun &run, const Interval &stretch,
                 std::vector<MatchedExchange> exchanges) {
    RunBalance &balance = whole.balance;
    double last_s = unknown;
    for (const ComputingChange &change : balance.computing_changes)
        if (!change.parts.empty() && !(change.parts.back().start_s <= last_s)) last_s = change.parts.back().start_s;
    constexpr double least_share = 0.1; // of the loop
    if (!is_known(last_s)) return;
    const Interval rest{std::max(from_seconds(last_s), stretch.start), stretch.stop};
    if (to_seconds(rest.length()) < least_share * balance.loop_s) return;
    try {
        MeasuredGraph later =
            measured_graph(run, std::move(exchanges), rest, splitting.effort.points, splitting.effort.budget);
        if (later.paces.empty()) return;
        later.busiest_s.clear(); // that of the whole loop
        LaterPart part{to_seconds(rest.start), to_seconds(rest.length()), unknown, {}};
        part.best_s = splitting.best(later, whole.components.size(), part.best_cores) * part.loop_s;
        balance.later = std::move(part);
    } catch (const std::runtime_error &) { // the later part has no answer
    }
}

// The common loop begins and ends inside of coupling steps, and such a part of a step does not show who is slow. In a
// run of three exchanges there may be nothing else.
void check_length(const CoupledRun &part, const Interval &common) {
    const double common_s = to_seconds(common.length());
    const std::vector<bool> decides = who_decides_the_end(part);
    double longest_s = 0, shortest_s = unknown;
    for (std::size_t c = 0; c < part.components.size(); ++c) {
        const ComponentBalance &b = part.components[c].balance;
        if (!decides[c] || b.step_count == 0) continue;
        const double step_s = b.loop_s / static_cast<double>(b.step_count);
        longest_s = std::max(longest_s, step_s);
        if (!(step_s >= shortest_s)) shortest_s = step_s;
    }
    constexpr double rounding = 1 - 1e-9;
    if (common_s < rounding * longest_s || common_s < rounding * 2 * shortest_s)
        throw PredictionError("the run is too short: its components have less than two coupling steps in common");
}

void follow_path(CoupledRun &run, const std::vector<Exchange> &found, const std::set<std::int32_t> &left_out,
                 const BalanceEffort &effort) {
    std::vector<MatchedExchange> exchanges = match_events(run, found, effort.budget);
    std::erase_if(exchanges, [&](const MatchedExchange &m) {
        return m.pairs.empty() || left_out.contains(m.exchange.source) || left_out.contains(m.exchange.target);
    });
    const bool has_members = std::ranges::any_of(component_groups(run), &ComponentGroup::is_folded);
    LentPart part(run, exchanges);
    RunBalance &balance = run.balance;
    std::optional<MeasuredGraph> loop;
    try {
        const Interval common = common_stretch(part.run());
        check_length(part.run(), common);
        loop = measured_graph(part.run(), std::move(exchanges), common, effort.points, effort.budget);
        check_clocks(*loop);
        enter_path(part.run(), balance, *loop);
        balance.slow_side = slow_side_of(part.run());
        enter_equally_slow(part.run(), balance, *loop);
    } catch (const std::runtime_error &error) { // no answer, or no time left for it
        balance.why_no_path = balance.why_no_gain = error.what();
        return;
    }
    if (has_members) { // one model: a split that gives each another count is no advice
        balance.why_no_gain = "cores are not moved between members of an ensemble";
        return;
    }
    try {
        const Splitting splitting(part, effort);
        enter_gain(splitting, run, *loop);
        const Interval stretch = loop->stretch;
        std::vector<MatchedExchange> matched = std::move(loop->exchanges);
        loop.reset(); // one graph in memory at a time
        enter_later(splitting, run, part.run(), stretch, std::move(matched));
    } catch (const std::runtime_error &error) { // no answer, or no time left for it
        balance.why_no_gain = error.what();
        balance.best_cores.clear();
    }
}

// An unrecorded component that others wait for may be slow, or may itself wait, even for a component that waits for
// it. Only a recording of it would show that. The waiting of an I/O server does not hold up others.
bool waits_for_unrecorded(const CoupledRun &run) {
    std::set<std::int32_t> recorded;
    for (const Component &c : run.components)
        recorded.insert(c.id);
    return std::ranges::any_of(run.components, [&](const Component &c) {
        if (c.balance.is_io_server) return false;
        return std::ranges::any_of(c.balance.waiting_for, [&](const WaitingFor &w) {
            return w.component != 0 && !recorded.contains(w.component) &&
                   w.get_s + w.put_s >= balanced_below * c.balance.loop_s;
        });
    });
}

// Leaves the gain of another split unknown, for the whole loop and for its parts.
void leave_gain_open(RunBalance &balance, const std::string &why) {
    balance.later = {};
    if (!balance.why_no_gain.empty()) return;
    balance.best_s = balance.gain_s = unknown;
    balance.best_cores.clear();
    balance.why_no_gain = why;
}

std::string why_not_followed(const CoupledRun &run) {
    if (run.components.size() < 2) // saves the matching of events
        return "a single component has nobody to wait for in this run";
    if (!run.clock.why_not_comparable.empty()) return run.clock.why_not_comparable;
    if (std::ranges::any_of(run.components, &Component::table_left_out))
        return "there was no memory for all exchanges";
    if (on_windows(run).hide_waits) return windows_hide_waits;
    return {};
}

void judge_path(CoupledRun &run, const std::vector<Exchange> &exchanges, const std::set<std::int32_t> &left_out,
                const BalanceEffort &effort) {
    if (const std::string why = why_not_followed(run); !why.empty()) {
        run.balance.why_no_path = run.balance.why_no_gain = why;
        return;
    }
    try {
        follow_path(run, exchanges, left_out, effort);
        if (waits_for_unrecorded(run)) { // then the slow side is not known either
            run.balance.slow_side = 0;
            run.balance.equally_slow.clear();
            const std::string why = "components wait for a program that is not in this run";
            if (!run.balance.why_no_path.empty()) // the remaining components may exchange nothing, or miss a message
                run.balance.why_no_path = run.balance.why_no_gain = why;
            leave_gain_open(run.balance, why);
        }
        if (const std::string why = why_cores_not_known(run); !why.empty()) leave_gain_open(run.balance, why);
    } catch (const std::bad_alloc &) {
        run.balance.why_no_path = run.balance.why_no_gain = "out of memory";
    } catch (const std::exception &error) {
        run.balance.why_no_path = run.balance.why_no_gain = error.what();
    }
}

} // namespace

std::string why_cores_not_known(const CoupledRun &run) {
    for (const Component &c : run.components) {
        if (c.missing_processes == 0) continue;
        return counted(c.missing_processes, "process", "processes") + " of " + c.name + " " +
               word_for(c.missing_processes, "is", "are") + " missing: what it takes with other cores is not known";
    }
    if (run.run.origin == Origin::imported && run.run.missing_count > 0)
        return "processes are missing, and the trace does not tell of which component";
    return "";
}

void judge_balance(CoupledRun &run, const std::vector<Exchange> &exchanges, const BalanceEffort &effort) {
    run.balance = {};
    const std::set<std::int32_t> left_out = leave_out_set_ups(run);
    mark_io_servers(run);
    run.balance.computing_changes =
        effort.changes.empty() ? computing_changes(run) : computing_changes(run, effort.changes);
    judge_path(run, exchanges, left_out, effort);
    run.balance.waiting_share = waiting_share_of_cores(run); // a component between others is no slow side
}

} // namespace cpl_lb
