// Members of one group count together: on the critical path, and as those that others wait for.
#include "analysis/member_figures.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t group_columns = 40;
constexpr double mostly = 0.5; // of what waits

// A group, or a component that is no member.
struct OnPath {
    const MemberGroup *group = nullptr;
    std::string name;
    double share = 0;
};

std::string name_of(const MemberGroup &group) {
    return short_name(group.name, group_columns);
}

// Those that can be slow, the largest share first.
std::vector<OnPath> on_path(const CoupledRun &run, const InBetween &between) {
    std::vector<OnPath> all;
    for (const MemberGroup &group : run.members) {
        OnPath one{&group, name_of(group), 0};
        for (const EnsembleMember &m : group.of)
            if (run.components[m.place].balance.critical_share > 0)
                one.share += run.components[m.place].balance.critical_share;
        all.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &c = run.components[i];
        const bool can_be = c.id == run.balance.slow_side || (!waits_most_of_its_time(c) && !between.has(c));
        if (!can_be || !(c.balance.critical_share > 0) || group_of_member(run, i) != nullptr) continue;
        all.push_back({nullptr, name_in_words(run, c.id), c.balance.critical_share});
    }
    std::ranges::stable_sort(all, std::greater(), &OnPath::share);
    return all;
}

struct LongestWait {
    std::string text;
    double share = 0;
};

// The longest wait of each component that takes part; a group has the mean of its members.
LongestWait longest_of_all(const CoupledRun &run, const InBetween &between) {
    struct Waiter {
        std::int64_t count = 0;
        std::map<std::string, double> shares; // by who is awaited
    };
    std::map<std::pair<bool, std::string>, Waiter> waiters; // whether it is a group, its name
    for (const Component &c : run.components) {
        if (!takes_part(c) || between.has(c)) continue;
        const bool is_member = group_of_id(run, c.id) != nullptr;
        Waiter &waiter = waiters[{is_member, name_of_group(run, c.id, group_columns)}];
        ++waiter.count;
        for (const WaitingFor &w : c.balance.waiting_for) {
            const std::string awaited = w.component == 0      ? "one without a name"
                                        : w.component == c.id ? "itself"
                                                              : name_of_group(run, w.component, group_columns);
            waiter.shares[awaited] += (w.get_s + w.put_s) / c.balance.loop_s;
        }
    }
    LongestWait longest;
    for (const auto &[who, waiter] : waiters) {
        for (const auto &[awaited, sum] : waiter.shares) {
            const double share = sum / static_cast<double>(waiter.count);
            if (share <= longest.share) continue;
            longest = {say(who.first ? Sentence::members_longest_wait : Sentence::longest_wait,
                           {{"waiter", who.second}, {"share", share_in_words(share)}, {"awaited", awaited}}),
                       share};
        }
    }
    return longest;
}

std::string with_longest_wait(const CoupledRun &run, const InBetween &between, std::string text, double said) {
    const LongestWait longest = longest_of_all(run, between);
    if (longest.share >= balanced_below && longest.share > said) text += " " + longest.text;
    return text;
}

std::string between_members(const MemberGroup &group) {
    if (!group.why_no_cost.empty()) return say(Sentence::part_members_cost_unknown, {{"why", group.why_no_cost}});
    if (!(group.cost_share >= balanced_below)) return say(Sentence::part_members_hardly_wait);
    return say(Sentence::part_members_cost,
               {{"share", share_in_words(group.cost_share)},
                {"why", group.parts.why_missing.empty() ? "their lateness has no parts" : group.parts.why_missing}});
}

std::string group_sentence(const CoupledRun &run, const InBetween &between, const OnPath &top) {
    if (std::string waiting = members_wait_sentence(run, *top.group); !waiting.empty())
        return with_longest_wait(run, between, std::move(waiting), top.group->cost_share);
    const std::string text =
        say(Sentence::members_on_path, {{"name", top.name},
                                        {"count", count_text(static_cast<std::int64_t>(top.group->of.size()))},
                                        {"share", share_in_words(top.share)},
                                        {"between", between_members(*top.group)}});
    return with_longest_wait(run, between, text, 0);
}

// Waiting of all that count, times their cores.
double waiting_core_s(const CoupledRun &run, const InBetween &between) {
    double sum = 0;
    for (const Component &c : run.components)
        if (takes_part(c) && !between.has(c)) sum += c.balance.waiting_s * static_cast<double>(c.cores());
    return sum;
}

// Without a critical path: most of what waits does so for the last member.
std::string by_waits(const CoupledRun &run, const InBetween &between) {
    for (const MemberGroup &group : run.members) {
        if (!(group.cost_core_s >= mostly * waiting_core_s(run, between))) continue;
        if (std::string waiting = members_wait_sentence(run, group); !waiting.empty())
            return with_longest_wait(run, between, std::move(waiting), group.cost_share);
    }
    return "";
}

} // namespace

const MemberGroup *group_of_id(const CoupledRun &run, std::int32_t id) {
    for (const MemberGroup &group : run.members)
        for (const EnsembleMember &m : group.of)
            if (run.components[m.place].id == id) return &group;
    return nullptr;
}

std::string name_of_group(const CoupledRun &run, std::int32_t id, std::size_t columns) {
    const MemberGroup *group = group_of_id(run, id);
    return short_name(group != nullptr ? group->name : run.component_name(id), columns);
}

std::string member_verdict(const CoupledRun &run, const InBetween &between) {
    if (run.members.empty()) return "";
    if (run.balance.slow_side == 0 && run.balance.equally_slow.empty()) return by_waits(run, between);
    const std::vector<OnPath> all = on_path(run, between);
    const OnPath &top = all.front(); // there is a group
    const bool clear = all.size() < 2 || top.share - all[1].share > clearly_larger;
    if (clear) return top.group == nullptr ? "" : group_sentence(run, between, top);
    if (top.group == nullptr && all[1].group == nullptr) return "";
    return with_longest_wait(run, between,
                             say(Sentence::no_slow_side, {{"one", top.name},
                                                          {"share", share_in_words(top.share)},
                                                          {"other", all[1].name},
                                                          {"second", share_in_words(all[1].share)}}),
                             0);
}

std::vector<NamedCores> named_cores(const CoupledRun &run, const std::vector<std::int64_t> &cores) {
    std::vector<NamedCores> parts;
    for (std::size_t c = 0; c < std::min(run.components.size(), cores.size()); ++c) {
        if (cores[c] == 0) continue;
        const MemberGroup *group = group_of_member(run, c);
        const std::string name =
            group != nullptr ? "each member of " + name_of(*group) : name_in_words(run, run.components[c].id);
        if (group == nullptr || std::ranges::none_of(parts, [&](const NamedCores &one) { return one.name == name; }))
            parts.push_back({name, cores[c]});
    }
    return parts;
}

bool moves_between_members(const CoupledRun &run, const std::vector<std::int64_t> &cores) {
    return std::ranges::any_of(run.members, [&](const MemberGroup &group) {
        std::int64_t first = 0;
        return std::ranges::any_of(group.of, [&](const EnsembleMember &m) {
            const std::int64_t own = m.place < cores.size() ? cores[m.place] : 0;
            if (first == 0) first = own;
            return own != 0 && own != first;
        });
    });
}

} // namespace cpl_lb
