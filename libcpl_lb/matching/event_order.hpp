// Which events of different processes are the same: (class, date, occurrence), definitions section 1.
#pragma once

#include "data/time.hpp"
#include "matching/catalogue.hpp"
#include "record/decode.hpp"

#include <bit>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cpl_lb {

// Hash of a sequence of classes.
class OrderHash {
public:
    void add(std::uint32_t event_class) {
        const std::uint64_t v = std::uint64_t{event_class} + 1;
        low_ = std::rotl((low_ ^ v) * 0x9fb21c651e98df25U, 27);
        high_ = std::rotl(high_ + v, 31) * 0xd6e8feb86659fd93U;
    }
    [[nodiscard]] std::uint64_t low() const { return low_; }
    [[nodiscard]] std::uint64_t high() const { return high_; }

private:
    std::uint64_t low_ = 0x9e3779b97f4a7c15U;
    std::uint64_t high_ = 0xc2b2ae3d27d4eb4fU;
};

// Events of one component on one process, in the order of their begins, on the common clock.
struct LocalEvents {
    std::vector<std::uint32_t> event_class; // index into Catalogue::classes
    OrderHash order;                        // of event_class, for hash_of()
    std::vector<Nanoseconds> start, stop;
    std::vector<DateChange> dates;
    std::vector<Interval> away;
    bool dated = false;
    std::uint64_t end_order = 0; // see LocalTimeline

    [[nodiscard]] std::size_t size() const { return event_class.size(); }
};

struct OccurrenceKey {
    std::int64_t date = no_date;
    std::uint32_t event_class = 0;
    std::uint32_t occurrence = 0;

    friend auto operator<=>(const OccurrenceKey &, const OccurrenceKey &) = default;
};

// Counts occurrences of each class, within the date where there are dates. Dates nearly always go up, and then one
// number for each class is enough; where a date comes again (a model that steps back) its count goes on.
class OccurrenceCounter {
public:
    OccurrenceCounter(std::size_t classes, bool dates_go_up) : counts_(classes), dates_go_up_(dates_go_up) {}
    OccurrenceKey next(std::uint32_t event_class, std::int64_t date) {
        Count &c = counts_[event_class];
        if (c.date != date) change_date(event_class, date);
        return {date, event_class, c.count++};
    }

private:
    struct Count {
        std::int64_t date = no_date;
        std::uint32_t count = 0;
    };
    void change_date(std::uint32_t event_class, std::int64_t date);
    std::vector<Count> counts_;
    bool dates_go_up_;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> counts_left_behind_; // unless dates go up
};

[[nodiscard]] bool dates_go_up(const std::vector<DateChange> &dates);

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

// Calls visit(i, key) for each event; with use_dates the date is part of the key.
template <class Visit>
void for_each_key(const LocalEvents &events, std::size_t classes, bool use_dates, Visit visit) {
    OccurrenceCounter counter(classes, dates_go_up(events.dates));
    std::size_t next_change = 0;
    std::int64_t date = no_date;
    for (std::size_t i = 0; i < events.size(); ++i) {
        while (use_dates && next_change < events.dates.size() && events.dates[next_change].first <= i)
            date = events.dates[next_change++].date;
        visit(i, counter.next(events.event_class[i], date));
    }
}

// Of the whole sequence: equal on two processes only if their events are the same, in the same order and equally
// nested, and have the same dates.
struct SequenceHash {
    std::uint64_t events = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t end_order = 0;
    std::uint64_t dates = 0;

    friend auto operator<=>(const SequenceHash &, const SequenceHash &) = default;
};
[[nodiscard]] SequenceHash hash_of(const LocalEvents &events);

} // namespace cpl_lb
