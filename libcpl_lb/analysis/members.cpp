// Replaces each number of a name by a star in turn: what is left is the same for all members.
#include "analysis/members.hpp"

#include "analysis/waiting_share.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// Of each member the id of the first one.
struct StandsFor {
    std::map<std::int32_t, std::int32_t> first;
    [[nodiscard]] std::int32_t id_of(std::int32_t id) const { return first.contains(id) ? first.at(id) : id; }
};

// "a_1_02" as "a_*_02" and "a_1_*".
std::vector<std::string> without_one_number(const std::string &name) {
    constexpr const char *digits = "0123456789";
    std::vector<std::string> rests;
    for (std::size_t at = name.find_first_of(digits); at != std::string::npos;) {
        const std::size_t end = std::min(name.find_first_not_of(digits, at), name.size());
        rests.push_back(name.substr(0, at) + "*" + name.substr(end));
        at = name.find_first_of(digits, end);
    }
    return rests;
}

bool fits(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    return name.size() >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
           name.ends_with(pattern.substr(star + 1));
}

// Messages make them parts of one model. In collective operations members wait for each other, too.
bool waits_for_another(const CoupledRun &run, const ComponentGroup &group) {
    std::set<std::int32_t> ids;
    for (const std::size_t m : group.of)
        ids.insert(run.components[m].id);
    for (const std::size_t m : group.of) {
        for (const WaitingFor &w : run.components[m].balance.waiting_for) {
            const bool for_message = w.put_s > 0 || w.get_s > w.sync_s * (1 + 1e-6);
            if (for_message && w.component != run.components[m].id && ids.contains(w.component)) return true;
        }
    }
    return false;
}

// Groups that may share components, the largest first: who has two numbers joins the larger one.
std::vector<ComponentGroup> candidates(const CoupledRun &run) {
    const MemberChoice choice = member_choice(run.run.members);
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &c = run.components[i];
        for (const std::string &pattern : choice.patterns)
            if (fits(pattern, c.name)) by_name[pattern].push_back(i);
        if (!run.run.members.empty() || c.balance.is_io_server) continue;
        for (const std::string &rest : without_one_number(c.name))
            by_name[rest].push_back(i);
    }
    std::vector<ComponentGroup> all;
    all.reserve(by_name.size());
    for (auto &[name, of] : by_name)
        all.push_back({name, std::move(of)});
    std::ranges::stable_sort(all, std::greater(), [](const ComponentGroup &group) { return group.of.size(); });
    return all;
}

// Means over the members that have a coupling loop.
std::vector<WaitingFor> mean_waits(const CoupledRun &run, const ComponentGroup &group, const StandsFor &stands_for) {
    const auto looped = std::ranges::count_if(group.of, [&](std::size_t m) { return has_loop(run.components[m]); });
    const auto members = static_cast<double>(std::max<std::ptrdiff_t>(looped, 1));
    std::map<std::int32_t, WaitingFor> by_id;
    for (const std::size_t m : group.of) {
        for (const WaitingFor &w : run.components[m].balance.waiting_for) {
            WaitingFor &mean = by_id[stands_for.id_of(w.component)];
            mean.component = stands_for.id_of(w.component);
            mean.get_s += w.get_s / members;
            mean.put_s += w.put_s / members;
            mean.sync_s += w.sync_s / members;
        }
    }
    std::vector<WaitingFor> means;
    means.reserve(by_id.size());
    for (const auto &[id, mean] : by_id)
        means.push_back(mean);
    return means;
}

template <class Figure>
Spread over_members(const CoupledRun &run, const ComponentGroup &group, Figure figure) {
    Spread spread;
    for (const std::size_t place : group.of)
        spread.add(figure(run.components[place].balance));
    return spread;
}

void fill_means(const CoupledRun &run, const ComponentGroup &group, ComponentBalance &to) {
    const auto mean = [&](auto figure) { figure(to) = over_members(run, group, figure).mean(); };
    using Balance = ComponentBalance;
    for (double Balance::*const one :
         {&Balance::loop_s, &Balance::computing_s, &Balance::waiting_s, &Balance::away_s, &Balance::jitter_s,
          &Balance::imbalance_s, &Balance::coupling_cost, &Balance::mapping_s, &Balance::output_s,
          &Balance::restart_s, &Balance::idle_s})
        mean([one](auto &balance) -> auto & { return balance.*one; });
    mean([](auto &balance) -> auto & { return balance.startup.length_s; });
    mean([](auto &balance) -> auto & { return balance.shutdown.length_s; });
    to.critical_share = over_members(run, group, [](const Balance &b) { return b.critical_share; }).sum;
}

