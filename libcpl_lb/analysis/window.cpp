// The coupling loop of a component (docs/definitions.md, section 2, "Window").
#include "analysis/load_balance.hpp"

#include "analysis/step_begins.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

// A candidate for the reference: one kind, field and counterpart.
using Group = std::tuple<Kind, std::int32_t, std::int32_t>;

struct Count {
    std::int64_t occurrences = 0;
    std::size_t first = 0, last = 0; // places in the table of its first and its last occurrence
};

// SYNCs have no counterpart here: the last to come may change from one collective operation to the next.
Group group_of(const EventClass &key) {
    return {key.kind, key.field, key.kind == Kind::sync ? 0 : key.counterpart};
}

bool within(const EventSpan &span, const WindowLimits &limits) {
    return !span.empty() && span.last_start >= limits.first && span.last_start <= limits.last;
}

bool can_be_second_choice(Kind kind) {
    return kind == Kind::map || kind == Kind::out || kind == Kind::read;
}

// Exchanges rank above the other kinds, more frequent groups above rarer ones, then earlier ones above later ones.
bool better(const std::pair<const Group, Count> &a, const std::pair<const Group, Count> &b) {
    const auto rank = [](const std::pair<const Group, Count> &g) {
        return std::tuple(!is_exchange(std::get<Kind>(g.first)), -g.second.occurrences, g.second.first);
    };
    return rank(a) < rank(b);
}

// Works by classes of events, which are few. event_counts(k): whether event k is counted.
template <class Counts>
std::map<Group, Count> count_groups(const EventKeys &keys, Counts &&event_counts) {
    std::vector<Count> counts(keys.classes().size());
    const std::span<const std::uint32_t> class_of = keys.of_events();
    for (std::size_t k = 0; k < class_of.size(); ++k) {
        if (!event_counts(k)) continue;
        Count &count = counts[class_of[k]];
        if (count.occurrences++ == 0) count.first = k;
        count.last = k;
    }
    std::map<Group, Count> groups; // classes may be alike, once their counterparts are known
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const EventClass &key = keys.classes()[c];
        if (counts[c].occurrences == 0 || (!is_exchange(key.kind) && !can_be_second_choice(key.kind))) continue;
        const auto [group, is_new] = groups.try_emplace(group_of(key), counts[c]);
        if (is_new) continue;
        group->second.occurrences += counts[c].occurrences;
        group->second.first = std::min(group->second.first, counts[c].first);
        group->second.last = std::max(group->second.last, counts[c].last);
    }
    return groups;
}

// The reference and its occurrences.
struct Reference {
    bool found = false;
    Group group;
    Count count;
    std::vector<Occurrence> occurrences; // by S
    bool by_as_many = true;              // the same number of processes took part in each of them
    bool has_short_rivals = false;       // other groups are more frequent but soon over

    [[nodiscard]] bool complete() const {
        return found && by_as_many && !has_short_rivals &&
               static_cast<std::int64_t>(occurrences.size()) == count.occurrences;
    }
};

template <class Counts>
void find_occurrences(Reference &reference, const EventTable &events, Counts &&event_counts) {
    std::vector<std::uint8_t> is_of_group;
    for (const EventClass &c : events.keys.classes())
        is_of_group.push_back(group_of(c) == reference.group ? 1 : 0);
    std::vector<Occurrence> &found = reference.occurrences;
    found.reserve(static_cast<std::size_t>(reference.count.occurrences));
    prefer_large_pages(found);
    bool ascending = true;
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const EventSpan span = events.spans[k];
        if (is_of_group[events.keys.class_of(k)] == 0 || !event_counts(k)) continue;
        if (!found.empty()) {
            ascending = ascending && events.spans[found.back()].last_start <= span.last_start;
            reference.by_as_many = reference.by_as_many && events.spans[found.front()].processes == span.processes;
        }
        found.push_back(static_cast<Occurrence>(k));
    }
    if (!ascending) {
        std::ranges::stable_sort(found, {}, [&](Occurrence o) { return events.spans[o].last_start; });
    }
}

