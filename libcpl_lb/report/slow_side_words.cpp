// The sentence about the slow side: by the critical path where it is known, else by who is waited for most.
#include "report/slow_side_words.hpp"

#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t name_columns = 40;
constexpr std::size_t most_waiters_listed = 3;
// Shares of the critical path that differ by less name no slow side.
constexpr double clearly_larger = 0.05;

const Component *find_component(const CoupledRun &run, std::int32_t id) {
    const auto found = std::find_if(run.components.begin(), run.components.end(),
                                    [id](const Component &component) { return component.id == id; });
    return found == run.components.end() ? nullptr : &*found;
}

const Wait *find(const std::vector<Wait> &waits, std::int32_t waiter, std::int32_t awaited) {
    const auto found = std::find_if(waits.begin(), waits.end(), [=](const Wait &wait) {
        return wait.waiter->id == waiter && wait.awaited == awaited;
    });
    return found == waits.end() ? nullptr : &*found;
}

// How long one component waits for the slow side, directly or through others.
struct Waiter {
    const Component *component = nullptr;
    double share = 0;
    std::int32_t through = 0; // who most of it goes through; 0: straight
};

std::vector<Waiter> waiters_for(const CoupledRun &run, const std::vector<Wait> &waits, std::int32_t slow,
                                const InBetween &in_between) {
    std::vector<Waiter> waiters;
    std::map<std::int32_t, const Component *> by_id;
    for (const Component &component : run.components)
        by_id.emplace(component.id, &component);
    std::map<const Component *, std::vector<const Wait *>> waits_of_one;
    for (const Wait &wait : waits)
        waits_of_one[wait.waiter].push_back(&wait);
    for (const Component &component : run.components) {
        if (component.id == slow) continue;
        Waiter waiter{&component, 0, 0};
        double straight = 0;
        double longest = 0;
        for (const Wait *wait : waits_of_one[&component]) {
            const auto awaited = by_id.find(wait->awaited);
            const bool between = wait->awaited != slow && awaited != by_id.end() && awaited->second != &component &&
                                 in_between.has(*awaited->second);
            if (wait->awaited == slow) straight = wait->share;
            if (wait->awaited == slow || between) waiter.share += wait->share;
            if (!between || wait->share <= longest) continue;
            longest = wait->share;
            waiter.through = wait->awaited;
        }
        if (longest <= straight) waiter.through = 0;
        if (waiter.share > 0) waiters.push_back(waiter);
    }
    // A component in between waits because it has nothing to do: only the others are worth telling.
    const auto own = std::stable_partition(waiters.begin(), waiters.end(),
                                           [&](const Waiter &waiter) { return !in_between.has(*waiter.component); });
    if (own != waiters.begin()) waiters.erase(own, waiters.end());
    std::stable_sort(waiters.begin(), waiters.end(),
                     [](const Waiter &a, const Waiter &b) { return a.share > b.share; });
    return waiters;
}

// "ocean waits 23 % of its time for it, ice 12 %": for one that was named just before.
std::string list_of(const CoupledRun &run, const std::vector<Waiter> &waiters) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(waiters.size(), most_waiters_listed); ++i) {
        const Waiter &waiter = waiters[i];
        parts.push_back(name_in_words(run, waiter.component->id) + (i == 0 ? " waits " : " ") +
                        share_in_words(waiter.share) + (i == 0 ? " of its time for it" : "") +
                        (waiter.through == 0 ? "" : ", through " + name_in_words(run, waiter.through)));
    }
    return listed(parts, waiters.size() - parts.size());
}

std::string mutual_sentence(const CoupledRun &run, const Wait &one, const Wait &other) {
    const std::string first = name_in_words(run, one.waiter->id);
    const std::string second = name_in_words(run, one.awaited);
    return fmt::format("{} and {} wait for each other: {} {} of its time for {}, {} {} of its time for {}; parts of "
                       "them run one after the other, or their steps are uneven.",
                       first, second, first, share_in_words(one.share), second, second, share_in_words(other.share),
                       first);
}

