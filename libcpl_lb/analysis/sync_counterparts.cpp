// Compares the arrivals of the components at each collective operation.
#include "analysis/exchanges.hpp"

#include "support/counted.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The SYNCs of one field in a component: places in its table.
template <class ItsComponent>
struct SyncsOf {
    ItsComponent *component = nullptr;
    std::vector<std::uint32_t> places, arrivals;

    [[nodiscard]] EventSpan span(std::size_t occurrence) const { return component->table.spans[places[occurrence]]; }
    [[nodiscard]] EventSpan came(std::size_t occurrence) const {
        return component->table.spans[arrivals[occurrence]];
    }
};
using Participant = SyncsOf<Component>;
using SyncsOfComponent = SyncsOf<const Component>;

void name_occurrences(std::span<const Participant> participants, Nanoseconds clock_bound) {
    std::vector<Nanoseconds> arrivals(participants.size());
    LastToCome last_to_come;
    std::size_t most = 0;
    for (const Participant &p : participants)
        most = std::max(most, p.places.size());
    for (std::size_t n = 0; n < most; ++n) {
        const auto took_part = [n](const Participant &p) { return n < p.places.size() && !p.span(n).empty(); };
        std::transform(participants.begin(), participants.end(), arrivals.begin(),
                       [&](const Participant &p) { return took_part(p) ? p.came(n).last_start : absent; });
        last_to_come.set(arrivals);
        for (std::size_t own = 0; own < participants.size(); ++own) {
            const Participant &p = participants[own];
            if (!took_part(p)) continue;
            EventKeys &keys = p.component->table.keys;
            const std::uint32_t place = p.places[n];
            if (keys.what(place).counterpart != 0) continue;
            const std::size_t last = last_to_come.of(own, p.span(n).last_stop, clock_bound);
            if (last < participants.size()) keys.set_counterpart(place, participants[last].component->id);
        }
    }
}

// The number of operations in which this holds for the target, which receives, and for the source.
template <bool (*holds)(const EventSpan &receiver, const EventSpan &sender, Nanoseconds)>
std::int64_t operations_in_which(const SyncsOfComponent &source, const SyncsOfComponent &target,
                                 Nanoseconds clock_bound) {
    std::int64_t count = 0;
    for (std::size_t n = 0; n < std::min(source.places.size(), target.places.size()); ++n)
        count += holds(target.span(n), source.came(n), clock_bound) ? 1 : 0;
    return count;
}

// Limits their number, because each two of them are compared in each operation.
void check_number(const std::vector<SyncsOfComponent> &participants) {
    constexpr std::size_t most_comparisons = 100 * most_exchanges;
    std::size_t operations = 1;
    for (const SyncsOfComponent &p : participants)
        operations = std::max(operations, p.places.size());
    const std::size_t pairs = participants.size() * (participants.size() - 1);
    if (pairs > most_exchanges || pairs * operations > most_comparisons) {
        throw TooManyExchanges(counted(participants.size(), "component") + " meet in " +
                               counted(operations, "collective operation") + ": too many to tell who waits for whom");
    }
}

void add_exchanges(std::int32_t field, const std::vector<SyncsOfComponent> &participants, Nanoseconds clock_bound,
                   const Budget &budget, std::vector<Exchange> &exchanges) {
    for (const SyncsOfComponent &source : participants) {
        budget.check();
        for (const SyncsOfComponent &target : participants) {
            if (source.component == target.component) continue;
            const auto both = static_cast<std::int64_t>(std::min(source.places.size(), target.places.size()));
            const std::int64_t in_time = operations_in_which<may_wait>(source, target, clock_bound);
            // A component that once goes on without the other need not wait for it. If the root changes, both do so.
            const bool only_seen =
                in_time < both && operations_in_which<may_wait>(target, source, clock_bound) == both;
            const std::int64_t waits =
                only_seen ? operations_in_which<seen_to_wait>(source, target, clock_bound) : in_time;
            if (only_seen && waits == 0) continue;
            exchanges.push_back({.field = field,
                                 .source = source.component->id,
                                 .target = target.component->id,
                                 .puts = static_cast<std::int64_t>(source.places.size()),
                                 .gets = static_cast<std::int64_t>(target.places.size()),
                                 .lag = 0,
                                 .matched = waits,
                                 .violations = 0,
                                 .sync = true,
                                 .only_seen = only_seen});
        }
    }
}

} // namespace

