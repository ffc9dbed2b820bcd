// What is known about a run before its graph: parts of a long loop, turns, receives that cannot be matched, and what
// several runs of a model show about its exchanges.
#include "prediction/graph_builder.hpp"

#include "analysis/exchanges.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace cpl_lb {

Sharing sharing(const CoupledRun &run) {
    std::vector<std::pair<std::int32_t, std::size_t>> processes; // and a component that has this process
    for (std::size_t c = 0; c < run.components.size(); ++c)
        for (const std::int32_t rank : run.components[c].ranks)
            processes.emplace_back(rank, c);
    std::ranges::sort(processes);
    Sharing shares(run.components.size());
    std::set<std::vector<std::size_t>> known; // most processes have the same components as another process
    for (auto first = processes.begin(); first != processes.end();) {
        std::vector<std::size_t> together;
        auto next = first;
        for (; next != processes.end() && next->first == first->first; ++next)
            if (together.empty() || together.back() != next->second) together.push_back(next->second);
        first = next;
        if (together.size() < 2 || !known.insert(together).second) continue;
        for (const std::size_t c : together)
            std::ranges::copy_if(together, std::back_inserter(shares[c]),
                                 [c](std::size_t other) { return other != c; });
    }
    for (std::vector<std::size_t> &others : shares) {
        std::ranges::sort(others);
        others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    return shares;
}

void check_turns(const CoupledRun &run, const Sharing &shares) {
    for (std::size_t a = 0; a < shares.size(); ++a) {
        if (shares[a].empty()) continue;
        const Component &component = run.components[a];
        const std::string &name = run.components[shares[a].front()].name;
        if (component.away_differs)
            throw PredictionError("the processes of " + component.name + " gave way to " + name +
                                  " a different number of times: no single order of the two");
        if (component.away.empty())
            throw PredictionError(component.name + " and " + name +
                                  " share processes, and the timelines do not say which of them computes when");
    }
}

void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares) {
    for (std::size_t c = 0; c < turns.size(); ++c) {
        for (const Turn &turn : turns[c]) {
            for (const std::size_t other : shares[c]) {
                // The last time that the other component left while this one was away. One mark of the clock may end
                // both.
                const auto after =
                    std::upper_bound(turns[other].begin(), turns[other].end(), turn.away.stop,
                                     [](Nanoseconds back, const Turn &t) { return back < t.away.start; });
                if (after == turns[other].begin()) continue;
                const Turn &last = *(after - 1);
                if (last.away.start > turn.away.start)
                    constituents[c].points[turn.back].waits_for.push_back({other, last.leaves});
            }
        }
    }
}

namespace {

constexpr std::size_t most_parts = 16;
// The ends of a part cut through coupling steps, so a part must hold many steps.
constexpr std::size_t fewest_points_in_part = 1000;

// The number of exchanges of all components in the interval.
std::size_t points_in(const CoupledRun &run, const Interval &interval) {
    std::size_t points = 0;
    for (const Component &component : run.components) {
        const EventTable &table = component.table;
        for (std::size_t k = 0; k < table.keys.size(); ++k) {
            const EventSpan span = table.spans[k];
            if (!span.empty() && span.last_stop > interval.start && span.last_start < interval.stop &&
                is_exchange(table.keys.what(k).kind))
                ++points;
        }
    }
    return points;
}

// So many sends more of one than of the other can be due to the ends of a run.
constexpr std::int64_t at_the_ends = 2;

// The fields that the component receives from any sender.
std::set<std::int32_t> from_anybody(const Component &component) {
    std::set<std::int32_t> fields;
    for (const auto &what : component.table.keys.classes())
        if (what.kind == Kind::get && what.counterpart == 0) fields.insert(what.field);
    return fields;
}

std::tuple<std::string, std::string, std::string> exchange_key(const CoupledRun &run, const Exchange &exchange) {
    return {field_name(run, exchange.field), run.component_name(exchange.source),
            run.component_name(exchange.target)};
}

} // namespace

