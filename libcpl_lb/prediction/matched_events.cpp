// Matches PUTs with GETs by field, occurrence and lag.
#include "prediction/matched_events.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/intervals.hpp"
#include "data/field_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

MatchedExchange match_sync(const Exchange &exchange, const EventPlaces &sent, const EventPlaces &received,
                           const EventTable &source, const EventTable &target, Nanoseconds bound) {
    MatchedExchange m;
    m.exchange = exchange;
    m.transfer = Transfer::collective;
    for (std::size_t n = 0; n < std::min(sent.size(), received.size()); ++n) {
        const EventSpan came = source.spans[sent[n]];
        const EventSpan left = target.spans[received[n]];
        if (exchange.only_seen ? seen_to_wait(left, came, bound) : may_wait(left, came, bound))
            m.pairs.push_back({sent[n], received[n]});
    }
    return m;
}

// How many events of the more frequent side belong to one of the other; 1 unless a whole number fits.
std::int64_t ratio_of(std::size_t more, std::size_t fewer) {
    if (fewer < 2) return 1;
    const double ratio = static_cast<double>(more) / static_cast<double>(fewer);
    const double whole = std::round(ratio);
    // The ends of a run may add part of a period to one side.
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
        pairs.reserve(at(std::clamp<std::int64_t>(n_gets - exchange.lag, 0, n_puts)));
        for (std::int64_t n = 0; n < n_puts && n + exchange.lag < n_gets; ++n)
            pairs.push_back({puts[at(n)], gets[at(n + exchange.lag)]});
        return pairs;
    }
    // The last PUT of a group is sent (if several fit, the latest whose GET did not end before it). The first GET of
    // a group waits.
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
        const EventSpan put = source.spans[pair.put];
        const Nanoseconds receiver = target.spans[pair.get].last_start;
        if (put.last_start >= receiver - bound) continue; // the receiver had already come
        ++(put.last_stop < receiver - bound ? went_on : waited);
    }
    if (waited == 0 && went_on == 0) return Transfer::not_seen;
    return went_on >= waited ? Transfer::buffered : Transfer::synchronous;
}

// The numbered events of one side that belong to an exchange.
struct NumberedEvent {
    std::int64_t number = 0;
    std::uint32_t place = 0;
};
using NumberedEvents = std::vector<NumberedEvent>;

NumberedEvents counted_events(const EventPlaces &places) {
    NumberedEvents events;
    for (const std::uint32_t place : places)
        events.push_back({static_cast<std::int64_t>(events.size()), place});
    return events;
}

// A part belongs to the latest exchange that began before it. If each exchange has one part, they are simply counted.
NumberedEvents numbered_parts(const EventPlaces &parts, const EventPlaces &whole, const EventTable &table) {
    if (parts.size() == whole.size()) return counted_events(parts);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return table.spans[a].first_start < table.spans[b].first_start;
    };
    EventPlaces begun = whole;
    EventPlaces sorted = parts;
    sort_nearly_sorted(begun, before);
    sort_nearly_sorted(sorted, before);
    NumberedEvents events;
    std::size_t n = 0;
    for (const std::uint32_t part : sorted) {
        while (n < begun.size() && !before(part, begun[n]))
            ++n;
        events.push_back({static_cast<std::int64_t>(n) - 1, part});
    }
    return events;
}

std::vector<EventPair> pairs_of(const NumberedEvents &puts, const NumberedEvents &gets, std::int64_t lag) {
    std::vector<EventPair> pairs;
    std::size_t g = 0;
    for (const NumberedEvent &put : puts) {
        while (g < gets.size() && gets[g].number < put.number + lag)
            ++g;
        for (std::size_t same = g; same < gets.size() && gets[same].number == put.number + lag; ++same)
            pairs.push_back({put.place, gets[same].place});
    }
    return pairs;
}

// Pairs each call of one side with each of the other: depending on the order of messages one waits for another.
class PartMatcher {
public:
    PartMatcher(const FieldParts &parts, const CoupledRun &run, const std::vector<ExchangeEvents> &events,
                Nanoseconds bound)
        : parts_(parts), run_(run), events_(events), bound_(bound) {}

