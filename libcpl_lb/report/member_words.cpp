// Says which members are late, and why, if the parts of their lateness show it.

#include "analysis/member_figures.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double member_told_from = 0.1; // of what their waiting costs: smaller parts are left out
constexpr double always_from = 0.9;      // one member comes last for this share of it
constexpr std::size_t member_columns = 40, most_nodes_named = 4, most_points_listed = 10;

const Component &component_of(const CoupledRun &run, const EnsembleMember &member) {
    return run.components[member.place];
}

std::string name_of(const EnsembleMember &member) {
    return short_name(member.name, member_columns);
}

double all_parts(const ImbalanceParts &p) {
    double sum = 0;
    for (const double part : {p.processes_s, p.nodes_s, p.moving_s, p.steps_s, p.random_s})
        if (is_known(part)) sum += part;
    return sum;
}

// "nid003 and nid004"; without names, how many there are.
std::string nodes_of(const CoupledRun &run, const EnsembleMember &member) {
    const Component &c = component_of(run, member);
    std::vector<std::string> names;
    for (const std::int32_t node : c.on_nodes)
        if (node >= 0 && static_cast<std::size_t>(node) < run.meters.nodes.size())
            names.push_back(safe_name(run.meters.nodes[static_cast<std::size_t>(node)].name));
    if (names.empty() || names.size() > most_nodes_named) return count_text(c.nodes) + " nodes";
    return "nodes " + listed(names);
}

std::string late_nodes(const ImbalanceParts &p) {
    if (p.late_node.empty()) return "some nodes"; // they have no names, or are many
    return (p.late_node.find(", ") == std::string::npos ? "node " : "nodes ") + safe_name(p.late_node);
}

std::int64_t count_cut(const MemberGroup &group) {
    return std::ranges::count_if(group.of, &EnsembleMember::is_cut);
}

std::string why_same(const CoupledRun &run, const MemberGroup &group, const EnsembleMember &last) {
    if (!group.cut_explains || !last.is_cut) return "";
    if (count_cut(group) == 1) return say(Sentence::part_member_cut, {{"nodes", nodes_of(run, last)}});
    return say(Sentence::part_members_cut,
               {{"count", counted(count_cut(group), "member")}, {"late", number_text(group.cut_later_s)}});
}

std::string of_same(const CoupledRun &run, const MemberGroup &group, const std::string &share) {
    if (group.parts.last.empty()) return "";
    const LateProcess &most = group.parts.last.front();
    const EnsembleMember &last = group.of[static_cast<std::size_t>(most.process)];
    const bool one = most.share >= always_from;
    const std::string why = why_same(run, group, last);
    if (one) return say(Sentence::part_one_member, {{"member", name_of(last)}, {"why", why}, {"share", share}});
    return say(Sentence::part_same_members,
               {{"share", share}, {"member", name_of(last)}, {"last", share_in_words(most.share)}, {"why", why}});
}

std::string of_moving(const ImbalanceParts &p, const std::string &share) {
    if (!is_known(p.period_s)) return say(Sentence::part_members_moving, {{"share", share}});
    return say(Sentence::part_members_moving_period,
               {{"share", share}, {"period", fmt::format("{:.3g}", p.period_s)}});
}

std::vector<LatePart> parts_of(const CoupledRun &run, const MemberGroup &group) {
    const ImbalanceParts &p = group.parts;
    const double all = all_parts(p);
    const auto share = [&](double seconds) { return share_in_words(seconds / all) + " of it"; };
    return told_parts(
        {{p.processes_s, of_same(run, group, share(p.processes_s))},
         {p.nodes_s, say(Sentence::part_members_node, {{"nodes", late_nodes(p)}, {"share", share(p.nodes_s)}})},
         {p.moving_s, of_moving(p, share(p.moving_s))},
         {p.steps_s, unusual_in_words(p, "meetings", share(p.steps_s), "")}},
        member_told_from * all);
}

bool lengths_differ(const MemberGroup &group) {
    return group.most_steps > group.steps;
}

std::string steps_in_words(const MemberGroup &group) {
    return lengths_differ(group) ? count_text(group.steps) + " to " + count_text(group.most_steps)
                                 : count_text(group.steps);
}

std::string from_to(const Spread &spread) {
    return spread.count == 0 ? "n/a" : number_text(spread.min) + " to " + number_text(spread.max);
}

// In long runs each member's mean is over all of its steps.
std::string over_which_steps(const MemberGroup &group) {
    return group.most_steps > static_cast<std::int64_t>(most_listed_steps)
               ? ""
               : " over the first " + count_text(group.steps);
}

