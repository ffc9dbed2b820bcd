// The sentence about the slow side: by the critical path if it is known, else by the component most waited for.
#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_waiters_listed = 3;

const Component *find_component(const CoupledRun &run, std::int32_t id) {
    const auto found = std::ranges::find(run.components, id, &Component::id);
    return found == run.components.end() ? nullptr : &*found;
}

const Wait *find(const std::vector<Wait> &waits, std::int32_t waiter, std::int32_t awaited) {
    const auto found = std::ranges::find_if(
        waits, [=](const Wait &wait) { return wait.waiter->id == waiter && wait.awaited == awaited; });
    return found == waits.end() ? nullptr : &*found;
}

// How long one component waits for the slow side, directly or through others.
struct Waiter {
    const Component *component = nullptr;
    double share = 0;
    std::int32_t through = 0; // the component through which most of it goes; 0: direct
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
    // Who waits on a core that it needs anyway is named only where nobody else waits.
    const auto own = std::stable_partition(waiters.begin(), waiters.end(), [&](const Waiter &waiter) {
        return !in_between.leaves_out(*waiter.component);
    });
    if (own != waiters.begin()) waiters.erase(own, waiters.end());
    std::ranges::stable_sort(waiters, std::greater(), &Waiter::share);
    return waiters;
}

// "ocean waits 23 % of its time for it, ice 12 %": "it" is a component named just before.
std::string list_of(const CoupledRun &run, const std::vector<Waiter> &waiters) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(waiters.size(), most_waiters_listed); ++i) {
        const Waiter &waiter = waiters[i];
        const std::string through =
            waiter.through == 0 ? "" : say(Sentence::part_through, {{"between", name_in_words(run, waiter.through)}});
        parts.push_back(say(i == 0 ? Sentence::part_waits : Sentence::part_waits_too,
                            {{"waiter", name_in_words(run, waiter.component->id)},
                             {"share", share_in_words(waiter.share)},
                             {"through", through}}));
    }
    return listed(parts, waiters.size() - parts.size());
}

// A sentence, and the longest wait in it.
struct Said {
    std::string text;
    double longest = 0;
};

Said mutual_sentence(const CoupledRun &run, const Wait &one, const Wait &other) {
    return {say(Sentence::mutual, {{"one", name_in_words(run, one.waiter->id)},
                                   {"other", name_in_words(run, one.awaited)},
                                   {"share", share_in_words(one.share)},
                                   {"back", share_in_words(other.share)}}),
            std::max(one.share, other.share)};
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
    return share_in_words(component.balance.critical_share);
}

// The component with the next largest share of the critical path that can be the slow side.
const Component *second_on_path(const CoupledRun &run, const Component &slow, const InBetween &in_between) {
    const Component *second = nullptr;
    for (const Component &c : run.components) {
        if (&c == &slow || !(c.balance.critical_share > 0) || in_between.has(c)) continue;
        if (second == nullptr || c.balance.critical_share > second->balance.critical_share) second = &c;
    }
    return second;
}

Said sentence_by_path(const CoupledRun &run, const std::vector<Wait> &waits, const Component &slow,
                      const InBetween &in_between) {
    const std::string name = name_in_words(run, slow.id);
    const std::vector<Waiter> waiters = waiters_for(run, waits, slow.id, in_between);
    const Component *second = second_on_path(run, slow, in_between);
    const bool clear =
        second == nullptr || slow.balance.critical_share - second->balance.critical_share > clearly_larger;
    const Wait *there = mutual_wait(waits, waiters, slow.id, in_between);
    if (there != nullptr && (clear || there->waiter == second)) {
        Said said = mutual_sentence(run, *there, *find(waits, slow.id, there->waiter->id));
        if (clear) said.text += " " + say(Sentence::slow_of_two, {{"slow", name}, {"share", path_in_words(slow)}});
        return said;
    }
    if (!clear) {
        return {say(Sentence::no_slow_side, {{"one", name},
                                             {"share", path_in_words(slow)},
                                             {"other", name_in_words(run, second->id)},
                                             {"second", path_in_words(*second)}}),
                0};
    }
    return {say(waiters.empty() ? Sentence::slow_side_alone : Sentence::slow_side,
                {{"slow", name},
                 {"server", slow.balance.is_io_server ? " (it only takes data)" : ""},
                 {"share", path_in_words(slow)},
                 {"waiters", list_of(run, waiters)}}),
            waiters.empty() ? 0 : waiters.front().share};
}

// Of the critical path: both sides have come to an exchange, and have not left it. NaN: not known.
double transfer_share(const CoupledRun &run) {
    return 1 - run.balance.on_path_s / run.balance.loop_s;
}

// Fields that it sends, to that one or to all, for each second of the loop: the first and the last exchange are
// outside.
double bytes_per_s(const Component &from, const Component *to = nullptr) {
    const auto steps = static_cast<double>(from.balance.step_count);
    double sum = 0;
    for (const FieldTraffic &field : from.fields)
        if (to == nullptr || field.counterpart == to->name) sum += static_cast<double>(field.bytes);
    return sum > 0 ? sum * steps / (steps + 2) / from.balance.loop_s : 0;
}

