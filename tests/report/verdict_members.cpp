// The sentences on members of ensembles, worked out a second time from the figures of their groups.
#include "tests/report/verdict_checker.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

namespace cpl_lb::test {
namespace {

const MemberGroup *group_named(const CoupledRun &run, const std::string &name) {
    for (const MemberGroup &group : run.members)
        if (group.name == name) return &group;
    return nullptr;
}

double known_or_0(double seconds) {
    return std::isfinite(seconds) ? seconds : 0;
}

double sum_of(const ImbalanceParts &p) {
    return known_or_0(p.processes_s) + known_or_0(p.nodes_s) + known_or_0(p.moving_s) + known_or_0(p.steps_s) +
           known_or_0(p.random_s);
}

// Whether somebody loses by the waiting, for a reason that is not chance.
bool is_due(const MemberGroup &group) {
    const ImbalanceParts &p = group.parts;
    if (!(group.cost_share >= 0.02) || !p.why_missing.empty() || !std::isfinite(p.random_s)) return false;
    const double tenth = 0.1 * sum_of(p);
    return tenth > 0 && (known_or_0(p.processes_s) >= tenth || known_or_0(p.nodes_s) >= tenth ||
                         known_or_0(p.moving_s) >= tenth || known_or_0(p.steps_s) >= tenth);
}

// Not a single part but chance is a tenth.
bool is_chance(const MemberGroup &group) {
    const ImbalanceParts &p = group.parts;
    return group.cost_share >= 0.02 && p.why_missing.empty() && std::isfinite(p.random_s) && !is_due(group);
}

bool says_number(const std::string &text, double value) {
    return std::abs(std::stod(text) - value) <= 0.006 * std::abs(value);
}

// Nodes by their names, or how many they are.
bool are_nodes(const CoupledRun &run, const Component &c, const std::string &text) {
    if (text == std::to_string(c.nodes) + " nodes") return true;
    return text.starts_with("nodes ") && std::all_of(c.on_nodes.begin(), c.on_nodes.end(), [&](std::int32_t node) {
               return text.find(run.meters.nodes.at(static_cast<std::size_t>(node)).name) != std::string::npos;
           });
}

} // namespace

void VerdictChecker::check_cut(const MemberGroup &group, const EnsembleMember &last, const std::string &text) {
    std::smatch found;
    std::int64_t cut = 0;
    for (const EnsembleMember &m : group.of) {
        std::int32_t fewest = run_.components.at(m.place).nodes;
        for (const EnsembleMember &other : group.of) {
            const Component &c = run_.components.at(other.place);
            if (c.cores() == run_.components.at(m.place).cores()) fewest = std::min(fewest, c.nodes);
        }
        cut += run_.components.at(m.place).nodes > fewest ? 1 : 0;
        expect(m.is_cut == (run_.components.at(m.place).nodes > fewest), m.name + " is cut, or is not");
    }
    if (std::regex_search(text, found, std::regex("; it is cut across (.*), and no other is"))) {
        expect(cut == 1 && last.is_cut, "others are cut");
        expect(are_nodes(run_, run_.components.at(last.place), found[1]), "other nodes");
    } else if (std::regex_search(text, found,
                                 std::regex(R"(; the (\d+) members that are cut .* come (.*) s later)"))) {
        expect(std::stoll(found[1]) == cut && cut > 1, "another number is cut");
        expect(last.is_cut, last.name + " is not");
        expect(group.cut_later_s > 0 && says_number(found[2], group.cut_later_s), "they come another time later");
    } else {
        expect(text.find("cut") == std::string::npos, "a cut is said in other words");
    }
}

// Each part of their lateness that is a tenth of it, and no other.
void VerdictChecker::check_member_parts(const MemberGroup &group, const std::string &text) {
    const ImbalanceParts &p = group.parts;
    const double all = sum_of(p);
    if (is_chance(group)) return expect(text == "now one, now another is late, at random", "it is chance");
    const auto told = [&](const std::string &words, double seconds, const char *of_it = " of it") {
        std::smatch found;
        const bool is = std::regex_search(text, found, std::regex(words + R"([^()]*\(([^()]*)\))"));
        expect(is == (seconds >= 0.1 * all), is ? words + " is said" : words + " is not said");
        if (!is) return;
        std::string share = found[1].str();
        const std::size_t end = share.rfind(of_it);
        expect(end != std::string::npos && is_share(share.substr(0, end), seconds / all), words + ": another share");
    };
    const bool any_last = !p.last.empty();
    const bool one = any_last && p.last.front().share >= 0.9;
    const double same = any_last ? known_or_0(p.processes_s) : 0;
    told("is nearly always last", one ? same : 0);
    told("the same members are late as a rule", one ? 0 : same);
    told("the members on", known_or_0(p.nodes_s));
    told("how late each member is", known_or_0(p.moving_s));
    told("much later than usual", known_or_0(p.steps_s));
    told("the rest is random", known_or_0(p.random_s), "");
    if (!any_last) return;
    const EnsembleMember &last = group.of.at(static_cast<std::size_t>(p.last.front().process));
    const bool said = same >= 0.1 * all;
    std::smatch found;
    if (said && one) {
        expect(text.find(last.name + " is nearly always last") != std::string::npos, "another member is last");
    } else if (said) {
        const bool is = std::regex_search(text, found, std::regex(R"(, most often (.*?) \(last for (.*?) of it\))"));
        expect(is && found[1] == last.name, "another member is last most often");
        expect(is && is_share(found[2], p.last.front().share), "it is last for another share");
    }
    if (said) check_cut(group, last, text);
}

// Of several points each with a tenth of the cost or more, and the dearest, with its share and who is last there.
void VerdictChecker::check_meeting_points(const MemberGroup &group, std::string text) {
    double all = 0, most = 0;
    for (const MeetingPoint &point : group.points) {
        all += point.cost_core_s;
        most = std::max(most, point.cost_core_s);
    }
    expect(std::abs(all - group.cost_core_s) <= 1e-6 * all, "the points cost more or less than all");
    const auto due = std::count_if(group.points.begin(), group.points.end(), [&](const MeetingPoint &point) {
        return point.cost_core_s == most || point.cost_core_s >= 0.1 * all;
    });
    std::int64_t told = 0;
    std::smatch found;
    const std::regex form(R"(^(?:, | and )?at (.*?) \((.*?) of it; (.*?) is last for (.*?) of that\))");
    for (; std::regex_search(text, found, form); text = found.suffix()) {
        ++told;
        const auto at = std::find_if(group.points.begin(), group.points.end(),
                                     [&](const MeetingPoint &point) { return point.where == found[1]; });
        if (at == group.points.end()) return expect(false, "they do not meet at " + found[1].str());
        expect(is_share(found[2], at->cost_core_s / all), at->where + " has another share");
        expect(group.of.at(static_cast<std::size_t>(at->last)).name == found[3], "another one is last there");
        expect(is_share(found[4], at->last_share), "it is last there for another share");
    }
    expect(text.empty() && told == due, "other points are told");
}

void VerdictChecker::check_members_wait(const Figures &f) {
    const MemberGroup *group = group_named(run_, f.at("name"));
    if (group == nullptr) return expect(false, "no such group");
    said_groups_.insert(group->name);
    expect(is_due(*group) || (is_chance(*group) && (decides_as_a_whole(*group) || is_last_for_most(*group))),
           "it is little, or chance");
    longest_said_ = std::max(longest_said_, share_of(f.at("share")));
    expect(f.at("count") == std::to_string(group->of.size()), "another number of members");
    expect(is_share(f.at("share"), group->cost_share), "another share");
    expect(says_number(f.at("hours"), group->cost_core_s / 3600), "other core hours");
    if (group->points.size() > 1)
        check_meeting_points(*group, f.at("where"));
    else
        expect(f.at("where") == (group->meetings > 0 ? "at " + group->meet_at : "at the end of the job"),
               "elsewhere");
    check_member_parts(*group, f.at("parts"));
}

// The line through their start-up once more: its growth is what least squares give.
void VerdictChecker::check_members_startup(const Figures &f) {
    const MemberGroup *group = group_named(run_, f.at("name"));
    if (group == nullptr) return expect(false, "no such group");
    const auto n = static_cast<double>(group->of.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < group->of.size(); ++i) {
        const double length = run_.components.at(group->of[i].place).balance.startup.length_s;
        const auto number = static_cast<double>(i);
        x += number;
        y += length;
        xx += number * number;
        xy += number * length;
    }
    expect(says_number(f.at("growth"), (n * xy - x * y) / (n * xx - x * x)), "it grows by another time");
    expect(says_number(f.at("least"), group->startup.length_s.min), "the least is another");
    expect(says_number(f.at("most"), group->startup.length_s.max), "the most is another");
}

std::string VerdictChecker::folded(std::int32_t id) const {
    for (const MemberGroup &group : run_.members)
        for (const EnsembleMember &m : group.of)
            if (run_.components.at(m.place).id == id) return group.name;
    return name_of(id);
}

double VerdictChecker::folded_wait(const std::string &waiter, const std::string &awaited) const {
    double sum = 0, count = 0;
    for (const Component &c : run_.components) {
        if (!counts(c) || is_between(c) || folded(c.id) != waiter) continue;
        ++count;
        for (const WaitingFor &w : c.balance.waiting_for)
            if ((w.component == c.id ? "itself" : folded(w.component)) == awaited)
                sum += (w.get_s + w.put_s) / c.balance.loop_s;
    }
    return count > 0 ? sum / count : 0;
}

double VerdictChecker::longest_folded_wait() const {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const Component &c : run_.components)
        for (const WaitingFor &w : c.balance.waiting_for)
            pairs.emplace(folded(c.id), w.component == c.id ? "itself" : folded(w.component));
    double longest = 0;
    for (const auto &[waiter, awaited] : pairs)
        longest = std::max(longest, folded_wait(waiter, awaited));
    return longest;
}