// The wait of a component for the slow side, if the slow side waits for that component at least half as long.
const Wait *mutual_wait(const std::vector<Wait> &waits, const std::vector<Waiter> &waiters, std::int32_t slow,
                        const InBetween &in_between) {
    std::map<std::pair<std::int32_t, std::int32_t>, const Wait *> by_ends; // waiter and awaited
    for (const Wait &wait : waits)
        by_ends.emplace(std::pair(wait.waiter->id, wait.awaited), &wait);
    for (const Waiter &waiter : waiters) {
        const auto there = by_ends.find({waiter.component->id, slow}),
                   back = by_ends.find({slow, waiter.component->id});
        if (there != by_ends.end() && back != by_ends.end() && back->second->share >= 0.5 * there->second->share &&
            !in_between.has(*waiter.component))
            return there->second;
    }
    return nullptr;
}

std::string path_in_words(const Component &component) {
    return share_in_words(component.balance.critical_share) + " of the critical path";
}

// The next largest share of the critical path of those that can be the slow side.
const Component *second_on_path(const CoupledRun &run, const Component &slow, const InBetween &in_between) {
    const Component *second = nullptr;
    for (const Component &c : run.components) {
        if (&c == &slow || !(c.balance.critical_share > 0) || in_between.has(c)) continue;
        if (second == nullptr || c.balance.critical_share > second->balance.critical_share) second = &c;
    }
    return second;
}

std::string sentence_by_path(const CoupledRun &run, const std::vector<Wait> &waits, const Component &slow,
                             const InBetween &in_between) {
    const std::string name = name_in_words(run, slow.id);
    const std::vector<Waiter> waiters = waiters_for(run, waits, slow.id, in_between);
    const Component *second = second_on_path(run, slow, in_between);
    const bool clear =
        second == nullptr || slow.balance.critical_share - second->balance.critical_share > clearly_larger;
    const Wait *there = mutual_wait(waits, waiters, slow.id, in_between);
    if (there != nullptr && (clear || there->waiter == second)) {
        const Wait &back = *find(waits, slow.id, there->waiter->id);
        const std::string longer = clear ? fmt::format(" {} is the slow side: {}.", name, path_in_words(slow)) : "";
        return mutual_sentence(run, *there, back) + longer;
    }
    std::string text;
    if (clear) {
        text = fmt::format("{} is the slow side{}, {}", name,
                           slow.balance.is_io_server ? " (it only takes data)" : "", path_in_words(slow));
        text += waiters.empty() ? "." : ": " + list_of(run, waiters) + ".";
    } else {
        text = fmt::format("No side is clearly the slow one: {} is {}, {} {}; their steps are uneven, or parts of "
                           "them run one after the other.",
                           name, path_in_words(slow), name_in_words(run, second->id),
                           share_in_words(second->balance.critical_share));
    }
    const Wait &longest = waits.front();
    const bool said = clear && !waiters.empty() && longest.share <= waiters.front().share;
    if (said || in_between.has(*longest.waiter) || longest.waiter->id == slow.id) return text;
    return text + fmt::format(" The longest wait: {} {} of its time for {}.", name_in_words(run, longest.waiter->id),
                              share_in_words(longest.share), name_in_words(run, longest.awaited));
}

std::vector<Waiter> straight_waiters_for(const std::vector<Wait> &waits, std::int32_t awaited) {
    std::vector<Waiter> waiters;
    for (const Wait &wait : waits)
        if (wait.awaited == awaited) waiters.push_back({wait.waiter, wait.share, 0});
    return waiters;
}

// Nobody knows whether one that was not recorded computes, or waits for others.
std::string unrecorded_sentence(const CoupledRun &run, const std::vector<Wait> &waits) {
    const auto longest = std::find_if(waits.begin(), waits.end(), [&](const Wait &wait) {
        return wait.awaited != 0 && find_component(run, wait.awaited) == nullptr;
    });
    if (longest == waits.end()) return {};
    const std::vector<Waiter> waiters = straight_waiters_for(waits, longest->awaited);
    const std::string name = name_in_words(run, longest->awaited);
    return fmt::format("{} was not recorded, and without its record nobody can know which side is slow: {}.",
                       name == "not recorded" ? "A program" : name, list_of(run, waiters));
}