Component as_one(const CoupledRun &run, const ComponentGroup &group, const StandsFor &stands_for) {
    const Component &first = run.components[group.of.front()];
    Component one;
    one.name = group.name;
    one.id = first.id;
    one.threads = first.threads;
    one.first_init = first.first_init;
    one.balance.is_io_server = first.balance.is_io_server;
    for (const std::size_t place : group.of) {
        const Component &m = run.components[place];
        one.ranks.insert(one.ranks.end(), m.ranks.begin(), m.ranks.end());
        one.own_cores += m.cores();
        one.events += m.events;
        one.first_init = std::min(one.first_init, m.first_init);
        one.last_terminate = std::max(one.last_terminate, m.last_terminate);
        one.balance.process_waiting_s.add(m.balance.process_waiting_s);
    }
    fill_means(run, group, one.balance);
    one.balance.waiting_for = mean_waits(run, group, stands_for);
    if (!group.is_folded()) {
        one.fields = first.fields;
        one.balance.step_count = first.balance.step_count;
    }
    return one;
}

// The path goes now through one member and now through another: together they may be slow.
void find_slow_side(const CoupledRun &run, const StandsFor &stands_for, CoupledRun &whole) {
    const RunBalance &b = run.balance;
    whole.balance.loop_s = b.loop_s;
    whole.balance.on_path_s = b.on_path_s;
    whole.balance.slow_side = stands_for.id_of(b.slow_side);
    whole.balance.equally_slow = b.equally_slow;
    const auto is_member = [&](std::int32_t id) { return stands_for.first.contains(id); };
    if (stands_for.first.empty() || (b.slow_side == 0 && std::ranges::none_of(b.equally_slow, is_member))) return;
    whole.balance.equally_slow.clear();
    const InBetween between(run);
    double largest = 0;
    for (const Component &c : whole.components) {
        const bool can_be = c.id == stands_for.id_of(b.slow_side) || !(waits_most_of_its_time(c) || between.has(c));
        if (!can_be || !(c.balance.critical_share > largest)) continue;
        largest = c.balance.critical_share;
        whole.balance.slow_side = c.id;
    }
}

} // namespace

MemberChoice member_choice(std::string_view text) {
    MemberChoice choice;
    if (text == "none") return choice;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        if (std::ranges::count(one, '*') != 1)
            return {{}, "'" + std::string(one) + "' is no name with one * in it, as atmosphere_*"};
        choice.patterns.emplace_back(one);
    }
    return choice;
}

std::vector<ComponentGroup> component_groups(const CoupledRun &run) {
    const bool guessed = run.run.members.empty();
    std::vector<ComponentGroup> groups;
    std::set<std::size_t> taken;
    for (ComponentGroup &group : candidates(run)) {
        std::erase_if(group.of, [&](std::size_t i) { return taken.contains(i); });
        if (group.of.size() < (guessed ? least_members_guessed : 2)) continue;
        if (guessed && waits_for_another(run, group)) continue;
        taken.insert(group.of.begin(), group.of.end());
        groups.push_back(std::move(group));
    }
    for (std::size_t i = 0; i < run.components.size(); ++i)
        if (!taken.contains(i)) groups.push_back({run.components[i].name, {i}});
    std::ranges::sort(groups, {}, [](const ComponentGroup &group) { return group.of.front(); });
    return groups;
}

FoldedRun folded(const CoupledRun &run, bool counted) {
    FoldedRun f{{}, component_groups(run)};
    std::vector<std::string> &names = f.run.component_names = run.component_names;
    StandsFor stands_for;
    for (ComponentGroup &group : f.groups) {
        group.computing_s = over_members(run, group, [](const ComponentBalance &b) { return b.computing_s; });
        group.waiting_s = over_members(run, group, [](const ComponentBalance &b) { return b.waiting_s; });
        if (!group.is_folded()) continue;
        const std::int32_t id = run.components[group.of.front()].id;
        for (const std::size_t m : group.of)
            stands_for.first[run.components[m].id] = id;
        names.resize(std::max(names.size(), static_cast<std::size_t>(id)));
        names[static_cast<std::size_t>(id) - 1] =
            group.name + (counted ? " (" + std::to_string(group.of.size()) + " members)" : "");
    }
    for (const ComponentGroup &group : f.groups)
        f.run.components.push_back(as_one(run, group, stands_for));
    find_slow_side(run, stands_for, f.run);
    return f;
}

void remark_on_members(CoupledRun &run) {
    const MemberChoice choice = member_choice(run.run.members);
    std::string why = choice.why_not;
    for (const std::string &pattern : choice.patterns)
        if (std::ranges::count_if(run.components, [&](const Component &c) { return fits(pattern, c.name); }) < 2)
            why = "fewer than two components are called " + pattern;
    const std::string begin = say(Sentence::remark_members, {{"why", ""}});
    std::erase_if(run.remarks,
                  [&](const std::string &one) { return one.starts_with(begin); }); // on an earlier choice
    if (!why.empty()) run.remarks.push_back(begin + why);
}

} // namespace cpl_lb
