// The coupling loop of a component (docs/definitions.md, section 2, "Window").
#include "analysis/load_balance.hpp"

#include "analysis/intervals.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <cstddef>
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

// One occurrence of the reference: its place in the table. With its S it would take four times as much memory.
using Occurrence = std::uint32_t;

// The reference and its occurrences.
struct Reference {
    bool found = false;
    Group group;
    Count count;
    std::vector<Occurrence> occurrences; // by S
    bool by_as_many = true;              // the same number of processes took part in each of them
    bool has_short_rivals = false;       // other groups are as frequent but soon over

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

// Many models send all their fields under one name: several exchanges right after each other, then a step of
// computing. Returns the number of exchanges that four of five bursts reach, because single exchanges come in
// between; 1: there are no bursts. `apart`: by occurrence, the computing between it and the next one.
std::size_t size_of_bursts(std::span<const Nanoseconds> apart, Nanoseconds right_after) {
    std::vector<std::size_t> bursts;
    std::size_t size = 1;
    for (const Nanoseconds gap : apart) {
        if (gap < right_after)
            ++size;
        else
            bursts.push_back(std::exchange(size, 1));
    }
    if (bursts.empty()) return 1;
    const auto fifth = bursts.begin() + static_cast<std::ptrdiff_t>(bursts.size() / 5);
    std::nth_element(bursts.begin(), fifth, bursts.end());
    return *fifth;
}

// How long the component computed between each occurrence and the next one: waiting in other exchanges is left out.
std::vector<Nanoseconds> computing_between(std::span<const Occurrence> occurrences, const EventTable &events) {
    std::vector<Interval> waits;
    const auto [first, latest] = std::minmax(occurrences.front(), occurrences.back());
    for (Occurrence k = first; k <= latest; ++k) {
        const EventSpan span = events.spans[k];
        if (!span.empty() && is_exchange(events.keys.what(k).kind))
            waits.push_back({span.last_start, span.last_stop});
    }
    const auto before = [](const Interval &a, const Interval &b) { return a.start < b.start; };
    sort_nearly_sorted(waits, before);
    std::vector<Nanoseconds> between;
    Nanoseconds computed = 0; // until `left`
    Nanoseconds left = events.spans[occurrences.front()].last_start;
    Nanoseconds last = 0;
    std::size_t next = 0;
    for (const Occurrence &o : occurrences) {
        const Nanoseconds S = events.spans[o].last_start;
        for (; next < waits.size() && waits[next].start < S; ++next) {
            computed += std::max<Nanoseconds>(0, waits[next].start - left);
            left = std::max(left, waits[next].stop);
        }
        const Nanoseconds until = computed + std::max<Nanoseconds>(0, S - left);
        if (&o != &occurrences.front()) between.push_back(until - last);
        last = until;
    }
    return between;
}

// The mean, with the longest one of fifty reduced to the next one: a process that was stopped once is no pattern.
Nanoseconds usual_mean(std::vector<Nanoseconds> times) {
    const auto longest = times.end() - static_cast<std::ptrdiff_t>(2 + times.size() / 50);
    std::nth_element(times.begin(), longest, times.end());
    const Nanoseconds most = *longest;
    Nanoseconds sum = 0;
    for (const Nanoseconds t : times)
        sum += std::min(t, most);
    return sum / static_cast<Nanoseconds>(times.size());
}

// A header that is sent in each step may sometimes be sent twice: the second one begins no step. This is assumed if
// three or more, and at most a fifth, are repeated, and another exchange is as frequent as the rest.
std::vector<Occurrence> without_repeated(std::span<const Occurrence> occurrences, std::span<const Nanoseconds> apart,
                                         Nanoseconds right_after, const EventTable &events) {
    std::vector<Occurrence> rest{occurrences.front()};
    for (std::size_t n = 0; n < apart.size(); ++n)
        if (apart[n] >= right_after) rest.push_back(occurrences[n + 1]);
    if (rest.size() + 3 > occurrences.size() || 5 * rest.size() < 4 * occurrences.size()) return {};
    const auto steps = static_cast<std::int64_t>(rest.size());
    const std::map<Group, Count> groups = count_groups(events.keys, [](std::size_t) { return true; });
    const bool confirmed = std::ranges::any_of(groups, [&](const auto &group) {
        return is_exchange(std::get<Kind>(group.first)) && std::abs(group.second.occurrences - steps) <= 2;
    });
    if (!confirmed) return {};
    return rest;
}

// Keeps the first occurrence of each burst. Parts of an interrupted burst are united up to the size of a burst.
void keep_first_of_bursts(std::vector<Occurrence> &occurrences, const EventTable &events) {
    if (occurrences.size() < 6) return;
    // In a long run a sample from the middle tells whether there are bursts; nearly always there are none.
    constexpr std::size_t enough = 4096;
    if (occurrences.size() > 2 * enough) {
        const auto middle = std::span(occurrences).subspan((occurrences.size() - enough) / 2, enough);
        const std::vector<Nanoseconds> some = computing_between(middle, events);
        if (*std::ranges::min_element(some) >= usual_mean(some) / 10) return;
    }
    const std::vector<Nanoseconds> apart = computing_between(occurrences, events);
    const Nanoseconds right_after = usual_mean(apart) / 10;
    const std::size_t usual = size_of_bursts(apart, right_after);
    if (usual < 2) {
        const auto rest = without_repeated(occurrences, apart, right_after, events);
        if (!rest.empty()) occurrences = rest;
        return;
    }
    std::vector<Occurrence> first{occurrences.front()};
    std::size_t size = 1;
    for (std::size_t n = 0; n < apart.size(); ++n) {
        if (apart[n] < right_after || size < usual) {
            ++size;
            continue;
        }
        first.push_back(occurrences[n + 1]);
        size = 1;
    }
    occurrences = std::move(first);
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

// When the events of a group took place.
struct Course {
    std::int64_t occurrences = 0;
    Nanoseconds first = 0, last = 0, longest_gap = 0;

    void add(Nanoseconds S) {
        if (occurrences++ == 0) {
            first = last = S;
            return;
        }
        longest_gap = std::max(longest_gap, S - last);
        last = std::max(last, S);
    }
    [[nodiscard]] Nanoseconds length() const { return last - first; }
    [[nodiscard]] bool is_steady() const { return occurrences >= 3 && 2 * longest_gap <= length(); }
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

// Models and couplers use many collective operations at set-up and at the end, which are no steps. Leaves the groups
// that may be the reference.
template <class Counts>
void leave_out_bursts(std::map<Group, Count> &groups, const EventTable &events, Counts &&event_counts) {
    const std::map<Group, Course> course = courses(events, event_counts);
    Nanoseconds longest = 0;
    for (const auto &[group, c] : course)
        if (c.is_steady()) longest = std::max(longest, c.length());
    if (longest == 0) return;
    std::erase_if(groups, [&](const auto &candidate) {
        if (std::get<Kind>(candidate.first) != Kind::sync) return false;
        const Course &c = course.at(candidate.first);
        return !c.is_steady() || 10 * c.length() < longest;
    });
}

// Some processes of a component may make all their exchanges long before the others. Of the groups as frequent as the
// best, leaves those that may be the reference; false: all stay.
bool leave_out_short(std::map<Group, Count> &groups, std::int64_t most, const EventTable &events) {
    const auto is_rival = [most](const auto &group) {
        return is_exchange(std::get<Kind>(group.first)) && group.second.occurrences == most;
    };
    const auto length = [&events](const Count &count) {
        const EventSpan first = events.spans[count.first];
        const EventSpan last = events.spans[count.last];
        return first.empty() || last.empty() ? 0 : std::max<Nanoseconds>(0, last.last_start - first.last_start);
    };
    Nanoseconds longest = 0;
    for (const auto &group : groups)
        if (is_rival(group)) longest = std::max(longest, length(group.second));
    return 0 < std::erase_if(groups, [&](const auto &group) {
               return is_rival(group) && WideNanoseconds{10} * length(group.second) < longest;
           });
}

template <class Counts>
Reference best_of(std::map<Group, Count> groups, const EventTable &events, Counts &&event_counts) {
    auto best = std::ranges::min_element(groups, better);
    if (best == groups.end()) return {};
    if (std::get<Kind>(best->first) == Kind::sync) {
        leave_out_bursts(groups, events, event_counts);
        best = std::ranges::min_element(groups, better);
    }
    Reference reference;
    reference.has_short_rivals = leave_out_short(groups, best->second.occurrences, events);
    best = std::ranges::min_element(groups, better);
    reference.found = true;
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

// The spans take eight times as much memory as the classes, so all events are counted at first. If all occurrences of
// the best group lie within the limits, have the same number of processes, and no group as frequent is soon over, the
// result stands, because limits can only lower the counts of the others.
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
    keep_first_of_bursts(reference.occurrences, events);
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
