// Compares the arrivals of the components at each collective operation.
#include "analysis/sync_counterparts.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

struct Participant {
    Component *component = nullptr;
    const std::vector<std::uint32_t> *places = nullptr;

    [[nodiscard]] const EventSpan &span(std::size_t occurrence) const {
        return component->table.spans[(*places)[occurrence]];
    }
};

void name_occurrences(std::span<const Participant> participants, Nanoseconds clock_bound) {
    std::vector<Nanoseconds> arrivals(participants.size());
    LastToCome last_to_come;
    std::size_t most = 0;
    for (const Participant &p : participants)
        most = std::max(most, p.places->size());
    for (std::size_t n = 0; n < most; ++n) {
        const auto took_part = [n](const Participant &p) { return n < p.places->size() && !p.span(n).empty(); };
        std::transform(participants.begin(), participants.end(), arrivals.begin(),
                       [&](const Participant &p) { return took_part(p) ? p.span(n).last_start : absent; });
        last_to_come.set(arrivals);
        for (std::size_t own = 0; own < participants.size(); ++own) {
            const Participant &p = participants[own];
            if (!took_part(p)) continue;
            EventKeys &keys = p.component->table.keys;
            const std::uint32_t place = (*p.places)[n];
            if (keys.what(place).counterpart != 0) continue;
            const std::size_t last = last_to_come.of(own, p.span(n).last_stop, clock_bound);
            if (last < participants.size()) keys.set_counterpart(place, participants[last].component->id);
        }
    }
}

} // namespace

SyncPlaces sync_places(const EventTable &table) {
    SyncPlaces places;
    const std::vector<EventClass> &classes = table.keys.classes();
    if (std::none_of(classes.begin(), classes.end(), [](const EventClass &c) { return c.kind == Kind::sync; }))
        return places;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventClass &what = table.keys.what(k);
        if (what.kind == Kind::sync) places[what.field].push_back(static_cast<std::uint32_t>(k));
    }
    return places;
}

void LastToCome::set(std::span<const Nanoseconds> arrivals) {
    arrivals_ = arrivals;
    latest_first_.clear();
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        if (arrivals[i] != absent) latest_first_.push_back(i);
    std::sort(latest_first_.begin(), latest_first_.end(), [&](std::size_t a, std::size_t b) {
        return arrivals[a] != arrivals[b] ? arrivals[a] > arrivals[b] : a < b; // of equals the first
    });
}

std::size_t LastToCome::of(std::size_t own, Nanoseconds left, Nanoseconds clock_bound) const {
    const auto in_time = std::partition_point(latest_first_.begin(), latest_first_.end(),
                                              [&](std::size_t i) { return arrivals_[i] - clock_bound > left; });
    for (const auto &first : {in_time, latest_first_.begin()}) {
        const auto other = first != latest_first_.end() && *first == own ? first + 1 : first;
        if (other != latest_first_.end()) return *other;
    }
    return arrivals_.size();
}

void name_sync_counterparts(std::span<Component *const> components, Nanoseconds clock_bound) {
    std::vector<SyncPlaces> places;
    std::map<std::int32_t, std::vector<Participant>> by_field;
    places.reserve(components.size());
    for (Component *c : components) {
        places.push_back(sync_places(c->table));
        for (const auto &[field, list] : places.back())
            by_field[field].push_back({c, &list});
    }
    for (const auto &[field, participants] : by_field)
        name_occurrences(participants, clock_bound);
}

} // namespace cpl_lb
