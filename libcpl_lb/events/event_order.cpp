// Counts occurrences of each class, and hashes the sequence of a process's events for comparison with others.
#include "events/event_order.hpp"

#include "support/large_pages.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cpl_lb {

std::vector<std::uint32_t> take_classes(LocalEvents &events) {
    std::vector<std::uint32_t> classes = std::exchange(events.place, {});
    for (std::uint32_t &c : classes)
        c = events.class_of_place[c];
    return classes;
}

void take_times_from_marks(LocalEvents &events) {
    if (!events.times_in_marks) return;
    for (std::vector<Nanoseconds> *times : {&events.start, &events.stop}) {
        times->reserve(events.size());
        prefer_large_pages(*times);
    }
    events.times_in_marks([&](std::size_t, std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop) {
        events.start.insert(events.start.end(), start.begin(), start.end());
        events.stop.insert(events.stop.end(), stop.begin(), stop.end());
    });
    events.times_in_marks = nullptr;
    events.release_marks();
}

EventKeys event_list(const Catalogue &catalogue, std::vector<std::uint32_t> classes,
                     std::vector<std::int64_t> dates) {
    std::vector<EventClass> all;
    all.reserve(catalogue.classes.size());
    for (const ClassOfComponent &c : catalogue.classes)
        all.push_back(c.what);
    EventKeys keys(std::move(all), std::move(classes));
    keys.set_dates(std::move(dates));
    return keys;
}

EventKeys event_list(const Catalogue &catalogue, std::span<const OccurrenceKey> order, bool use_dates) {
    std::vector<std::uint32_t> classes(order.size());
    std::vector<std::int64_t> dates(use_dates ? order.size() : 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        classes[k] = order[k].event_class;
        if (use_dates) dates[k] = order[k].date;
    }
    return event_list(catalogue, std::move(classes), std::move(dates));
}

void OccurrenceCounter::change_date(std::uint32_t event_class, std::int64_t date) {
    Count &c = counts_[event_class];
    if (!dates_go_up_) {
        counts_left_behind_[{event_class, c.date}] = c.count;
        c.count = counts_left_behind_[{event_class, date}];
    } else {
        c.count = 0;
    }
    c.date = date;
}

bool dates_go_up(const std::vector<DateChange> &dates) {
    // no_date follows the last date where TERM is, which no process repeats.
    const auto down = [](const DateChange &a, const DateChange &b) { return b.date < a.date && b.date != no_date; };
    return std::adjacent_find(dates.begin(), dates.end(), down) == dates.end();
}

// Places are numbered by first appearance: equal sequences of places, and equal classes of the places, are equal
// sequences of classes.
SequenceHash hash_of(const LocalEvents &events) {
    OrderHash order = events.order;
    order.add(events.class_of_place);
    SequenceHash h{events.size(), order.low(), order.high(), events.end_order, 0, 0};
    for (const DateChange &d : events.dates) {
        const std::uint64_t change = static_cast<std::uint64_t>(d.first) * 0xd6e8feb86659fd93U;
        h.dates = std::rotl((h.dates ^ change) + static_cast<std::uint64_t>(d.date), 27) * 0x9fb21c651e98df25U;
    }
    for (const auto &[event_class, numbers] : events.numbers) {
        OrderHash all;
        all.add(numbers);
        const std::uint64_t of_class = all.low() ^ std::rotl(all.high(), 32);
        h.numbers = std::rotl((h.numbers ^ event_class) + of_class, 27) * 0x9fb21c651e98df25U;
    }
    return h;
}

} // namespace cpl_lb
