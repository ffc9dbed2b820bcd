// The coupling loop of a component (definitions, section 2, "Window").
#include "analysis/load_balance.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace cpl_lb {
namespace {

// A candidate for the reference: one kind, field and counterpart.
using Group = std::tuple<Kind, std::int32_t, std::int32_t>;

struct Count {
    std::int64_t occurrences = 0;
    std::size_t first = 0; // place in the table of its first occurrence
};

Group group_of(const EventKeys::Class &key) {
    return {key.kind, key.field, key.counterpart};
}

bool within(const EventSpan &span, const WindowLimits &limits) {
    return !span.empty() && span.last_start >= limits.first && span.last_start <= limits.last;
}

bool can_be_second_choice(Kind kind) {
    return kind == Kind::map || kind == Kind::out || kind == Kind::read;
}

// Exchanges rank above the other kinds, then the more frequent, then the earlier.
bool better(const std::pair<const Group, Count> &a, const std::pair<const Group, Count> &b) {
    const bool exchange_a = is_exchange(std::get<Kind>(a.first));
    const bool exchange_b = is_exchange(std::get<Kind>(b.first));
    if (exchange_a != exchange_b) return exchange_a;
    if (a.second.occurrences != b.second.occurrences) return a.second.occurrences > b.second.occurrences;
    return a.second.first < b.second.first;
}

std::map<Group, Count> count_groups(const EventTable &events, const WindowLimits &limits) {
    const EventKeys &keys = events.keys;
    std::vector<Count> counts(keys.classes().size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (!within(events.spans[k], limits)) continue;
        Count &count = counts[keys.class_of(k)];
        if (count.occurrences++ == 0) count.first = k;
    }
    std::map<Group, Count> groups; // classes may be alike, once their counterparts are known
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const EventKeys::Class &key = keys.classes()[c];
        if (counts[c].occurrences == 0 || (!is_exchange(key.kind) && !can_be_second_choice(key.kind))) continue;
        const auto [group, is_new] = groups.try_emplace(group_of(key), counts[c]);
        if (is_new) continue;
        group->second.occurrences += counts[c].occurrences;
        group->second.first = std::min(group->second.first, counts[c].first);
    }
    return groups;
}

// Occurrences of the group within the limits, by S.
std::vector<std::uint32_t> occurrences_of(const Group &group, std::int64_t count, const EventTable &events,
                                          const WindowLimits &limits) {
    std::vector<std::uint8_t> is_of_group;
    for (const EventKeys::Class &c : events.keys.classes())
        is_of_group.push_back(group_of(c) == group ? 1 : 0);
    std::vector<std::uint32_t> found;
    found.reserve(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        if (is_of_group[events.keys.class_of(k)] != 0 && within(events.spans[k], limits))
            found.push_back(static_cast<std::uint32_t>(k));
    }
    const auto earlier = [&events](std::uint32_t a, std::uint32_t b) {
        return events.spans[a].last_start < events.spans[b].last_start;
    };
    if (!std::is_sorted(found.begin(), found.end(), earlier)) std::stable_sort(found.begin(), found.end(), earlier);
    return found;
}

std::string too_few(Kind kind, std::int64_t occurrences) {
    return std::string("the most frequent coupling event, ") + std::string(name_of(kind)) + ", happened " +
           (occurrences == 1 ? "once" : std::to_string(occurrences) + " times") + "; three are needed";
}

void fill_steps(Window &window, const EventTable &events, const std::vector<std::uint32_t> &occurrences) {
    window.steps.reserve(occurrences.size() - 1);
    // The first occurrence belongs to the start-up: its wait is for the others' initialisation.
    for (auto k = occurrences.begin() + 1; k != occurrences.end(); ++k) {
        window.steps.push_back(events.spans[*k].last_start);
        if (events.keys.has_dates()) window.dates.push_back(events.keys.date(*k));
    }
    if (std::find(window.dates.begin(), window.dates.end(), no_date) != window.dates.end()) window.dates.clear();
}

} // namespace

Window find_window(const EventTable &events, const WindowLimits &limits) {
    Window window;
    const std::map<Group, Count> groups = count_groups(events, limits);
    const auto best = std::min_element(groups.begin(), groups.end(), better);
    if (best == groups.end()) {
        window.why_not = "no coupling event of any field";
        return window;
    }
    const auto &[group, count] = *best;
    std::tie(window.reference_kind, window.reference_field, window.reference_counterpart) = group;
    window.occurrences = count.occurrences;
    if (count.occurrences < 3) {
        window.why_not = too_few(window.reference_kind, count.occurrences);
        return window;
    }
    fill_steps(window, events, occurrences_of(group, count.occurrences, events, limits));
    if (window.interval().length() == 0) {
        window.steps.clear();
        window.dates.clear();
        window.why_not = "the coupling loop has no length";
    }
    return window;
}

} // namespace cpl_lb
