// Treats members that come to a meeting like processes that come to an exchange, so that imbalance_parts.hpp explains
// both.
#include "analysis/member_figures.hpp"

#include "analysis/arrival_tests.hpp"
#include "analysis/imbalance_parts.hpp"
#include "analysis/member_groups.hpp"
#include "analysis/member_meetings.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

const Component &component_of(const CoupledRun &run, const EnsembleMember &member) {
    return run.components[member.place];
}

// The mean computing of the first `steps` steps. For long runs, whose steps are listed in groups, that of all steps.
double computing_of_step(const ComponentBalance &b, std::int64_t steps) {
    if (b.step_count < 1 || steps < 1) return unknown;
    const bool each_listed = b.steps.size() >= static_cast<std::size_t>(steps) && b.steps.front().steps == 1;
    if (steps == b.step_count || !each_listed) return b.computing_s / static_cast<double>(b.step_count);
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i)
        sum += b.steps[i].computing_s;
    return sum / static_cast<double>(steps);
}

void fill_spreads(const CoupledRun &run, MemberGroup &group) {
    group.steps = 0;
    bool any = false;
    for (EnsembleMember &m : group.of) {
        const ComponentBalance &b = component_of(run, m).balance;
        m.steps = b.step_count;
        group.computing_s.add(b.computing_s);
        group.waiting_s.add(b.waiting_s);
        group.startup.length_s.add(b.startup.length_s);
        group.most_steps = std::max(group.most_steps, m.steps);
        if (m.steps > 0) group.steps = any ? std::min(group.steps, m.steps) : m.steps;
        any = any || m.steps > 0;
    }
    for (EnsembleMember &m : group.of) {
        const ComponentBalance &b = component_of(run, m).balance;
        m.step_s = run.from_timers() ? b.computing_s : computing_of_step(b, std::min(group.steps, m.steps));
        group.step_s.add(m.step_s);
    }
    const auto first_as = [&](double extreme) {
        const auto at =
            std::ranges::find_if(group.of, [&](const EnsembleMember &m) { return compute_alike(m.step_s, extreme); });
        return at == group.of.end() ? 0 : static_cast<std::size_t>(at - group.of.begin());
    };
    group.slowest = first_as(group.step_s.max);
    group.fastest = first_as(group.step_s.min);
    std::vector<double> startup;
    for (const EnsembleMember &m : group.of)
        startup.push_back(component_of(run, m).balance.startup.length_s);
    group.startup.growth_s = growth_by_member(startup);
}

// A member is cut if it is on more nodes than the fewest that a member with as many cores has.
void find_cuts(const CoupledRun &run, MemberGroup &group) {
    std::map<std::int64_t, std::int32_t> fewest; // by cores
    for (const EnsembleMember &m : group.of) {
        const Component &c = component_of(run, m);
        if (c.nodes < 1) continue;
        const auto [at, is_new] = fewest.try_emplace(c.cores(), c.nodes);
        if (!is_new) at->second = std::min(at->second, c.nodes);
    }
    for (EnsembleMember &m : group.of) {
        const Component &c = component_of(run, m);
        m.is_cut = c.nodes > 0 && c.nodes > fewest.at(c.cores());
    }
}

// A number for each member; members with a node in common have the same one. Empty: the nodes of some are not known.
std::vector<std::int32_t> node_groups(const CoupledRun &run, const MemberGroup &group) {
    std::map<std::int32_t, std::int32_t> of_node; // to its group, which may lead to another one
    std::vector<std::int32_t> lead;               // of each group
    const auto first_of = [&](std::int32_t g) {
        while (lead[static_cast<std::size_t>(g)] != g)
            g = lead[static_cast<std::size_t>(g)];
        return g;
    };
    std::vector<std::int32_t> own;
    for (const EnsembleMember &m : group.of) {
        const std::vector<std::int32_t> &nodes = component_of(run, m).on_nodes;
        if (nodes.empty()) return {};
        const auto mine = static_cast<std::int32_t>(lead.size());
        lead.push_back(mine);
        own.push_back(mine);
        for (const std::int32_t node : nodes) {
            const auto [at, is_new] = of_node.try_emplace(node, mine);
            if (!is_new) lead[static_cast<std::size_t>(first_of(at->second))] = first_of(mine);
        }
    }
    std::map<std::int32_t, std::int32_t> numbers;
    for (std::int32_t &g : own)
        g = numbers.try_emplace(first_of(g), static_cast<std::int32_t>(numbers.size())).first->second;
    return own;
}