SyncPlaces sync_places(const EventTable &table) {
    SyncPlaces places;
    const std::vector<EventClass> &classes = table.keys.classes();
    if (std::ranges::none_of(classes, [](const EventClass &c) { return c.kind == Kind::sync; })) return places;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventClass &what = table.keys.what(k);
        if (what.kind == Kind::sync) places[what.field].push_back(static_cast<std::uint32_t>(k));
    }
    return places;
}

SyncPlaces arrival_places(const EventTable &table, SyncPlaces syncs) {
    SyncPlaces starts;
    for (std::size_t k = 0; !syncs.empty() && k < table.keys.size(); ++k) {
        const EventClass &what = table.keys.what(k);
        if (what.kind == Kind::put && syncs.contains(what.field) && !table.spans[k].empty())
            starts[what.field].push_back(static_cast<std::uint32_t>(k));
    }
    for (auto &[field, places] : starts)
        if (places.size() == syncs[field].size()) syncs[field] = std::move(places);
    return syncs;
}

void LastToCome::set(std::span<const Nanoseconds> arrivals) {
    arrivals_ = arrivals;
    latest_first_.clear();
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        if (arrivals[i] != absent) latest_first_.push_back(i);
    std::ranges::sort(latest_first_, [&](std::size_t a, std::size_t b) {
        return arrivals[a] != arrivals[b] ? arrivals[a] > arrivals[b] : a < b; // of equals the first
    });
}

std::size_t LastToCome::of(std::size_t own, Nanoseconds left, Nanoseconds clock_bound) const {
    const auto in_time =
        std::ranges::partition_point(latest_first_, [&](std::size_t i) { return arrivals_[i] - clock_bound > left; });
    for (const auto &first : {in_time, latest_first_.begin()}) {
        const auto other = first != latest_first_.end() && *first == own ? first + 1 : first;
        if (other != latest_first_.end()) return *other;
    }
    return arrivals_.size();
}

void name_sync_counterparts(std::span<Component *const> components, Nanoseconds clock_bound) {
    std::map<std::int32_t, std::vector<Participant>> by_field;
    for (Component *c : components) {
        SyncPlaces all = sync_places(c->table);
        SyncPlaces arrivals = arrival_places(c->table, all);
        for (auto &[field, places] : all)
            by_field[field].push_back({c, std::move(places), std::move(arrivals[field])});
    }
    for (const auto &[field, participants] : by_field)
        name_occurrences(participants, clock_bound);
}

std::vector<Exchange> find_sync_exchanges(const CoupledRun &run, const Budget &budget) {
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    std::map<std::int32_t, std::vector<SyncsOfComponent>> by_field;
    for (const Component &component : run.components) {
        SyncPlaces all = sync_places(component.table);
        for (auto &[field, places] : all)
            std::erase_if(places, [&](std::uint32_t k) { return component.table.spans[k].empty(); });
        SyncPlaces arrivals = arrival_places(component.table, all);
        for (auto &[field, places] : all)
            by_field[field].push_back({&component, std::move(places), std::move(arrivals[field])});
    }
    std::vector<Exchange> exchanges;
    for (auto &[field, participants] : by_field) {
        std::ranges::sort(participants, {}, [](const SyncsOfComponent &syncs) { return syncs.component->id; });
        check_number(participants);
        add_exchanges(field, participants, bound, budget, exchanges);
    }
    return exchanges;
}

} // namespace cpl_lb