std::vector<Interval> parts_of_loop(const CoupledRun &run, const Interval &loop, std::size_t most_points) {
    if (most_points == std::numeric_limits<std::size_t>::max()) return {loop};
    const std::size_t points = points_in(run, loop);
    if (points <= most_points) return {loop};
    const std::size_t count = std::clamp<std::size_t>(most_points / fewest_points_in_part, 1, most_parts);
    const auto length = static_cast<double>(loop.length());
    const double each =
        length * static_cast<double>(most_points) / static_cast<double>(points) / static_cast<double>(count);
    std::vector<Interval> parts;
    for (std::size_t i = 0; i < count; ++i) {
        const double middle = length * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        parts.push_back({loop.start + std::llround(middle - each / 2), loop.start + std::llround(middle + each / 2)});
    }
    return parts;
}

void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges) {
    struct Extremes {
        const Exchange *least = nullptr, *most = nullptr;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Extremes> by_target; // and field
    for (const MatchedExchange &m : exchanges) {
        const Exchange &e = m.exchange;
        auto &[least, most] = by_target[{e.target, e.field}];
        if (least == nullptr || e.puts < least->puts) least = &e;
        if (most == nullptr || e.puts > most->puts) most = &e;
    }
    const std::vector<bool> decides = who_decides_the_end(run);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &receiver = run.components[c];
        if (!decides[c]) continue;
        for (const std::int32_t field : from_anybody(receiver)) {
            const auto found = by_target.find({receiver.id, field});
            if (found == by_target.end()) continue;
            const auto &[least, most] = found->second;
            if (most->puts - least->puts <= at_the_ends) continue;
            throw PredictionError(fmt::format(
                "{0} receives {1} from anybody, and {2} sent it {3}, {4} {5}: which of them it took is not known; "
                "name the counterpart of {1} in {0}",
                receiver.name, field_name(run, field), run.component_name(most->source), counted(most->puts, "time"),
                run.component_name(least->source), counted(least->puts, "time")));
        }
    }
}

void add_seen(SeenExchanges &seen, const CoupledRun &run, const MeasuredGraph &measured) {
    for (const MatchedExchange &m : measured.exchanges) {
        SeenExchange &one = seen[exchange_key(run, m.exchange)];
        if (one.transfer == Transfer::not_seen) one.transfer = m.transfer;
        if (m.exchange.violations == 0) one.lag = std::max(one.lag, m.exchange.lag);
    }
}

std::vector<Exchange> with_seen_lags(const CoupledRun &run, std::vector<Exchange> exchanges,
                                     const SeenExchanges &seen) {
    for (Exchange &exchange : exchanges) {
        const auto elsewhere = seen.find(exchange_key(run, exchange));
        if (elsewhere != seen.end() && exchange.violations == 0)
            exchange.lag = std::max(exchange.lag, elsewhere->second.lag);
    }
    return exchanges;
}

std::vector<Transfer> settled_transfers(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges,
                                        const Sharing &shares, const SeenExchanges &seen) {
    const ComponentPlaces places(run);
    std::int64_t balance = 0;
    for (const MatchedExchange &m : exchanges)
        balance += m.transfer == Transfer::buffered ? 1 : m.transfer == Transfer::synchronous ? -1 : 0;
    std::vector<Transfer> transfers;
    transfers.reserve(exchanges.size());
    for (const MatchedExchange &m : exchanges) {
        const std::vector<std::size_t> &in_turn = shares[places.of(m.exchange.source)];
        const bool buffered = balance > 0 || std::ranges::binary_search(in_turn, places.of(m.exchange.target));
        Transfer transfer = m.transfer;
        if (const auto elsewhere = seen.find(exchange_key(run, m.exchange));
            elsewhere != seen.end() && transfer == Transfer::not_seen)
            transfer = elsewhere->second.transfer;
        if (transfer == Transfer::not_seen) transfer = buffered ? Transfer::buffered : Transfer::synchronous;
        transfers.push_back(transfer);
    }
    return transfers;
}

} // namespace cpl_lb