// Whether some exchange occurred so often, give or take two.
bool some_exchange_occurs(const EventTable &events, std::int64_t times) {
    const std::map<Group, Count> groups = count_groups(events.keys, [](std::size_t) { return true; });
    return std::ranges::any_of(groups, [&](const auto &group) {
        return is_exchange(std::get<Kind>(group.first)) && std::abs(group.second.occurrences - times) <= 2;
    });
}

std::string too_few(Kind kind, std::int64_t occurrences) {
    return std::string("the most frequent coupling event, ") + std::string(name_of(kind)) + ", happened " +
           (occurrences == 1 ? "once" : std::to_string(occurrences) + " times") + "; three are needed";
}

void fill_steps(Window &window, const EventTable &events, std::span<const Occurrence> occurrences) {
    // The first occurrence belongs to the start-up, because its wait is for the others' initialisation.
    occurrences = occurrences.subspan(1);
    window.steps.reserve(occurrences.size());
    prefer_large_pages(window.steps);
    for (const Occurrence occurrence : occurrences)
        window.steps.push_back(events.spans[occurrence].last_start);
    if (!events.keys.has_dates()) return;
    window.dates.reserve(occurrences.size());
    for (const Occurrence occurrence : occurrences)
        window.dates.push_back(events.keys.date(occurrence));
    if (std::ranges::find(window.dates, no_date) != window.dates.end()) window.dates.clear();
}

// When the exchanges of a group took place.
struct Course {
    std::int64_t occurrences = 0;
    Nanoseconds first = 0, last = 0;
    Interval longest_gap;

    void add(Nanoseconds S) {
        if (occurrences++ == 0) {
            first = last = S;
            return;
        }
        if (S - last > longest_gap.length()) longest_gap = {last, S};
        last = std::max(last, S);
    }
    // Without its longest gap: set-up that has a last message at the end of the run fills no more than set-up.
    [[nodiscard]] WideNanoseconds fills() const {
        constexpr std::int64_t fewest = 4; // of three, one gap would be all
        return occurrences < fewest ? 0 : WideNanoseconds{last} - first - longest_gap.length();
    }
    // It begins and ends between exchanges of the other one, and does not fill a gap of that.
    [[nodiscard]] bool goes_on_in(const Course &other) const {
        const Interval &gap = other.longest_gap;
        return other.first <= first && last <= other.last && (first < gap.start || last > gap.stop);
    }
    [[nodiscard]] bool is_short(const Course &longest) const {
        return 2 * fills() < longest.fills() || (3 * fills() < 2 * longest.fills() && !goes_on_in(longest));
    }
};

template <class Counts>
std::map<Group, Course> courses(const EventTable &events, Counts &&event_counts) {
    std::map<Group, Course> found;
    std::vector<Course *> of_classes; // a map's elements stay where they are
    for (const EventClass &c : events.keys.classes())
        of_classes.push_back(is_exchange(c.kind) ? &found[group_of(c)] : nullptr);
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        Course *course = of_classes[events.keys.class_of(k)];
        if (course != nullptr && event_counts(k)) course->add(events.spans[k].last_start);
    }
    return found;
}

// Models and couplers exchange much at set-up and at the end, and some processes may make all their exchanges long
// before the others. The loop is what fills the run: what is sent now and then all the time, beside steps that take
// half of the run, is not.
template <class Counts>
void leave_out_short(std::map<Group, Count> &groups, const EventTable &events, Counts &&event_counts) {
    if (groups.size() < 2) return;
    const std::map<Group, Course> course = courses(events, event_counts);
    if (course.empty()) return;
    const auto fills = [](const auto &one) { return one.second.fills(); };
    const Course &longest = std::ranges::max_element(course, {}, fills)->second;
    std::erase_if(groups, [&](const auto &candidate) {
        const auto of_group = course.find(candidate.first);
        return of_group != course.end() && of_group->second.is_short(longest);
    });
}