    void match(MatchedExchange &m, std::size_t from, std::size_t to, const EventPlaces &puts,
               const EventPlaces &gets) const {
        if (m.puts_per_pair != 1 || m.gets_per_pair != 1) return;
        if (parts_.of(m.exchange.field).empty()) return; // nearly always; the lists below take 16 bytes an event
        const std::vector<NumberedEvents> put_parts =
            side(Kind::put, m.exchange.field, m.exchange.target, from, puts);
        const std::vector<NumberedEvents> get_parts = side(Kind::get, m.exchange.field, m.exchange.source, to, gets);
        const bool all = put_parts.size() * get_parts.size() <= most_ways;
        for (std::size_t p = 0; p < put_parts.size(); ++p) {
            for (std::size_t g = 0; g < get_parts.size(); ++g) {
                if ((p == 0 && g == 0) || (!all && p > 0 && g > 0)) continue;
                MatchedParts ways{pairs_of(put_parts[p], get_parts[g], m.exchange.lag), {}};
                ways.transfer = transfer_of(ways.pairs, table(from), table(to), bound_);
                if (!ways.pairs.empty()) m.parts.push_back(std::move(ways));
            }
        }
    }

private:
    static constexpr std::size_t most_ways = 256;

    [[nodiscard]] const EventTable &table(std::size_t component) const { return run_.components[component].table; }
    [[nodiscard]] std::vector<NumberedEvents> side(Kind kind, std::int32_t field, std::int32_t other,
                                                   std::size_t component, const EventPlaces &whole) const {
        std::vector<NumberedEvents> all{counted_events(whole)};
        for (const std::int32_t part : parts_.of(field)) {
            const EventPlaces places = events_[component].side(kind, part, other);
            if (!places.empty()) all.push_back(numbered_parts(places, whole, table(component)));
        }
        return all;
    }

    const FieldParts &parts_;
    const CoupledRun &run_;
    const std::vector<ExchangeEvents> &events_;
    Nanoseconds bound_;
};

} // namespace

std::string name_of(Transfer transfer) {
    if (transfer == Transfer::not_seen) return "not seen";
    if (transfer == Transfer::collective) return "collective";
    return transfer == Transfer::synchronous ? "synchronous" : "buffered";
}

std::vector<std::uint32_t> first_alike(const std::vector<EventClass> &classes) {
    std::vector<std::uint32_t> first;
    std::map<EventClass, std::uint32_t> known;
    for (EventClass c : classes) {
        if (c.kind == Kind::sync) c.counterpart = 0;
        first.push_back(known.try_emplace(c, static_cast<std::uint32_t>(first.size())).first->second);
    }
    return first;
}

std::set<std::int32_t> those_that_exchange(const std::vector<MatchedExchange> &exchanges) {
    std::set<std::int32_t> ids;
    for (const MatchedExchange &m : exchanges)
        if (!m.pairs.empty()) ids.insert({m.exchange.source, m.exchange.target});
    return ids;
}

ComponentPlaces::ComponentPlaces(const CoupledRun &run) : none_(run.components.size()) {
    for (std::size_t c = 0; c < run.components.size(); ++c)
        places_.emplace(run.components[c].id, c);
}

std::size_t ComponentPlaces::of(std::int32_t id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? none_ : found->second;
}

std::vector<MatchedExchange> match_events(const CoupledRun &run, const std::vector<Exchange> &found,
                                          const Budget &budget) {
    const Nanoseconds bound = clock_bound(run);
    std::vector<MatchedExchange> matched;
    const ComponentPlaces places(run);
    std::vector<ExchangeEvents> events;
    events.reserve(run.components.size());
    for (const Component &component : run.components)
        events.emplace_back(component.table);
    const FieldParts parts(run.field_names);
    const PartMatcher part_matcher(parts, run, events, bound);
    for (const Exchange &exchange : found) {
        budget.check();
        const std::size_t from = places.of(exchange.source);
        const std::size_t to = places.of(exchange.target);
        if (std::max(from, to) >= run.components.size()) continue;
        const EventTable &source = run.components[from].table;
        const EventTable &target = run.components[to].table;
        if (exchange.sync) {
            matched.push_back(match_sync(exchange, events[from].arrivals(exchange.field),
                                         events[to].syncs(exchange.field), source, target, bound));
            continue;
        }
        const EventPlaces puts = events[from].side(Kind::put, exchange.field, exchange.target);
        const EventPlaces gets = events[to].side(Kind::get, exchange.field, exchange.source);
        MatchedExchange m;
        m.exchange = exchange;
        m.puts_per_pair = ratio_of(puts.size(), gets.size());
        m.gets_per_pair = ratio_of(gets.size(), puts.size());
        m.pairs = pair_up(exchange, m.puts_per_pair, m.gets_per_pair, puts, gets, source, target, bound);
        m.transfer = transfer_of(m.pairs, source, target, bound);
        part_matcher.match(m, from, to, puts, gets);
        matched.push_back(std::move(m));
    }
    return matched;
}

} // namespace cpl_lb
