// The waiting share of a run: which components count, stand between others, or were disturbed; and the efficiencies.
#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

namespace cpl_lb {
namespace {

using Partners = std::map<std::int32_t, std::set<std::int32_t>>; // of each component: who exchanges with it

Partners partners_of_all(const CoupledRun &run) {
    Partners partners;
    for (const Component &component : run.components) {
        for (const WaitingFor &w : component.balance.waiting_for) {
            if (w.component == component.id) continue;
            partners[component.id].insert(w.component);
            partners[w.component].insert(component.id);
        }
    }
    return partners;
}

// Whether each two of them exchange with each other.
bool all_know_each_other(const std::vector<std::int32_t> &some, const Partners &partners) {
    return std::ranges::all_of(some, [&](std::int32_t one) {
        const std::set<std::int32_t> &known = partners.at(one);
        return known.size() + 1 >= some.size() &&
               std::ranges::all_of(some, [&](std::int32_t other) { return other == one || known.count(other) > 0; });
    });
}

double share_of_loop(const Component &component) {
    return component.no_processor.outside.max / component.balance.loop_s;
}

bool is_disturbed(const Component &component) {
    return takes_part(component) && component.no_processor.outside.count > 0 &&
           share_of_loop(component) >= disturbed_from;
}

// A timeline may be rounded. If its loop is not the one over which MPI was summed, the sum cannot be used.
constexpr double same_loop = 1e-3;

// Seconds of one process of a component, or of all cores of several components.
struct Hours {
    double interval = 0, computing = 0, useful = 0;
};

double quotient(double part, double whole) {
    return whole > 0 ? part / whole : unknown;
}

double zero_if_unknown(double value) {
    return is_known(value) ? value : 0;
}

// If processes can have waited for less than this share of what their arrivals are apart, that is no waiting.
constexpr double hardly = 0.5;

// For others of its component, at most: in calls of MPI inside it, where writing a file together is one that waits,
// and in operations that all of its processes join.
double most_waited_inside_s(const Component &c) {
    double most_s = 0;
    for (const Spread &in_class : c.inside.in_class_s)
        most_s += zero_if_unknown(in_class.max);
    const bool joins = std::ranges::any_of(c.balance.waiting_for, [](const WaitingFor &w) { return w.sync_s > 0; });
    return joins ? most_s + zero_if_unknown(c.inside.exchanges_s.max) : most_s;
}

Hours hours_of(const Component &c) {
    const ComponentBalance &b = c.balance;
    const ComponentInside &inside = c.inside;
    Hours h{b.loop_s, b.computing_s, unknown};
    if (!has_loop(c)) {
        h.interval = inside.known() ? inside.length_s : unknown;
        h.computing = h.interval - zero_if_unknown(b.whole_waiting_s) - zero_if_unknown(b.whole_away_s);
    }
    const bool same =
        inside.of_whole_run == !has_loop(c) && std::abs(inside.length_s - h.interval) <= same_loop * h.interval;
    if (inside.known() && same) h.useful = inside.useful_s.mean();
    return h;
}

Efficiency efficiency_from(const Hours &h, bool coupled) {
    Efficiency e;
    e.inside = quotient(h.useful, h.computing);
    if (!coupled) return e;
    e.total = quotient(h.useful, h.interval);
    e.coupling = quotient(h.computing, h.interval);
    return e;
}

// The other one on a window; null: not known. The parts of a program do not know each other's names while it runs: of
// two it is the other one.
const Component *other_end(const CoupledRun &run, const Component &c, const FieldTraffic &field) {
    if (field.counterpart == "another part" && run.components.size() == 2)
        return &run.components[&c == run.components.data() ? 1 : 0];
    const auto found = std::ranges::find(run.components, field.counterpart, &Component::name);
    return found == run.components.end() ? nullptr : &*found;
}

// Windows of set-up are accessed less often than once a step by each process. Then, or if memory is shared, other
// exchanges of the two in the loop tell who waits. The waiting of I/O servers holds up nobody.
bool hides_waits(const Component &c, const FieldTraffic &field, const Component *other) {
    if (c.balance.is_io_server || (other != nullptr && other->balance.is_io_server)) return false;
    const auto with_other = [&](const WaitingFor &w) { return w.component == other->id; };
    const bool alone =
        other != nullptr ? std::ranges::none_of(c.balance.waiting_for, with_other) : c.balance.waiting_for.empty();
    return alone || field.messages >= c.balance.step_count * static_cast<std::int64_t>(c.ranks.size());
}

constexpr double waited_from = 0.02;   // of the component's core time: less is not reported
constexpr double more_than_next = 1.5; // how much more others wait for it than for the next process
constexpr std::int64_t again_and_again = 10;

bool knows_waits(const Component &c) {
    return c.inside.known() && c.inside.traffic.known() && c.inside.length_s > 0 && !c.ranks.empty();
}

} // namespace

bool has_loop(const Component &component) {
    return component.balance.loop_s > 0 && is_known(component.balance.waiting_s);
}

bool takes_part(const Component &component) {
    return has_loop(component) && !component.balance.is_io_server && !component.balance.waiting_for.empty();
}

OnWindows on_windows(const CoupledRun &run) {
    OnWindows found;
    std::set<std::string> names;
    for (const Component &c : run.components) {
        for (const FieldTraffic &field : c.fields) {
            if (!is_of_windows(field)) continue;
            const Component *other = other_end(run, c, field);
            names.insert(c.name);
            if (other != nullptr || field.counterpart != "another part")
                names.insert(other == nullptr ? field.counterpart : other->name);
            found.hide_waits = found.hide_waits || hides_waits(c, field, other);
        }
    }
    for (const Component &c : run.components)
        if (names.erase(c.name) > 0) found.names.push_back(c.name);
    found.names.insert(found.names.end(), names.begin(), names.end());
    return found;
}

double waiting_share_of_cores(const CoupledRun &run) {
    if (on_windows(run).hide_waits) return unknown;
    double waiting = 0;
    double loop = 0;
    const InBetween in_between(run);
    for (const Component &component : run.components) {
        if (!takes_part(component) || in_between.leaves_out(component)) continue;
        waiting += component.balance.waiting_s * static_cast<double>(component.cores());
        loop += component.balance.loop_s * static_cast<double>(component.cores());
    }
    return loop > 0 ? waiting / loop : unknown;
}

bool waits_most_of_its_time(const Component &component) {
    return component.balance.waiting_s > 0.5 * component.balance.loop_s;
}

InBetween::InBetween(const CoupledRun &run) {
    const Partners partners = partners_of_all(run);
    std::set<std::int32_t> counted; // those of the run that are no I/O servers
    for (const Component &component : run.components)
        if (!component.balance.is_io_server) counted.insert(component.id);
    for (const Component &component : run.components) {
        if (!takes_part(component) || component.id == run.balance.slow_side || !waits_most_of_its_time(component))
            continue;
        std::vector<std::int32_t> of_this;
        if (const auto found = partners.find(component.id); found != partners.end())
            std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(of_this),
                         [&](std::int32_t id) { return counted.count(id) > 0; });
        if (all_know_each_other(of_this, partners)) continue;
        ids_.insert(component.id);
        if (component.cores() == 1) on_one_core_.insert(component.id);
    }
}

