#include "prediction/matched_events.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

const Component *component_with(const CoupledRun &run, std::int32_t id) {
    for (const Component &component : run.components)
        if (component.id == id) return &component;
    return nullptr;
}

// Places of the events that may be this side of the exchange, in the order in which find_exchanges numbers them.
std::vector<std::uint32_t> places_of(const Component &component, Kind kind, std::int32_t field, std::int32_t other) {
    const EventTable &table = component.table;
    std::vector<std::uint32_t> places;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventKeys::Class &key = table.keys.what(k);
        if (key.kind != kind || key.field != field || table.spans[k].empty()) continue;
        if (key.counterpart == 0 || key.counterpart == other) places.push_back(static_cast<std::uint32_t>(k));
    }
    std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
        return kind == Kind::put ? table.spans[a].first_start < table.spans[b].first_start
                                 : table.spans[a].last_stop < table.spans[b].last_stop;
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
                               const std::vector<std::uint32_t> &puts, const std::vector<std::uint32_t> &gets,
                               const EventTable &source, const EventTable &target, Nanoseconds bound) {
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
    return transfer == Transfer::synchronous ? "synchronous" : "buffered";
}

std::vector<MatchedExchange> match_events(const CoupledRun &run) {
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    std::vector<MatchedExchange> matched;
    for (const Exchange &exchange : find_exchanges(run)) {
        const Component *source = component_with(run, exchange.source);
        const Component *target = component_with(run, exchange.target);
        if (source == nullptr || target == nullptr) continue;
        const auto puts = places_of(*source, Kind::put, exchange.field, exchange.target);
        const auto gets = places_of(*target, Kind::get, exchange.field, exchange.source);
        MatchedExchange m;
        m.exchange = exchange;
        m.puts_per_pair = ratio_of(puts.size(), gets.size());
        m.gets_per_pair = ratio_of(gets.size(), puts.size());
        m.pairs =
            pair_up(exchange, m.puts_per_pair, m.gets_per_pair, puts, gets, source->table, target->table, bound);
        m.transfer = transfer_of(m.pairs, source->table, target->table, bound);
        matched.push_back(std::move(m));
    }
    return matched;
}

} // namespace cpl_lb
