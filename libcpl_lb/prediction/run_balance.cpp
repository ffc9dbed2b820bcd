// Finds the slow side and the gain of a run from its critical path.
#include "prediction/run_balance.hpp"

#include "analysis/io_servers.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// A component that takes part in the others' set-up only has its loop there, which tells nothing of the run. Gives
// the ids of those that were left without one.
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

// The coupled components as a run of their own while this object lives: their tables are lent, not copied.
class CoupledPart {
public:
    CoupledPart(CoupledRun &run, const std::vector<MatchedExchange> &exchanges) : whole_(run) {
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
    CoupledPart(const CoupledPart &) = delete;
    CoupledPart &operator=(const CoupledPart &) = delete;
    ~CoupledPart() {
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

void enter_path(CoupledRun &part, RunBalance &balance, const LoopPieces &loop) {
    const CriticalPath path = loop.path();
    const double whole_s = to_seconds(loop.loop.length());
    balance.loop_s = whole_s;
    balance.examined = loop.examined_s / whole_s;
    balance.changes = static_cast<std::int64_t>(std::llround(static_cast<double>(path.hops) / balance.examined));
    balance.on_path_s = 0;
    for (std::size_t c = 0; c < part.components.size(); ++c) {
        const double share = path.seconds[c] / loop.examined_s;
        part.components[c].balance.critical_share = share;
        balance.on_path_s += share * whole_s;
    }
    balance.path = loop.path_stretches();
    for (PathStretch &stretch : balance.path)
        stretch.component = part.components[static_cast<std::size_t>(stretch.component)].id;
}

// Who waits most of its time is between those that decide; where all do, they run one after the other, and the one
// with the longest part is the slow one.
std::int32_t slow_side_of(const CoupledRun &part) {
    const auto largest = [&](bool of_all) {
        const Component *slow = nullptr;
        for (const Component &c : part.components) {
            if (!of_all && c.balance.waiting_s > 0.5 * c.balance.loop_s) continue;
            if (slow == nullptr || c.balance.critical_share > slow->balance.critical_share) slow = &c;
        }
        return slow == nullptr || !(slow->balance.critical_share > 0) ? 0 : slow->id;
    };
    const std::int32_t one = largest(false);
    return one != 0 ? one : largest(true);
}

void enter_gain(const CoupledRun &part, RunBalance &balance, const LoopPieces &loop, const BalanceEffort &effort,
                std::vector<std::int64_t> &best) {
    const std::vector<bool> decides = who_decides_the_end(part);
    std::vector<bool> keeps;
    std::vector<std::int64_t> threads;
    for (std::size_t c = 0; c < part.components.size(); ++c) {
        keeps.push_back(!decides[c]);
        threads.push_back(part.components[c].threads);
    }
    const BestSplit split = best_split(loop, keeps, threads, effort.boxes, effort.budget);
    balance.best_s = std::min(1.0, split.pace) * balance.loop_s;
    balance.gain_s = balance.loop_s - balance.best_s;
    best = split.cores;
    for (std::size_t c = 0; c < best.size(); ++c)
        if (keeps[c]) best[c] = 0;
}

// The common loop begins and ends inside of coupling steps, and such a piece of a step does not tell who is slow: in
// a run of three exchanges it may be all there is.
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
        return left_out.count(m.exchange.source) > 0 || left_out.count(m.exchange.target) > 0;
    });
    exchanges.erase(
        std::remove_if(exchanges.begin(), exchanges.end(), [](const MatchedExchange &m) { return m.pairs.empty(); }),
        exchanges.end());
    CoupledPart part(run, exchanges);
    RunBalance &balance = run.balance;
    std::vector<std::int64_t> best;
    Interval common;
    try {
        common = common_stretch(part.run());
        check_length(part.run(), common);
        const LoopPieces loop = pieces_of_loop(part.run(), exchanges, common, effort.path_points, effort.budget);
        enter_path(part.run(), balance, loop);
        balance.slow_side = slow_side_of(part.run());
    } catch (const std::runtime_error &error) { // no answer, or no time left for it
        balance.why_no_path = balance.why_no_gain = error.what();
        return;
    }
    try {
        const LoopPieces loop = pieces_of_loop(part.run(), exchanges, common, effort.gain_points, effort.budget);
        enter_gain(part.run(), balance, loop, effort, best);
    } catch (const std::runtime_error &error) { // no answer, or no time left for it
        balance.why_no_gain = error.what();
        return;
    }
    balance.best_cores.assign(run.components.size(), 0);
    for (std::size_t c = 0; c < best.size(); ++c)
        balance.best_cores[part.place(c)] = best[c];
}

} // namespace

namespace {

// Who is waited for may be slow, or wait itself, also for one that waits for it: only its own record would tell.
bool waits_for_unrecorded(const CoupledRun &run) {
    std::set<std::int32_t> recorded;
    for (const Component &c : run.components)
        recorded.insert(c.id);
    return std::any_of(run.components.begin(), run.components.end(), [&](const Component &c) {
        return std::any_of(c.balance.waiting_for.begin(), c.balance.waiting_for.end(), [&](const WaitingFor &w) {
            return w.component != 0 && !recorded.contains(w.component) &&
                   w.get_s + w.put_s >= balanced_below * c.balance.loop_s;
        });
    });
}

void judge_path(CoupledRun &run, const std::vector<Exchange> &exchanges, const std::set<std::int32_t> &left_out,
                const BalanceEffort &effort) {
    if (run.components.size() < 2) { // spares the matching of its events
        run.balance.why_no_path = run.balance.why_no_gain = "a single component has nobody to wait for";
        return;
    }
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; })) {
        run.balance.why_no_path = run.balance.why_no_gain = "there was no memory for all exchanges";
        return;
    }
    try {
        follow_path(run, exchanges, left_out, effort);
        if (waits_for_unrecorded(run)) run.balance.slow_side = 0;
    } catch (const std::bad_alloc &) {
        run.balance.why_no_path = run.balance.why_no_gain = "out of memory";
    } catch (const std::exception &error) {
        run.balance.why_no_path = run.balance.why_no_gain = error.what();
    }
}

} // namespace

void judge_balance(CoupledRun &run, const std::vector<Exchange> &exchanges, const BalanceEffort &effort) {
    run.balance = {};
    const std::set<std::int32_t> left_out = leave_out_set_ups(run);
    mark_io_servers(run);
    judge_path(run, exchanges, left_out, effort);
    run.balance.waiting_share = waiting_share_of_cores(run); // who stands between others is no slow side
}

} // namespace cpl_lb
