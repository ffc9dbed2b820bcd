// Removes each number of a name in turn: what is left is the same for all members.
#include "analysis/member_groups.hpp"

#include "data/kinds.hpp"
#include "support/node_names.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Calls use(place, length) for each number in the text.
template <class Use>
void for_each_number(std::string_view text, Use &&use) {
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_digit(text[end]))
            ++end;
        if (end > i) use(i, end - i);
        i = std::max(end, i + 1);
    }
}

struct Candidate {
    std::int64_t number = 0;
    std::size_t place = 0;
};
using Candidates = std::vector<Candidate>;

// A name with '#' in place of these numbers.
template <class Replaced>
std::string with_signs(std::string_view name, Replaced is_replaced) {
    std::string text;
    std::size_t from = 0;
    for_each_number(name, [&](std::size_t at, std::size_t length) {
        if (!is_replaced(name.substr(at, length))) return;
        text.append(name.substr(from, at - from)).append("#");
        from = at + length;
    });
    return text.append(name.substr(from));
}

// What a component exchanges, regardless of the other end.
using Fields = std::set<std::pair<Kind, std::string>>;
Fields fields_of(const CoupledRun &run, const Component &c) {
    Fields fields;
    for (const EventClass &one : c.table.keys.classes()) {
        const auto at = static_cast<std::size_t>(one.field) - 1;
        fields.emplace(one.kind, at < run.field_names.size()
                                     ? with_signs(run.field_names[at], [](std::string_view) { return true; })
                                     : "");
    }
    return fields;
}

// The largest set of candidates with the same fields.
Candidates alike(const CoupledRun &run, const Candidates &all) {
    std::map<Fields, Candidates> by_fields;
    for (const Candidate &one : all)
        by_fields[fields_of(run, run.components[one.place])].push_back(one);
    const auto most = std::ranges::max_element(by_fields, {}, [](const auto &one) { return one.second.size(); });
    return most->second;
}

// Members of an ensemble do not send to each other.
bool send_to_each_other(const CoupledRun &run, const Candidates &all) {
    std::set<std::int32_t> ids;
    for (const Candidate &one : all)
        ids.insert(run.components[one.place].id);
    return std::ranges::any_of(all, [&](const Candidate &one) {
        const std::vector<EventClass> &classes = run.components[one.place].table.keys.classes();
        return std::ranges::any_of(
            classes, [&](const EventClass &c) { return is_message(c.kind) && ids.contains(c.counterpart); });
    });
}

MemberGroup group_of(const CoupledRun &run, std::string name, bool guessed, Candidates all) {
    std::ranges::stable_sort(all, {}, &Candidate::number);
    MemberGroup group;
    group.name = std::move(name);
    group.guessed = guessed;
    for (const Candidate &one : all) {
        EnsembleMember &member = group.of.emplace_back();
        member.name = run.components[one.place].name;
        member.place = one.place;
    }
    return group;
}

std::vector<MemberGroup> guessed_groups(const CoupledRun &run) {
    std::map<std::string, Candidates> by_rest;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &c = run.components[i];
        if (c.balance.is_io_server) continue;
        const std::string_view name = c.name;
        for_each_number(name, [&](std::size_t at, std::size_t length) {
            const std::int64_t number = number_of_digits(name.substr(at, length));
            if (number >= 0) by_rest[c.name.substr(0, at) + "*" + c.name.substr(at + length)].push_back({number, i});
        });
    }
    std::vector<std::pair<std::string, Candidates>> largest(by_rest.begin(), by_rest.end());
    std::ranges::stable_sort(largest, std::greater(), [](const auto &one) { return one.second.size(); });
    std::vector<MemberGroup> groups;
    std::set<std::size_t> taken;
    for (auto &[name, all] : largest) {
        std::erase_if(all, [&](const Candidate &one) { return taken.contains(one.place); });
        if (all.size() < least_members_guessed) continue;
        const Candidates members = alike(run, all);
        if (members.size() < least_members_guessed || send_to_each_other(run, members)) continue;
        for (const Candidate &one : members)
            taken.insert(one.place);
        groups.push_back(group_of(run, name, true, members));
    }
    return groups;
}

} // namespace

MemberChoice member_choice(std::string_view text) {
    MemberChoice choice;
    if (text == "none") choice.none = true;
    while (!text.empty() && !choice.none) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        if (std::ranges::count(one, '*') != 1) {
            choice.patterns.clear();
            choice.why_not = "'" + std::string(one) + "' is no name with one * in it, as atmosphere_*";
            return choice;
        }
        choice.patterns.emplace_back(one);
    }
    return choice;
}

std::vector<MemberGroup> find_members(const CoupledRun &run, const MemberChoice &choice) {
    if (choice.none || !choice.why_not.empty()) return {};
    std::vector<MemberGroup> groups;
    if (choice.patterns.empty()) groups = guessed_groups(run);
    for (const std::string &pattern : choice.patterns) {
        Candidates members;
        for (std::size_t i = 0; i < run.components.size(); ++i)
            if (is_member_name(pattern, run.components[i].name))
                members.push_back({member_number(pattern, run.components[i].name), i});
        if (members.size() >= 2) groups.push_back(group_of(run, pattern, false, std::move(members)));
    }
    std::ranges::stable_sort(groups, {}, [](const MemberGroup &group) { return group.of.front().place; });
    return groups;
}

std::set<std::int32_t> member_ids(const CoupledRun &run) {
    std::set<std::int32_t> ids;
    for (const MemberGroup &group : find_members(run, member_choice(run.run.members)))
        for (const EnsembleMember &m : group.of)
            ids.insert(run.components[m.place].id);
    return ids;
}

bool is_member_name(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return false;
    const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
    return name.size() > before.size() + after.size() && name.starts_with(before) && name.ends_with(after);
}

std::string without_number(std::string_view name, std::int64_t number) {
    return with_signs(name, [&](std::string_view digits) { return number_of_digits(digits) == number; });
}

std::int64_t member_number(std::string_view group, std::string_view name) {
    if (!is_member_name(group, name)) return -1;
    const std::size_t star = group.find('*');
    return number_of_digits(name.substr(star, name.size() - (group.size() - 1)));
}

} // namespace cpl_lb