std::vector<const Component *> disturbed_components(const CoupledRun &run) {
    std::vector<const Component *> all;
    for (const Component &component : run.components)
        if (is_disturbed(component)) all.push_back(&component);
    std::ranges::stable_sort(all, std::greater(), [](const Component *c) { return share_of_loop(*c); });
    return all;
}

Efficiency efficiency_of(const Component &c) {
    const Hours h = hours_of(c);
    Efficiency e = efficiency_from(h, has_loop(c));
    if (!is_known(h.useful)) return e;
    e.load_balance = quotient(h.useful, c.inside.useful_s.max);
    e.communication = quotient(c.inside.useful_s.max, h.computing);
    return e;
}

Efficiency efficiency_of(const CoupledRun &run) {
    if (on_windows(run).hide_waits) return {};
    const bool coupled = std::ranges::any_of(run.components, has_loop);
    Hours sum;
    for (const Component &c : run.components) {
        if (has_loop(c) != coupled) continue;
        const Hours h = hours_of(c);
        const auto cores = static_cast<double>(c.cores());
        sum.interval += h.interval * cores;
        sum.computing += h.computing * cores;
        sum.useful += h.useful * cores;
    }
    return efficiency_from(sum, coupled);
}

bool knows_inside(const CoupledRun &run) {
    return std::ranges::any_of(run.components,
                               [](const Component &c) { return c.inside.known() || !c.inside.why_not.empty(); });
}

double share_of_core_time(const Component &c, double seconds) {
    return seconds / (static_cast<double>(c.ranks.size()) * c.inside.length_s);
}

const WaitedFor *late_sender(const Component &c) {
    const std::vector<WaitedFor> &all = c.inside.traffic.waited_for;
    if (!knows_waits(c) || all.empty()) return nullptr;
    const WaitedFor &most = all.front();
    const bool enough = most.waits >= again_and_again && share_of_core_time(c, most.in_loop_s) >= waited_from;
    const bool stands_out = all.size() < 2 || most.in_loop_s >= more_than_next * all[1].in_loop_s;
    return enough && stands_out ? &most : nullptr;
}

double late_sender_share(const Component &c) {
    if (!knows_waits(c)) return unknown;
    const WaitedFor *const late = late_sender(c);
    return late == nullptr ? 0 : share_of_core_time(c, late->in_loop_s);
}

WaitingInside waiting_inside(const Component &c) {
    const double apart_s = c.balance.imbalance_s;
    const ImbalanceParts &parts = c.balance.imbalance_parts;
    const double of_mean = apart_s > 0 ? 1 - std::clamp(zero_if_unknown(parts.mean_s) / apart_s, 0.0, 1.0) : 1;
    const double waits_s = (apart_s - zero_if_unknown(parts.carried_s)) * of_mean;
    if (c.inside.known() && !c.inside.of_whole_run) {
        const double most_s = std::min(apart_s, most_waited_inside_s(c));
        const bool is_spread = most_s < hardly * apart_s * of_mean;
        return {is_spread ? most_s : std::min(most_s, waits_s), is_spread, true};
    }
    const double together_s = apart_s - zero_if_unknown(parts.overtaken_s);
    const bool is_spread = together_s < hardly * apart_s;
    return {is_spread ? together_s : waits_s, is_spread, false};
}

StepTraffic traffic_of_step(const Component &c) {
    StepTraffic of_step;
    const InsideTraffic &traffic = c.inside.traffic;
    if (!traffic.known() || c.balance.step_count < 1) return of_step;
    const auto steps = static_cast<double>(c.balance.step_count);
    const GroupPair sum = traffic.sum();
    of_step.messages = static_cast<double>(sum.messages + traffic.messages_to_others) / steps;
    // Bytes were not counted for partners that did not fit into the table.
    if (traffic.messages_to_others == 0) of_step.bytes = static_cast<double>(sum.bytes) / steps;
    return of_step;
}

} // namespace cpl_lb