// Between the two, both ways. Empty if that is little, or if the transfers on the path may be those of others.
std::string bytes_in_words(const CoupledRun &run, const Wait &wait) {
    constexpr double nearly_all = 0.9, least_in_step = 0.1; // MiB
    const Component *awaited = find_component(run, wait.awaited);
    const auto steps = static_cast<double>(wait.waiter->balance.step_count);
    if (awaited == nullptr || awaited == wait.waiter || steps < 1) return "";
    double all = 0;
    for (const Component &c : run.components)
        all += bytes_per_s(c) / mebibyte;
    const double rate = (bytes_per_s(*wait.waiter, awaited) + bytes_per_s(*awaited, wait.waiter)) / mebibyte;
    if (!(rate >= nearly_all * all) || !(rate * wait.waiter->balance.loop_s / steps >= least_in_step)) return "";
    return say(Sentence::part_bytes, {{"one", name_in_words(run, wait.waiter->id)},
                                      {"other", name_in_words(run, wait.awaited)},
                                      {"bytes", rounded_text(rate * wait.waiter->balance.loop_s / steps)},
                                      {"rate", rounded_text(rate / transfer_share(run))}});
}

// Empty if some component computes as much on the path, or without its bytes: between what was recorded of both sides
// something else may lie that was not.
Said transfer_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &in_between) {
    if (run.balance.slow_side == 0 && run.balance.equally_slow.empty()) return {};
    const auto longest =
        std::ranges::find_if(waits, [&](const Wait &wait) { return !in_between.leaves_out(*wait.waiter); });
    const auto slow = std::ranges::max_element(run.components, {}, [](const Component &c) {
        return c.balance.critical_share > 0 ? c.balance.critical_share : 0;
    });
    const std::string bytes = longest == waits.end() ? "" : bytes_in_words(run, *longest);
    if (bytes.empty() || !(transfer_share(run) > slow->balance.critical_share + clearly_larger)) return {};
    return {say(Sentence::transfer_bound, {{"share", share_in_words(transfer_share(run))},
                                           {"slow", name_in_words(run, slow->id)},
                                           {"second", path_in_words(*slow)},
                                           {"waiter", name_in_words(run, longest->waiter->id)},
                                           {"wait", share_in_words(longest->share)},
                                           {"awaited", awaited_in_words(run, *longest)},
                                           {"bytes", bytes}}),
            longest->share};
}

std::vector<Waiter> straight_waiters_for(const std::vector<Wait> &waits, std::int32_t awaited) {
    std::vector<Waiter> waiters;
    for (const Wait &wait : waits)
        if (wait.awaited == awaited) waiters.push_back({wait.waiter, wait.share, 0});
    return waiters;
}

// Who waits for a program that was spawned or connected; empty: there is none.
std::string another_world_sentence(const CoupledRun &run, const std::vector<Wait> &waits) {
    const auto at = std::ranges::find(run.component_names, another_world);
    if (at == run.component_names.end()) return "";
    const auto id = static_cast<std::int32_t>(at - run.component_names.begin()) + 1;
    const std::vector<Waiter> waiters = straight_waiters_for(waits, id);
    return say(Sentence::another_world, {{"waiters", waiters.empty() ? "" : ": " + list_of(run, waiters)}});
}

// It is not known whether an unrecorded component computes or waits for others.
Said unrecorded_sentence(const CoupledRun &run, const std::vector<Wait> &waits) {
    const auto longest = std::ranges::find_if(
        waits, [&](const Wait &wait) { return wait.awaited != 0 && find_component(run, wait.awaited) == nullptr; });
    if (longest == waits.end()) return {};
    const std::vector<Waiter> waiters = straight_waiters_for(waits, longest->awaited);
    if (run.component_name(longest->awaited) == another_world)
        return {another_world_sentence(run, waits), longest->share};
    const std::string name = name_in_words(run, longest->awaited);
    return {say(Sentence::unrecorded,
                {{"name", name == not_recorded ? "A program" : name}, {"waiters", list_of(run, waiters)}}),
            longest->share};
}

// The component for which the most core time waits. A hub, which waits most of its own time, only if all are hubs.
std::int32_t most_awaited(const CoupledRun &run, const std::vector<Wait> &waits) {
    std::map<std::int32_t, double> core_s;
    for (const bool hubs : {false, true}) {
        for (const Wait &wait : waits) {
            const Component *awaited = find_component(run, wait.awaited);
            if (hubs || awaited == nullptr || !waits_most_of_its_time(*awaited)) core_s[wait.awaited] += wait.core_s;
        }
        if (!core_s.empty()) break;
    }
    return std::ranges::max_element(core_s, {}, &std::map<std::int32_t, double>::value_type::second)->first;
}