// The reason in the words of members; empty: the groups of nodes can be told apart.
std::string why_no_node_groups(const CoupledRun &run, const MemberGroup &group,
                               const std::vector<std::int32_t> &groups) {
    if (groups.empty()) return "the nodes of its members are not known";
    const auto count = static_cast<std::size_t>(*std::ranges::max_element(groups)) + 1;
    if (count == groups.size()) return "each member has nodes of its own";
    if (count >= least_nodes) return "";
    std::set<std::int32_t> nodes;
    for (const EnsembleMember &m : group.of)
        nodes.insert(component_of(run, m).on_nodes.begin(), component_of(run, m).on_nodes.end());
    if (nodes.size() < least_nodes) return "its members share one node, or two";
    return "members on several nodes join its " + std::to_string(nodes.size()) + " nodes into " +
           (count == 1 ? "one group" : "two groups") + ", and it takes three to tell nodes from members";
}

// Presents meetings as the events of one component whose processes are the members.
struct AsExchanges {
    EventTable table;
    std::vector<Row> rows;
    Window window;
};

AsExchanges as_exchanges(const std::vector<MemberMeeting> &meetings, std::size_t members) {
    AsExchanges as;
    as.rows.resize(members);
    Nanoseconds last = absent;
    std::map<std::uint32_t, std::int64_t> occurrences;
    for (const MemberMeeting &meeting : meetings) {
        EventSpan span;
        for (std::size_t m = 0; m < members; ++m) {
            const AtMeeting &at = meeting.of[m];
            as.rows[m].start.push_back(at.arrival);
            as.rows[m].stop.push_back(at.left);
            if (at.arrival != absent) span.add(at.arrival, at.left);
        }
        as.table.spans.push_back(span);
        as.table.keys.push_back(
            {Kind::sync, static_cast<std::int32_t>(meeting.group) + 1, 0, no_date, occurrences[meeting.group]++});
        last = std::max(last, span.last_stop);
    }
    if (!meetings.empty()) as.window.steps = {meetings.front().first(), last + 1};
    return as;
}

// Names of the nodes that the late members share. All their nodes are listed, because a chain of members may span
// several. Empty: they have no names, or are too many.
std::string names_of_late(const CoupledRun &run, const MemberGroup &group, const std::vector<std::int32_t> &groups) {
    constexpr std::size_t most_named = 4;
    const std::int32_t late = groups[static_cast<std::size_t>(group.parts.late_node_process)];
    std::set<std::int32_t> nodes;
    for (std::size_t m = 0; m < groups.size(); ++m) {
        const std::vector<std::int32_t> &on = component_of(run, group.of[m]).on_nodes;
        if (groups[m] == late) nodes.insert(on.begin(), on.end());
    }
    std::string names;
    for (const std::int32_t node : nodes) {
        if (node < 0 || static_cast<std::size_t>(node) >= run.meters.nodes.size()) return "";
        names += (names.empty() ? "" : ", ") + run.meters.nodes[static_cast<std::size_t>(node)].name;
    }
    return nodes.size() <= most_named ? names : "";
}

// A node with one member cannot be told from that member.
void count_as_member(ImbalanceParts &p) {
    p.processes_s += p.nodes_s;
    p.nodes_s = 0;
    p.late_node_process = -1;
    p.late_node_s = unknown;
}