// The component for which the most core time waits: a hub, which waits most of its own time, only if all do.
std::int32_t most_awaited(const CoupledRun &run, const std::vector<Wait> &waits) {
    std::map<std::int32_t, double> core_s;
    for (const bool hubs : {false, true}) {
        for (const Wait &wait : waits) {
            const Component *awaited = find_component(run, wait.awaited);
            if (hubs || awaited == nullptr || !waits_most_of_its_time(*awaited)) core_s[wait.awaited] += wait.core_s;
        }
        if (!core_s.empty()) break;
    }
    return std::max_element(core_s.begin(), core_s.end(),
                            [](const auto &a, const auto &b) { return a.second < b.second; })
        ->first;
}

// Others wait for a hub, but nobody knows for whom they wait through it.
std::string hub_sentence(const CoupledRun &run, const std::vector<Wait> &waits, std::int32_t hub) {
    return fmt::format("Which side is slow is not known: {} waits most of its own time, and {}.",
                       name_in_words(run, hub), list_of(run, straight_waiters_for(waits, hub)));
}

std::string sentence_by_waits(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &between) {
    if (std::string words = unrecorded_sentence(run, waits); !words.empty()) return words;
    const std::int32_t slow = most_awaited(run, waits);
    const std::vector<Waiter> waiters = straight_waiters_for(waits, slow);
    const Wait &longest = *find(waits, waiters.front().component->id, slow);
    const Wait *back = find(waits, slow, longest.waiter->id);
    if (slow != longest.waiter->id && back != nullptr && back->share >= 0.5 * longest.share) {
        for (const Component *hub : {longest.waiter, back->waiter})
            if (between.has(*hub)) return hub_sentence(run, waits, hub->id);
        return mutual_sentence(run, longest, *back);
    }
    const std::string waiter = name_in_words(run, longest.waiter->id);
    if (slow == 0)
        return fmt::format("{} waits {} of its time in exchanges whose other end is not known.", waiter,
                           share_in_words(longest.share));
    if (slow == longest.waiter->id)
        return fmt::format("{} waits {} of its time in exchanges with itself.", waiter,
                           share_in_words(longest.share));
    if (waits_most_of_its_time(*find_component(run, slow))) return hub_sentence(run, waits, slow);
    return fmt::format("{} is the slow side: {}.", name_in_words(run, slow), list_of(run, waiters));
}

} // namespace

std::string name_in_words(const CoupledRun &run, std::int32_t id) {
    return short_name(run.component_name(id), name_columns);
}

std::string listed(const std::vector<std::string> &parts, std::size_t more) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size() && more == 0;
        text += (i == 0 ? "" : last ? " and " : ", ") + parts[i];
    }
    return more == 0 ? text : text + fmt::format(" and {} more", more);
}

std::vector<Wait> waits_of(const CoupledRun &run) {
    std::vector<Wait> waits;
    for (const Component &component : run.components) {
        if (!takes_part(component)) continue;
        for (const WaitingFor &part : component.balance.waiting_for) {
            const double seconds = part.get_s + part.put_s;
            const double share = seconds / component.balance.loop_s;
            if (share >= balanced_below)
                waits.push_back(
                    {&component, part.component, share, seconds * static_cast<double>(component.cores())});
        }
    }
    std::stable_sort(waits.begin(), waits.end(), [](const Wait &a, const Wait &b) { return a.share > b.share; });
    return waits;
}

std::string slow_side_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &between) {
    const Component *slow = find_component(run, run.balance.slow_side);
    return slow != nullptr ? sentence_by_path(run, waits, *slow, between) : sentence_by_waits(run, waits, between);
}

} // namespace cpl_lb
