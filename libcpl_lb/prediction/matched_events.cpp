// Matches PUTs with GETs by field, occurrence and lag.
#include "prediction/matched_events.hpp"

#include "analysis/nearly_sorted.hpp"
#include "analysis/sync_exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

// Its place in run.components; their number: none has this id.
std::size_t place_of(const CoupledRun &run, std::int32_t id) {
    const auto found = std::find_if(run.components.begin(), run.components.end(),
                                    [id](const Component &component) { return component.id == id; });
    return static_cast<std::size_t>(found - run.components.begin());
}

using EventPlaces = std::vector<std::uint32_t>; // in an event table

// PUTs and GETs by their class, of one pass over all events: each exchange asks for one class or two of them.
std::vector<EventPlaces> places_by_class(const EventTable &table) {
    std::vector<EventPlaces> by_class(table.keys.classes().size());
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (is_exchange(table.keys.what(k).kind) && !table.spans[k].empty())
            by_class[table.keys.class_of(k)].push_back(static_cast<std::uint32_t>(k));
    }
    return by_class;
}

// Places of the SYNC events of the field, in the order of their occurrence.
EventPlaces sync_places_of(const EventTable &table, const std::vector<EventPlaces> &by_class, std::int32_t field) {
    EventPlaces places;
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        const EventClass &key = table.keys.classes()[c];
        if (key.kind == Kind::sync && key.field == field)
            places.insert(places.end(), by_class[c].begin(), by_class[c].end());
    }
    std::sort(places.begin(), places.end());
    return places;
}

MatchedExchange match_sync(const Exchange &exchange, const EventPlaces &sent, const EventPlaces &received,
                           const EventTable &source, const EventTable &target, Nanoseconds bound) {
    MatchedExchange m;
    m.exchange = exchange;
    m.transfer = Transfer::collective;
    for (std::size_t n = 0; n < std::min(sent.size(), received.size()); ++n)
        if (may_wait(target.spans[received[n]], source.spans[sent[n]], bound))
            m.pairs.push_back({sent[n], received[n]});
    return m;
}

// Places of the events that may be this side of the exchange, in the order in which find_exchanges numbers them.
EventPlaces places_of(const EventTable &table, const std::vector<EventPlaces> &by_class, Kind kind,
                      std::int32_t field, std::int32_t other) {
    EventPlaces places;
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        const EventClass &key = table.keys.classes()[c];
        if (key.kind != kind || key.field != field) continue;
        if (key.counterpart == 0 || key.counterpart == other)
            places.insert(places.end(), by_class[c].begin(), by_class[c].end());
    }
    sort_nearly_sorted(places, [&](std::uint32_t a, std::uint32_t b) {
        const auto time_of = [&](std::uint32_t place) {
            return kind == Kind::put ? table.spans[place].first_start : table.spans[place].last_stop;
        };
        return std::pair(time_of(a), a) < std::pair(time_of(b), b);
    });
    return places;
}

// How many of the more frequent side go on one of the other; 1 unless a whole number fits.
std::int64_t ratio_of(std::size_t more, std::size_t fewer) {
    if (fewer < 2) return 1;
    const double ratio = static_cast<double>(more) / static_cast<double>(fewer);
    const double whole = std::round(ratio);
    // The ends of a run may add a part of a period to one side.
    const bool fits = std::abs(ratio - whole) * static_cast<double>(fewer) < whole;
    return whole >= 2 && fits ? static_cast<std::int64_t>(whole) : 1;
}

