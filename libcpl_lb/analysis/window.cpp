// The coupling loop of a component (definitions, section 2, "Window").
#include "analysis/load_balance.hpp"
#include "data/large_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
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

// By class of events, which are few: nothing is looked up for each event but its class. `event_counts(k)`:
// whether event k does.
template <class Counts>
std::map<Group, Count> count_groups(const EventKeys &keys, Counts &&event_counts) {
    std::vector<Count> counts(keys.classes().size());
    const std::span<const std::uint32_t> class_of = keys.of_events();
    for (std::size_t k = 0; k < class_of.size(); ++k) {
        if (!event_counts(k)) continue;
        Count &count = counts[class_of[k]];
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

// Of the reference.
struct Occurrence {
    Nanoseconds S = 0;
    std::size_t place = 0; // in the table
};

// Occurrences of the group within the limits, by S.
std::vector<Occurrence> occurrences_of(const Group &group, std::int64_t count, const EventTable &events,
                                       const WindowLimits &limits) {
    std::vector<std::uint8_t> is_of_group;
    for (const EventKeys::Class &c : events.keys.classes())
        is_of_group.push_back(group_of(c) == group ? 1 : 0);
    std::vector<Occurrence> found;
    found.reserve(static_cast<std::size_t>(count));
    prefer_large_pages(found);
    bool ascending = true;
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan &span = events.spans[k];
        if (is_of_group[events.keys.class_of(k)] == 0 || !within(span, limits)) continue;
        ascending = ascending && (found.empty() || found.back().S <= span.last_start);
        found.push_back({span.last_start, k});
    }
    if (!ascending) {
        std::stable_sort(found.begin(), found.end(),
                         [](const Occurrence &a, const Occurrence &b) { return a.S < b.S; });
    }
    return found;
}

std::string too_few(Kind kind, std::int64_t occurrences) {
    return std::string("the most frequent coupling event, ") + std::string(name_of(kind)) + ", happened " +
           (occurrences == 1 ? "once" : std::to_string(occurrences) + " times") + "; three are needed";
}

void fill_steps(Window &window, const EventTable &events, std::span<const Occurrence> occurrences) {
    // The first occurrence belongs to the start-up: its wait is for the others' initialisation.
    occurrences = occurrences.subspan(1);
    window.steps.reserve(occurrences.size());
    prefer_large_pages(window.steps);
    for (const Occurrence &occurrence : occurrences)
        window.steps.push_back(occurrence.S);
    if (!events.keys.has_dates()) return;
    window.dates.reserve(occurrences.size());
    for (const Occurrence &occurrence : occurrences)
        window.dates.push_back(events.keys.date(occurrence.place));
    if (std::find(window.dates.begin(), window.dates.end(), no_date) != window.dates.end()) window.dates.clear();
}

// The reference and its occurrences.
struct Reference {
    bool found = false;
    Group group;
    Count count;
    std::vector<Occurrence> occurrences;

    [[nodiscard]] bool complete() const {
        return found && static_cast<std::int64_t>(occurrences.size()) == count.occurrences;
    }
};

Reference best_of(const std::map<Group, Count> &groups, const EventTable &events, const WindowLimits &limits) {
    const auto best = std::min_element(groups.begin(), groups.end(), better);
    if (best == groups.end()) return {};
    const auto &[group, count] = *best;
    return {true, group, count, occurrences_of(group, count.occurrences, events, limits)};
}

// The spans are eight times as long as the classes. So all events are counted at first: where every occurrence of the
// best group is within the limits, it is the best of what is within, because the others can only lose.
Reference find_reference(const EventTable &events, const WindowLimits &limits) {
    Reference reference = best_of(count_groups(events.keys, [](std::size_t) { return true; }), events, limits);
    if (reference.complete()) return reference;
    const auto is_within = [&](std::size_t k) { return within(events.spans[k], limits); };
    return best_of(count_groups(events.keys, is_within), events, limits);
}

} // namespace

Window find_window(const EventTable &events, const WindowLimits &limits) {
    Window window;
    const Reference reference = find_reference(events, limits);
    if (!reference.found) {
        window.why_not = "no coupling event of any field";
        return window;
    }
    std::tie(window.reference_kind, window.reference_field, window.reference_counterpart) = reference.group;
    window.occurrences = reference.count.occurrences;
    if (window.occurrences < 3) {
        window.why_not = too_few(window.reference_kind, window.occurrences);
        return window;
    }
    fill_steps(window, events, reference.occurrences);
    if (window.interval().length() == 0) {
        window.steps.clear();
        window.dates.clear();
        window.why_not = "the coupling loop has no length";
    }
    return window;
}

} // namespace cpl_lb