bool VerdictChecker::decides_as_a_whole(const MemberGroup &group) const {
    const double own = path_of(group.name);
    return own > 0 && std::all_of(run_.components.begin(), run_.components.end(), [&](const Component &c) {
               const bool can_be = c.id == run_.balance.slow_side ||
                                   (!(c.balance.waiting_s > 0.5 * c.balance.loop_s) && !is_between(c));
               return folded(c.id) == group.name || !can_be || !(path_of(folded(c.id)) >= own - 0.05);
           });
}

// Of the time that waits, half or more.
bool VerdictChecker::is_last_for_most(const MemberGroup &group) const {
    double waiting = 0;
    for (const Component &c : run_.components)
        if (counts(c) && !is_between(c)) waiting += c.balance.waiting_s * static_cast<double>(c.cores());
    return run_.balance.slow_side == 0 && run_.balance.equally_slow.empty() && group.cost_core_s >= 0.5 * waiting;
}

void VerdictChecker::check_members_on_path(const Figures &f) {
    const MemberGroup *group = group_named(run_, f.at("name"));
    if (group == nullptr) return expect(false, "no such group");
    expect(decides_as_a_whole(*group), "another one decides");
    expect(is_share(f.at("share"), path_of(group->name)), "another share of the path");
    const std::string &text = f.at("between");
    const bool hardly = text == "its members hardly wait for each other";
    expect(hardly == (group->why_no_cost.empty() && !(group->cost_share >= 0.02)), "they wait, or do not");
    expect(!is_due(*group) && !is_chance(*group), "what they wait is known");
}

void VerdictChecker::check_members_longest_wait(const Figures &f) {
    const std::string awaited = f.at("awaited");
    expect(group_named(run_, f.at("waiter")) != nullptr, "no such group");
    expect(is_share(f.at("share"), folded_wait(f.at("waiter"), awaited)), "another share");
    longest_said_ = std::max(longest_said_, share_of(f.at("share")));
}

void VerdictChecker::expect_all_groups() {
    for (const MemberGroup &group : run_.members)
        expect(!is_due(group) || said_groups_.count(group.name) > 0, group.name + " is not told");
}

} // namespace cpl_lb::test
