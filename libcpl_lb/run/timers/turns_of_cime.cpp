// Puts components of CIME's drivers side by side, or one after the other.
#include "run/timers/turns_of_cime.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
namespace {

using Group = std::vector<CimeComponent>; // that share processes, directly or through others

std::int64_t last_of(const CimeComponent &c) {
    return c.first + (c.count - 1) * c.stride;
}

bool share(const CimeComponent &a, const CimeComponent &b) {
    return a.first <= last_of(b) && b.first <= last_of(a);
}

bool meet(const CimeComponent &a, const CimeComponent &b) {
    if (a.count > b.count) return meet(b, a);
    for (std::int64_t i = 0; i < a.count; ++i) {
        const std::int64_t rank = a.first + i * a.stride;
        if (rank >= b.first && rank <= last_of(b) && (rank - b.first) % b.stride == 0) return true;
    }
    return false;
}

bool share(const Group &group, const CimeComponent &one) {
    return std::ranges::any_of(group, [&](const CimeComponent &c) { return share(c, one); });
}

std::vector<Group> groups_of(const std::vector<CimeComponent> &components) {
    std::vector<Group> groups;
    for (const CimeComponent &c : components) {
        Group mine;
        std::vector<Group> others;
        for (Group &group : groups) {
            if (share(group, c))
                mine.insert(mine.end(), group.begin(), group.end());
            else
                others.push_back(std::move(group));
        }
        mine.push_back(c);
        others.push_back(std::move(mine));
        groups = std::move(others);
    }
    return groups;
}

std::string in_turn(const Group &group) {
    std::vector<std::string> names;
    names.reserve(group.size());
    for (const CimeComponent &c : group)
        names.push_back(c.name);
    return joined(names, "+");
}

std::string side_by_side(std::vector<std::string> parts) {
    if (parts.size() == 1) return parts.front();
    return "max(" + joined(parts, ",") + ")";
}

std::string first_stage(const std::vector<CimeComponent> &components) {
    std::vector<std::string> parts;
    for (const Group &group : groups_of(components))
        parts.push_back(in_turn(group));
    return side_by_side(std::move(parts));
}

// Whether the processes of the one that comes after are those of the ones before: only then the words for a layout
// say who has which cores.
bool covers(const Group &after, const std::vector<CimeComponent> &before) {
    return std::ranges::all_of(before, [&](const CimeComponent &b) {
        const auto covers_b = [&](const CimeComponent &a) { return a.first <= b.first && last_of(b) <= last_of(a); };
        return std::ranges::any_of(after, covers_b);
    });
}

} // namespace

CimeLayout layout_of_cime(const std::vector<CimeComponent> &components) {
    const std::set<std::string> come_first = {"lnd", "ice", "rof", "wav"}, come_after = {"atm", "cpl", "glc"};
    for (const CimeComponent &c : components)
        if (!come_first.contains(c.name) && !come_after.contains(c.name) && c.name != "ocn")
            return {"", fmt::format("it is not known when {} runs", c.name)};
    for (const CimeComponent &a : components) {
        for (const CimeComponent &b : components)
            if (share(a, b) && !meet(a, b))
                return {"", fmt::format("the processes of {} and {} lie between each other", a.name, b.name)};
    }
    std::vector<CimeComponent> before, beside;
    Group after, ocean;
    for (const CimeComponent &c : components) {
        if (come_first.contains(c.name))
            before.push_back(c);
        else if (come_after.contains(c.name))
            after.push_back(c);
        else
            ocean.push_back(c);
    }
    if (after.size() + before.size() == 0) return {"", "no component computes beside the ocean"};
    // Waves have processes of their own in many layouts: they run while the first ones do, and then are idle.
    if (!after.empty()) {
        const auto own = [&](const CimeComponent &c) { return c.name == "wav" && !share(after, c); };
        for (const CimeComponent &c : before)
            if (own(c)) beside.push_back(c);
        std::erase_if(before, own);
        if (!covers(after, before))
            return {"", "components that run before the atmosphere have processes that it has not"};
        for (const CimeComponent &c : after)
            if (!share(after, c) || groups_of(after).size() > 1)
                return {"", "atmosphere, coupler and land ice have processes of their own"};
    }
    std::vector<std::string> stages;
    if (!before.empty()) stages.push_back(first_stage(before));
    if (!after.empty()) stages.push_back(in_turn(after));
    std::vector<std::string> parts;
    const bool ocean_shares = !ocean.empty() && (share(after, ocean.front()) || share(before, ocean.front()));
    if (ocean_shares) stages.push_back(in_turn(ocean));
    parts.push_back(joined(stages, "+"));
    for (const CimeComponent &c : beside)
        parts.push_back(c.name);
    if (!ocean.empty() && !ocean_shares) parts.push_back(in_turn(ocean));
    return {side_by_side(std::move(parts)), ""};
}

void take_cime_layout(TimedRun &run, const std::string &driver) {
    std::vector<CimeComponent> components;
    for (const TimedComponent &c : run.components)
        components.push_back({c.name, c.first_process, c.processes, c.stride});
    const CimeLayout found = layout_of_cime(components);
    if (found.layout.empty()) {
        run.remark(Sentence::timers_no_layout, {{"why", found.why_not}});
        return;
    }
    run.layout = found.layout;
    run.layout_rules =
        "root_pe, tasks and stride of the components, and the order in which the driver " + driver + " runs them";
}

} // namespace cpl_lb