// Others wait for a hub, but it is not known for whom they wait through it.
Said hub_sentence(const CoupledRun &run, const std::vector<Wait> &waits, std::int32_t hub) {
    const std::vector<Waiter> waiters = straight_waiters_for(waits, hub);
    return {say(Sentence::slow_not_known, {{"hub", name_in_words(run, hub)}, {"waiters", list_of(run, waiters)}}),
            waiters.front().share};
}

Said equally_slow_sentence(const CoupledRun &run) {
    constexpr double little = 0.05;
    std::vector<std::pair<std::string, double>> on_path;
    for (const std::int32_t id : run.balance.equally_slow) {
        const Component *component = find_component(run, id);
        on_path.emplace_back(name_in_words(run, id),
                             component == nullptr ? unknown : component->balance.critical_share);
    }
    std::vector<std::string> names, shares;
    double least = 1;
    for (const auto &[name, share] : on_path) {
        names.push_back(name);
        shares.push_back(share_in_words(share));
        least = share < least ? share : is_known(share) ? least : 0;
    }
    const std::string all = names.size() == 2 ? "both" : "all of them";
    constexpr std::size_t most_named = 8, few = 3;
    if (names.size() > most_named) {
        const std::size_t more = names.size() - few;
        names.resize(few);
        return {say(Sentence::as_slow, {{"names", listed(names, more)}, {"all", all}}), 0};
    }
    if (least < little) return {say(Sentence::as_slow, {{"names", listed(names)}, {"all", all}}), 0};
    return {say(Sentence::equally_slow, {{"names", listed(names)}, {"shares", listed(shares)}, {"all", all}}), 0};
}

Said sentence_by_waits(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &between) {
    if (Said said = unrecorded_sentence(run, waits); !said.text.empty()) return said;
    const std::int32_t slow = most_awaited(run, waits);
    const std::vector<Waiter> waiters = straight_waiters_for(waits, slow);
    const Wait &longest = *find(waits, waiters.front().component->id, slow);
    const Wait *back = find(waits, slow, longest.waiter->id);
    if (slow != longest.waiter->id && back != nullptr && back->share >= 0.5 * longest.share) {
        for (const Component *hub : {longest.waiter, back->waiter})
            if (between.has(*hub)) return hub_sentence(run, waits, hub->id);
        return mutual_sentence(run, longest, *back);
    }
    if (slow == 0 || slow == longest.waiter->id) {
        return {say(slow == 0 ? Sentence::other_end_not_known : Sentence::with_itself,
                    {{"waiter", name_in_words(run, longest.waiter->id)}, {"share", share_in_words(longest.share)}}),
                longest.share};
    }
    if (waits_most_of_its_time(*find_component(run, slow))) return hub_sentence(run, waits, slow);
    return {say(Sentence::slow_by_waits, {{"slow", name_in_words(run, slow)}, {"waiters", list_of(run, waiters)}}),
            longest.share};
}

// Those that are left out wait on a core that they need anyway.
std::string with_longest_wait(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &in_between,
                              const Said &said) {
    const auto longest =
        std::ranges::find_if(waits, [&](const Wait &wait) { return !in_between.leaves_out(*wait.waiter); });
    if (longest == waits.end() || longest->share <= said.longest) return said.text;
    return said.text + " " +
           say(Sentence::longest_wait, {{"waiter", name_in_words(run, longest->waiter->id)},
                                        {"share", share_in_words(longest->share)},
                                        {"awaited", awaited_in_words(run, *longest)}});
}

} // namespace

std::string name_in_words(const CoupledRun &run, std::int32_t id) {
    return short_name(run.component_name(id), name_columns);
}

std::string awaited_in_words(const CoupledRun &run, const Wait &wait) {
    if (wait.awaited == 0) return "one without a name";
    return wait.awaited == wait.waiter->id ? "itself" : name_in_words(run, wait.awaited);
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
    std::ranges::stable_sort(waits, std::greater(), &Wait::share);
    return waits;
}

void add_another_world(std::vector<std::string> &words, const CoupledRun &run, const std::vector<Wait> &waits) {
    std::string sentence = another_world_sentence(run, waits);
    const auto says_so = [&](const std::string &said) { return said.starts_with(sentence); };
    if (sentence.empty() || std::ranges::any_of(words, says_so)) return;
    words.push_back(std::move(sentence));
}

std::string slow_side_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const InBetween &between) {
    if (Said said = transfer_sentence(run, waits, between); !said.text.empty()) return said.text;
    if (!run.balance.equally_slow.empty()) return with_longest_wait(run, waits, between, equally_slow_sentence(run));
    const Component *slow = find_component(run, run.balance.slow_side);
    return with_longest_wait(run, waits, between,
                             slow != nullptr ? sentence_by_path(run, waits, *slow, between)
                                             : sentence_by_waits(run, waits, between));
}

} // namespace cpl_lb