template <class Counts>
Reference best_of(std::map<Group, Count> groups, const EventTable &events, Counts &&event_counts) {
    auto best = std::ranges::min_element(groups, better);
    if (best == groups.end()) return {};
    Reference reference;
    const Group most_frequent = best->first;
    leave_out_short(groups, events, event_counts);
    best = std::ranges::min_element(groups, better);
    reference.found = true;
    reference.has_short_rivals = best->first != most_frequent;
    std::tie(reference.group, reference.count) = *best;
    find_occurrences(reference, events, event_counts);
    return reference;
}

// The places in the table from the first to the last event of a group that had the usual number of processes.
struct Stretch {
    std::size_t first = std::numeric_limits<std::size_t>::max();
    std::size_t last = 0;
};

// The most frequent number. If several are equally frequent, it is the smallest.
std::int32_t usual_of(const std::map<std::int32_t, std::int64_t> &times_of_number) {
    const auto most = std::ranges::max_element(times_of_number, {}, [](const auto &one) { return one.second; });
    return most == times_of_number.end() ? 0 : most->first;
}

// Each class has the stretch of its group. Events of fewer processes before or after it are no steps of the
// component: one exchange more at set-up on one process does not change the loop.
template <class Counts>
std::vector<Stretch> stretches(const EventTable &events, Counts &&event_counts) {
    const std::vector<EventClass> &classes = events.keys.classes();
    std::map<Group, std::size_t> places;
    std::vector<std::size_t> group(classes.size());
    std::transform(classes.begin(), classes.end(), group.begin(),
                   [&](const EventClass &c) { return places.try_emplace(group_of(c), places.size()).first->second; });
    std::vector<std::map<std::int32_t, std::int64_t>> numbers(places.size());
    for (std::size_t k = 0; k < events.keys.size(); ++k)
        if (event_counts(k)) ++numbers[group[events.keys.class_of(k)]][events.spans[k].processes];
    std::vector<std::int32_t> usual(places.size());
    std::transform(numbers.begin(), numbers.end(), usual.begin(), usual_of);
    std::vector<Stretch> of_groups(places.size());
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const std::size_t g = group[events.keys.class_of(k)];
        if (!event_counts(k) || events.spans[k].processes < usual[g]) continue;
        of_groups[g] = {std::min(of_groups[g].first, k), k};
    }
    std::vector<Stretch> of_classes(classes.size());
    std::transform(group.begin(), group.end(), of_classes.begin(), [&](std::size_t g) { return of_groups[g]; });
    return of_classes;
}

// If all occurrences of the best group lie within the limits, have the same number of processes, and no group that
// ranks above is soon over, the result stands, because limits can only lower the counts of the others.
Reference find_reference(const EventTable &events, const WindowLimits &limits) {
    const auto is_within = [&](std::size_t k) { return within(events.spans[k], limits); };
    Reference reference = best_of(count_groups(events.keys, [](std::size_t) { return true; }), events, is_within);
    if (reference.complete()) return reference;
    const std::vector<Stretch> counted = stretches(events, is_within);
    const auto counts = [&](std::size_t k) {
        const Stretch &s = counted[events.keys.class_of(k)];
        return k >= s.first && k <= s.last && is_within(k);
    };
    return best_of(count_groups(events.keys, counts), events, counts);
}

} // namespace

Window find_window(const EventTable &events, const WindowLimits &limits) {
    Window window;
    Reference reference = find_reference(events, limits);
    if (!reference.found) {
        window.why_not = "no coupling event of any field";
        return window;
    }
    std::tie(window.reference_kind, window.reference_field, window.reference_counterpart) = reference.group;
    window.occurrences = reference.count.occurrences;
    leave_step_begins(reference.occurrences, events,
                      [&](std::int64_t steps) { return some_exchange_occurs(events, steps); });
    if (reference.occurrences.size() < 3) {
        window.why_not = too_few(window.reference_kind, static_cast<std::int64_t>(reference.occurrences.size()));
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
