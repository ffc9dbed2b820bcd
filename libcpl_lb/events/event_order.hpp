// Tells which events of different processes are the same, by (class, date, occurrence): docs/definitions.md, 1.
#pragma once

#include "data/event_keys.hpp"
#include "data/time.hpp"
#include "events/catalogue.hpp"
#include "events/decode.hpp"

#include <bit>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {

// Events of one component on one process, in the order of their begins, on the common clock.
struct LocalEvents {
    std::vector<std::uint32_t> place;          // of each event, in class_of_place
    std::vector<std::uint32_t> class_of_place; // index into Catalogue::classes, in the order of first appearance
    OrderHash order;                           // of place, for hash_of()
    std::vector<Nanoseconds> start, stop;
    // Gives the times if start and stop are empty: all events, in blocks, as often as it is called, until the marks
    // are released.
    std::function<void(const TakeTimes &)> times_in_marks;
    std::function<void()> release_marks;
    std::vector<DateChange> dates;
    std::vector<Interval> away;
    bool dated = false;
    std::uint64_t end_order = 0; // see LocalTimeline
    // By class: the number of each occurrence, if occurrences are not just counted.
    std::map<std::uint32_t, std::vector<std::uint32_t>> numbers;

    [[nodiscard]] std::size_t size() const { return place.size(); }
    [[nodiscard]] std::uint32_t class_of(std::size_t event) const { return class_of_place[place[event]]; }
};

// Returns the class of each event, and takes the places out of `events`.
[[nodiscard]] std::vector<std::uint32_t> take_classes(LocalEvents &events);
// Moves the times from the marks to start and stop.
void take_times_from_marks(LocalEvents &events);

struct OccurrenceKey {
    std::int64_t date = no_date;
    std::uint32_t event_class = 0;
    std::uint32_t occurrence = 0;

    friend auto operator<=>(const OccurrenceKey &, const OccurrenceKey &) = default;
};

// The keys of a list of events, in its order. classes: indices in the catalogue. dates: of all events, or empty.
[[nodiscard]] EventKeys event_list(const Catalogue &catalogue, std::vector<std::uint32_t> classes,
                                   std::vector<std::int64_t> dates);
[[nodiscard]] EventKeys event_list(const Catalogue &catalogue, std::span<const OccurrenceKey> order, bool use_dates);

// How the events of a component get their keys, on all its processes.
struct KeyRule {
    std::size_t classes = 0;
    bool use_dates = false; // the date is part of the key
    // The number of this process's first occurrence of each class, if processes recorded it differently often
    // (occurrence_shifts.hpp); empty: 0 everywhere.
    std::vector<std::uint32_t> first;
};

[[nodiscard]] bool dates_go_up(const std::vector<DateChange> &dates);

// Counts occurrences of each class; with dates, within each date. Dates nearly always go up, and then one number for
// each class is enough. If a date comes again (a model that steps back), its count goes on.
class OccurrenceCounter {
public:
    // Counts the occurrences of `events`, which outlives this object.
    OccurrenceCounter(const LocalEvents &events, const KeyRule &rule)
        : counts_(rule.classes), dates_go_up_(dates_go_up(events.dates)) {
        for (std::size_t c = 0; c < rule.first.size(); ++c)
            counts_[c].count = rule.first[c];
        if (rule.use_dates) return;
        for (const auto &[event_class, numbers] : events.numbers)
            counts_[event_class].numbers = &numbers;
    }
    OccurrenceKey next(std::uint32_t event_class, std::int64_t date) {
        Count &c = counts_[event_class];
        if (c.date != date) change_date(event_class, date);
        const std::uint32_t n = c.count++;
        return {date, event_class, c.numbers == nullptr || n >= c.numbers->size() ? n : (*c.numbers)[n]};
    }

private:
    struct Count {
        std::int64_t date = no_date;
        std::uint32_t count = 0;
        const std::vector<std::uint32_t> *numbers = nullptr; // null: just counted
    };
    void change_date(std::uint32_t event_class, std::int64_t date);
    std::vector<Count> counts_;
    bool dates_go_up_;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> counts_left_behind_; // only if dates do not go up
};

// Calls visit(i, date) for each of so many events.
template <class Visit>
void for_each_date(const std::vector<DateChange> &changes, std::size_t events, Visit visit) {
    std::size_t next_change = 0;
    std::int64_t date = no_date;
    for (std::size_t i = 0; i < events; ++i) {
        while (next_change < changes.size() && changes[next_change].first <= i)
            date = changes[next_change++].date;
        visit(i, date);
    }
}

// Calls visit(i, key) for each event.
template <class Visit>
void for_each_key(const LocalEvents &events, const KeyRule &rule, Visit visit) {
    static const std::vector<DateChange> none;
    OccurrenceCounter counter(events, rule);
    for_each_date(rule.use_dates ? events.dates : none, events.size(),
                  [&](std::size_t i, std::int64_t date) { visit(i, counter.next(events.class_of(i), date)); });
}

// The hash of a process's whole sequence. It is equal on two processes only if their events are the same, in the same
// order and equally nested, and have the same dates and numbers.
struct SequenceHash {
    std::uint64_t events = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t end_order = 0;
    std::uint64_t dates = 0;
    std::uint64_t numbers = 0;

    friend auto operator<=>(const SequenceHash &, const SequenceHash &) = default;
};
[[nodiscard]] SequenceHash hash_of(const LocalEvents &events);

} // namespace cpl_lb
