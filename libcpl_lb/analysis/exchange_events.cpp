// Sorts the classes of events once, so that each exchange finds its own.
#include "analysis/exchange_events.hpp"

#include "analysis/nearly_sorted.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cpl_lb {

ExchangeEvents::ExchangeEvents(const EventTable &table) : table_(table), of_class_(table.keys.classes().size()) {
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (is_exchange(table.keys.what(k).kind) && !table.spans[k].empty())
            of_class_[table.keys.class_of(k)].push_back(static_cast<std::uint32_t>(k));
    }
    for (std::uint32_t c = 0; c < of_class_.size(); ++c)
        if (!of_class_[c].empty()) sorted_.push_back(c);
    std::sort(sorted_.begin(), sorted_.end(), [this](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
}

EventPlaces ExchangeEvents::syncs(std::int32_t field) const {
    using Limits = std::numeric_limits<std::int32_t>;
    EventPlaces places;
    append({Kind::sync, field, Limits::min()}, {Kind::sync, field, Limits::max()}, places);
    std::sort(places.begin(), places.end());
    return places;
}

EventPlaces ExchangeEvents::side(Kind kind, std::int32_t field, std::int32_t other) const {
    EventPlaces places;
    append({kind, field, 0}, {kind, field, 0}, places);
    if (other != 0) append({kind, field, other}, {kind, field, other}, places);
    sort_nearly_sorted(places, [&](std::uint32_t a, std::uint32_t b) {
        const auto time_of = [&](std::uint32_t place) {
            return kind == Kind::put ? table_.spans[place].first_start : table_.spans[place].last_stop;
        };
        return std::pair(time_of(a), a) < std::pair(time_of(b), b);
    });
    return places;
}

void ExchangeEvents::append(const EventClass &first, const EventClass &last, EventPlaces &places) const {
    auto c = std::lower_bound(sorted_.begin(), sorted_.end(), first,
                              [this](std::uint32_t a, const EventClass &k) { return key(a) < k; });
    for (; c != sorted_.end() && key(*c) <= last; ++c)
        places.insert(places.end(), of_class_[*c].begin(), of_class_[*c].end());
}

} // namespace cpl_lb