// Who computes as long as this: the member, or how many there are.
std::string computing_so(const MemberGroup &group, double step_s) {
    std::vector<std::string> names;
    for (const EnsembleMember &m : group.of)
        if (compute_alike(m.step_s, step_s)) names.push_back(name_of(m));
    return names.size() == 1 ? names.front() : count_text(static_cast<std::int64_t>(names.size())) + " alike";
}

// "slowest atmosphere_03, fastest 7 alike"
std::string slowest_and_fastest(const MemberGroup &group) {
    if (group.step_s.count == 0) return "slowest and fastest n/a";
    if (compute_alike(group.step_s.min, group.step_s.max) ||
        number_text(group.step_s.min) == number_text(group.step_s.max))
        return "all alike";
    return "slowest " + computing_so(group, group.step_s.max) + ", fastest " + computing_so(group, group.step_s.min);
}

// The first and the last member, in their order.
std::string first_to_last(const MemberGroup &group) {
    return name_of(group.of.front()) + " to " + name_of(group.of.back());
}

double share_of_cost(const MemberGroup &group, const MeetingPoint &point) {
    return point.cost_core_s / group.cost_core_s;
}

const EnsembleMember &last_at(const MemberGroup &group, const MeetingPoint &point) {
    return group.of[static_cast<std::size_t>(point.last)];
}

// Where they meet; of several points each that costs a tenth or more, with its share and who is last there.
std::string where_they_wait(const MemberGroup &group) {
    if (group.meetings == 0) return "at the end of the job";
    std::vector<std::string> points;
    for (const MeetingPoint &point : group.points) {
        if (point.last < 0 || !(points.empty() || share_of_cost(group, point) >= member_told_from)) continue;
        points.push_back(say(Sentence::part_members_meet_at, {{"where", safe_name(point.where)},
                                                              {"share", share_in_words(share_of_cost(group, point))},
                                                              {"member", name_of(last_at(group, point))},
                                                              {"last", share_in_words(point.last_share)}}));
    }
    return group.points.size() > 1 && !points.empty() ? listed(points) : "at " + safe_name(group.meet_at);
}

std::string cost_sentence(const CoupledRun &run, const MemberGroup &group) {
    const bool chance = !group.parts.known() || parts_of(run, group).empty();
    return chance ? "" : members_wait_sentence(run, group);
}

// What waiting costs, and in a line each where several points share it. name: with what follows it.
std::string cost_lines(const MemberGroup &group, const std::string &name) {
    if (!group.why_no_cost.empty()) {
        return wrapped(name + "what its members wait for each other is n/a, because " + group.why_no_cost,
                       text_columns);
    }
    std::string where = "at the end of the job, because they meet nowhere before";
    if (group.meetings > 0) where = "where they meet, mostly at " + safe_name(group.meet_at);
    if (group.points.size() == 1) where = "where they meet, at " + safe_name(group.meet_at);
    std::string lines =
        wrapped(name + fmt::format("waiting for the last member costs {} core hours ({} of their "
                                   "core time), {}",
                                   number_text(group.cost_core_s / 3600), share_in_words(group.cost_share), where),
                text_columns);
    if (group.points.size() < 2) return lines;
    for (std::size_t i = 0; i < std::min(group.points.size(), most_points_listed); ++i) {
        const MeetingPoint &point = group.points[i];
        const std::string last = point.last < 0
                                     ? "nobody waits there"
                                     : fmt::format("{} is last for {} of it", name_of(last_at(group, point)),
                                                   share_in_words(point.last_share));
        lines += wrapped(fmt::format("{}at {}: {} core hours ({} of their core time) in {}; {}", name,
                                     safe_name(point.where), number_text(point.cost_core_s / 3600),
                                     share_in_words(point.cost_share), counted(point.meetings, "meeting"), last),
                         text_columns);
    }
    const auto more =
        static_cast<std::int64_t>(group.points.size() - std::min(group.points.size(), most_points_listed));
    return lines + (more > 0 ? name + counted(more, "meeting point") + " more in the json\n" : "");
}

} // namespace

std::string members_wait_sentence(const CoupledRun &run, const MemberGroup &group) {
    if (!(group.cost_share >= balanced_below) || !group.parts.known() || !(all_parts(group.parts) > 0)) return "";
    return say(Sentence::members_wait, {{"name", short_name(group.name, member_columns)},
                                        {"count", count_text(static_cast<std::int64_t>(group.of.size()))},
                                        {"share", share_in_words(group.cost_share)},
                                        {"hours", fmt::format("{:.3g}", group.cost_core_s / 3600)},
                                        {"where", where_they_wait(group)},
                                        {"parts", member_parts_in_words(run, group)}});
}

std::string member_parts_in_words(const CoupledRun &run, const MemberGroup &group) {
    const double all = all_parts(group.parts);
    return parts_in_words(parts_of(run, group), member_told_from * all, group.parts.random_s,
                          share_in_words(group.parts.random_s / all));
}