void explain(const CoupledRun &run, MemberGroup &group, const std::vector<MemberMeeting> &meetings) {
    const AsExchanges as = as_exchanges(meetings, group.of.size());
    ArrivalsOfAll arrivals(as.table, as.window, group.of.size());
    for (std::size_t m = 0; m < group.of.size(); ++m)
        arrivals.set(m, as.rows[m]);
    const std::vector<std::int32_t> nodes = node_groups(run, group);
    const std::string why_no_nodes = why_no_node_groups(run, group, nodes);
    group.parts = arrivals.parts({}, why_no_nodes.empty() ? std::span(nodes) : std::span<const std::int32_t>());
    ImbalanceParts &p = group.parts;
    if (!p.why_missing.empty())
        p.why_missing = "its members meet too seldom, or always together, to tell what is always and what is chance";
    if (!p.why_no_nodes.empty()) p.why_no_nodes = why_no_nodes;
    if (p.late_node_process >= 0) {
        const std::int32_t late = nodes[static_cast<std::size_t>(p.late_node_process)];
        if (std::ranges::count(nodes, late) == 1)
            count_as_member(p);
        else
            p.late_node = names_of_late(run, group, nodes);
    }
    for (std::size_t m = 0; m < std::min(p.late_s.size(), group.of.size()); ++m)
        group.of[m].late_s = p.late_s[m];
}

// Few members have so few orders that none is rare: 4 of 8 can be chosen in 70 ways. Then it counts that each that is
// cut is later than each other one, by more than they differ among themselves, and that chance cuts just these in at
// most one of `least_orders` ways.
bool stand_apart(const Spread &cut, const Spread &whole) {
    constexpr double least_orders = 20;
    if (cut.count < 2 || whole.count < 2) return false; // one may be slow for a reason of its own
    double orders = 1;
    for (std::int64_t i = 1; i <= cut.count; ++i)
        orders *= static_cast<double>(whole.count + i) / static_cast<double>(i);
    return orders > least_orders - 0.5 && cut.min - whole.max > std::max(cut.max - cut.min, whole.max - whole.min);
}

// Whether cut members are later by more than chance. A single one is, if it comes last nearly always.
void judge_cuts(MemberGroup &group) {
    std::vector<double> late;
    std::vector<std::int32_t> cut;
    Spread of_cut, of_whole;
    for (const EnsembleMember &m : group.of) {
        if (!is_known(m.late_s)) return;
        late.push_back(m.late_s);
        cut.push_back(m.is_cut ? 1 : 0);
        (m.is_cut ? of_cut : of_whole).add(m.late_s);
    }
    if (of_cut.count == 0 || of_whole.count == 0 || !(group.parts.processes_s > 0)) return;
    group.cut_later_s = of_cut.mean() - of_whole.mean();
    if (!(group.cut_later_s > 0)) return;
    constexpr double nearly_always = 0.9;
    const std::vector<LateProcess> &last = group.parts.last;
    const bool alone = of_cut.min > of_whole.max && !last.empty() && last.front().share >= nearly_always &&
                       group.of[static_cast<std::size_t>(last.front().process)].is_cut;
    group.cut_explains = alone || stand_apart(of_cut, of_whole) || nodes_differ(late, cut);
}

// Makes a meeting of each step: the computing in it is the way to the meeting.
std::vector<MemberMeeting> steps_as_meetings(const CoupledRun &run, const MemberGroup &group) {
    std::vector<MemberMeeting> list;
    double longest = 0;
    std::size_t steps = std::numeric_limits<std::size_t>::max();
    for (const EnsembleMember &m : group.of) {
        const std::vector<Step> &all = component_of(run, m).balance.steps;
        steps = std::min(steps, all.size());
        for (const Step &step : all)
            longest = std::max(longest, step.computing_s);
    }
    for (std::size_t j = 0; j < steps; ++j) {
        MemberMeeting meeting{0, std::vector<AtMeeting>(group.of.size())};
        const double begin = 2 * longest * static_cast<double>(j), end = begin + longest;
        for (std::size_t m = 0; m < group.of.size(); ++m)
            meeting.of[m] = {from_seconds(begin + component_of(run, group.of[m]).balance.steps[j].computing_s),
                             from_seconds(end)};
        list.push_back(std::move(meeting));
    }
    return list;
}