std::vector<EventPair> pair_up(const Exchange &exchange, std::int64_t puts_per_pair, std::int64_t gets_per_pair,
                               const EventPlaces &puts, const EventPlaces &gets, const EventTable &source,
                               const EventTable &target, Nanoseconds bound) {
    std::vector<EventPair> pairs;
    const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
    const auto n_puts = static_cast<std::int64_t>(puts.size());
    const auto n_gets = static_cast<std::int64_t>(gets.size());
    if (puts_per_pair == 1 && gets_per_pair == 1) {
        for (std::int64_t n = 0; n < n_puts && n + exchange.lag < n_gets; ++n)
            pairs.push_back({puts[at(n)], gets[at(n + exchange.lag)]});
        return pairs;
    }
    // The last PUT of a group (of equals the latest that its GET did not end before) is the one that is sent; the
    // first GET of a group is the one that waits.
    const auto possible = [&](std::int64_t put, std::int64_t get) {
        return target.spans[gets[at(get)]].last_stop >= source.spans[puts[at(put)]].first_start - bound;
    };
    for (std::int64_t shift = puts_per_pair > 1 ? puts_per_pair - 1 : 0;
         shift >= 0 && shift<puts_per_pair + gets_per_pair; shift += puts_per_pair> 1 ? -1 : 1) {
        bool all = true;
        pairs.clear();
        for (std::int64_t n = 0;; ++n) {
            const std::int64_t put = puts_per_pair > 1 ? n * puts_per_pair + shift : n;
            const std::int64_t get = puts_per_pair > 1 ? n : n * gets_per_pair + shift;
            if (put >= n_puts || get >= n_gets) break;
            all = all && possible(put, get);
            pairs.push_back({puts[at(put)], gets[at(get)]});
        }
        if (all) break;
    }
    return pairs;
}

Transfer transfer_of(const std::vector<EventPair> &pairs, const EventTable &source, const EventTable &target,
                     Nanoseconds bound) {
    std::int64_t waited = 0, went_on = 0;
    for (const EventPair &pair : pairs) {
        const EventSpan &put = source.spans[pair.put];
        const Nanoseconds receiver = target.spans[pair.get].last_start;
        if (put.last_start >= receiver - bound) continue; // the receiver was there already
        ++(put.last_stop < receiver - bound ? went_on : waited);
    }
    if (waited == 0 && went_on == 0) return Transfer::not_seen;
    return went_on >= waited ? Transfer::buffered : Transfer::synchronous;
}

} // namespace

std::string name_of(Transfer transfer) {
    if (transfer == Transfer::not_seen) return "not seen";
    if (transfer == Transfer::collective) return "collective";
    return transfer == Transfer::synchronous ? "synchronous" : "buffered";
}

std::vector<std::uint32_t> first_alike(const std::vector<EventClass> &classes) {
    std::vector<std::uint32_t> first;
    for (const EventClass &c : classes) {
        const auto same = std::find_if(classes.begin(), classes.end(), [&](const EventClass &other) {
            return other == c || (c.kind == Kind::sync && other.kind == Kind::sync && other.field == c.field);
        });
        first.push_back(static_cast<std::uint32_t>(same - classes.begin()));
    }
    return first;
}

std::vector<MatchedExchange> match_events(const CoupledRun &run, const std::vector<Exchange> &found) {
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    std::vector<MatchedExchange> matched;
    std::vector<std::vector<EventPlaces>> by_class;
    for (const Component &component : run.components)
        by_class.push_back(places_by_class(component.table));
    for (const Exchange &exchange : found) {
        const std::size_t from = place_of(run, exchange.source);
        const std::size_t to = place_of(run, exchange.target);
        if (std::max(from, to) >= run.components.size()) continue;
        const EventTable &source = run.components[from].table;
        const EventTable &target = run.components[to].table;
        if (exchange.sync) {
            matched.push_back(match_sync(exchange, sync_places_of(source, by_class[from], exchange.field),
                                         sync_places_of(target, by_class[to], exchange.field), source, target,
                                         bound));
            continue;
        }
        const EventPlaces puts = places_of(source, by_class[from], Kind::put, exchange.field, exchange.target);
        const EventPlaces gets = places_of(target, by_class[to], Kind::get, exchange.field, exchange.source);
        MatchedExchange m;
        m.exchange = exchange;
        m.puts_per_pair = ratio_of(puts.size(), gets.size());
        m.gets_per_pair = ratio_of(gets.size(), puts.size());
        m.pairs = pair_up(exchange, m.puts_per_pair, m.gets_per_pair, puts, gets, source, target, bound);
        m.transfer = transfer_of(m.pairs, source, target, bound);
        matched.push_back(std::move(m));
    }
    return matched;
}

} // namespace cpl_lb