std::vector<std::string> member_sentences(const CoupledRun &run) {
    std::vector<std::string> words;
    for (const MemberGroup &group : run.members) {
        if (std::string cost = cost_sentence(run, group); !cost.empty()) words.push_back(std::move(cost));
        if (is_known(group.startup.growth_s)) {
            words.push_back(say(Sentence::members_startup, {{"name", short_name(group.name, member_columns)},
                                                            {"growth", number_text(group.startup.growth_s)},
                                                            {"least", number_text(group.startup.length_s.min)},
                                                            {"most", number_text(group.startup.length_s.max)}}));
        }
    }
    return words;
}

std::string group_name(const MemberGroup &group, std::size_t columns) {
    const std::string times = " x " + count_text(static_cast<std::int64_t>(group.of.size()));
    return short_name(group.name, columns > times.size() + 4 ? columns - times.size() : columns) + times;
}

std::string member_lines(const CoupledRun &run, std::size_t columns) {
    std::string text;
    for (const MemberGroup &group : run.members) {
        const std::string name = short_name(group.name, member_columns);
        const std::string wholly =
            fmt::format("computing {} s, waiting {} s", from_to(group.computing_s), from_to(group.waiting_s));
        const std::string who = slowest_and_fastest(group);
        if (lengths_differ(group) && !run.from_timers()) {
            text += wrapped(fmt::format("{}: computing {} s a step{}; {}", name, from_to(group.step_s),
                                        over_which_steps(group), who),
                            columns);
            text += wrapped(fmt::format("Its members have {} steps: their whole loops, and means of these, do not "
                                        "compare ({}).",
                                        steps_in_words(group), wholly),
                            columns);
        } else {
            text += wrapped(fmt::format("{}: {}; {}", name, wholly, who), columns);
        }
        if (group.guessed) {
            text += wrapped(fmt::format("Taken as members of one ensemble by their names: {}. --members none (or "
                                        "cn_members) shows each by itself.",
                                        first_to_last(group)),
                            columns);
        }
    }
    return text;
}

SectionText member_groups_section(const CoupledRun &run) {
    if (run.members.empty()) return {};
    TextTable table = titled({"Group", "members", "steps", "meetings", "spread", "same members", "same nodes",
                              "moving slowly", "some steps", "random"});
    std::string lines;
    for (const MemberGroup &group : run.members) {
        const ImbalanceParts &p = group.parts;
        table.row({short_name(group.name, table_name_columns), count_text(static_cast<std::int64_t>(group.of.size())),
                   steps_in_words(group), count_text(group.meetings), InSeconds{group.spread_s},
                   InSeconds{p.processes_s}, InSeconds{p.nodes_s}, InSeconds{p.moving_s}, InSeconds{p.steps_s},
                   InSeconds{p.random_s}});
        const std::string name = short_name(group.name, table_name_columns) + ": ";
        lines += cost_lines(group, name);
        if (!p.why_missing.empty())
            lines += wrapped(name + "its parts are n/a, because " + p.why_missing, text_columns);
        else if (!p.why_no_nodes.empty())
            lines += wrapped(name + "same nodes n/a, because " + p.why_no_nodes, text_columns);
        if (const std::int64_t cut = count_cut(group); cut > 0) {
            lines += wrapped(fmt::format("{}{} on more nodes than others of as many cores; they come {} s later{}",
                                         name, cut == 1 ? "1 member is" : count_text(cut) + " members are",
                                         number_text(group.cut_later_s),
                                         group.cut_explains ? "" : ", which may be chance"),
                             text_columns);
        }
    }
    return {table, lines + member_lines(run, text_columns)};
}

SectionText members_section(const CoupledRun &run) {
    TextTable table =
        titled({"Member", "cores", "nodes", "steps", "of a step", "computing", "waiting", "start-up", "late"});
    for (const MemberGroup &group : run.members) {
        for (const EnsembleMember &m : group.of) {
            const Component &c = component_of(run, m);
            const std::string nodes = c.nodes > 0 ? count_text(c.nodes) + (m.is_cut ? " (cut)" : "") : "n/a";
            table.row({short_name(m.name, table_name_columns), c.ranks.empty() ? "n/a" : count_text(c.cores()), nodes,
                       m.steps > 0 ? count_text(m.steps) : "n/a", InSeconds{m.step_s},
                       InSeconds{c.balance.computing_s}, InSeconds{c.balance.waiting_s},
                       InSeconds{c.balance.startup.length_s}, InSeconds{m.late_s}});
        }
    }
    if (run.from_timers()) table.keep_told();
    return table;
}

} // namespace cpl_lb