void judge(const CoupledRun &run, MemberGroup &group, const Budget &budget) {
    fill_spreads(run, group);
    if (run.from_timers()) {
        group.why_no_cost = "the timers do not tell when members meet";
        return;
    }
    if (!run.clock.why_not_comparable.empty()) {
        group.why_no_cost = "the clocks of its members cannot be compared";
        return;
    }
    find_cuts(run, group);
    const MemberMeetings meetings = meetings_of(run, group, budget);
    if (meetings.list.empty()) {
        fill_cost_of_end(run, group);
        explain(run, group, steps_as_meetings(run, group));
    } else {
        fill_cost_of_meetings(run, group, meetings);
        explain(run, group, meetings.list);
    }
    judge_cuts(group);
}

} // namespace

void judge_members(CoupledRun &run, const Budget &budget) {
    const MemberChoice choice = member_choice(run.run.members);
    run.members = find_members(run, choice);
    std::string why = choice.why_not;
    for (const std::string &pattern : choice.patterns)
        if (std::ranges::none_of(run.members, [&](const auto &g) { return g.name == pattern; }))
            why = "fewer than two components are called " + pattern;
    const std::string remark = say(Sentence::remark_members, {{"why", why}});
    const std::string begin = remark.substr(0, remark.size() - why.size()); // as of an earlier choice
    std::erase_if(run.remarks, [&](const std::string &one) { return one.starts_with(begin); });
    if (!why.empty()) run.remarks.push_back(remark);
    for (MemberGroup &group : run.members) {
        try {
            judge(run, group, budget);
        } catch (const BudgetUsedUp &error) {
            group.why_no_cost = error.what();
        }
    }
}

const MemberGroup *group_of_member(const CoupledRun &run, std::size_t place) {
    for (const MemberGroup &group : run.members)
        for (const EnsembleMember &m : group.of)
            if (m.place == place) return &group;
    return nullptr;
}

void find_places(CoupledRun &run) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < run.components.size(); ++i)
        places.emplace(run.components[i].name, i);
    for (MemberGroup &group : run.members) {
        for (EnsembleMember &m : group.of)
            m.place = places.contains(m.name) ? places.at(m.name) : run.components.size();
    }
    std::erase_if(run.members, [&](const MemberGroup &group) {
        const auto is_no_place = [&](std::int64_t place) {
            return place < 0 || static_cast<std::size_t>(place) >= group.of.size();
        };
        return group.of.size() < 2 || group.slowest >= group.of.size() || group.fastest >= group.of.size() ||
               std::ranges::any_of(group.of,
                                   [&](const EnsembleMember &m) { return m.place == run.components.size(); }) ||
               std::ranges::any_of(
                   group.points,
                   [&](const MeetingPoint &point) { return point.last >= 0 && is_no_place(point.last); }) ||
               std::ranges::any_of(group.parts.last,
                                   [&](const LateProcess &late) { return is_no_place(late.process); });
    });
}

double growth_over(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    const auto [least, most] = std::ranges::minmax_element(x);
    const double slope = xy / xx, explained = yy > 0 ? xy * xy / (xx * yy) : 0;
    const double error = std::sqrt(std::max(yy - slope * xy, 0.0) / ((n - 2) * xx));
    const bool shown =
        slope > 0 && explained >= 0.5 && slope >= 4 * error && slope * (*most - *least) >= 0.1 * mean_y;
    return shown ? slope : unknown;
}

double growth_by_member(std::span<const double> startup_s) {
    if (startup_s.size() < 4 || !std::ranges::all_of(startup_s, is_known)) return unknown;
    std::vector<double> numbers(startup_s.size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    return growth_over(numbers, startup_s);
}

} // namespace cpl_lb
