// Counts how often each exchange happens, and finds the shortest time after which all of them repeat.
#include "prediction/graph_builder.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Up to this number, periods that are no multiples of each other are tried (every 2 and every 3 hours: a cycle of 6).
constexpr std::int64_t most_of_rarest = 24;

struct Occurrence {
    PointPlace place;
    Nanoseconds arrive = 0;
    std::int64_t date = no_date;
};

// The PUTs of an exchange, received in the stretch.
std::vector<Occurrence> occurrences_of(const Component &source, const MatchedExchange &m, const Interval &stretch,
                                       const FindPoint &find_point) {
    std::vector<Occurrence> list;
    const EventTable &table = source.table;
    for (const EventPair &pair : m.pairs) {
        if (table.spans[pair.put].last_start < stretch.start) continue; // began before, and waits into the stretch
        if (const auto place = find_point(m.exchange.source, pair.put);
            place && find_point(m.exchange.target, pair.get))
            list.push_back({*place, table.spans[pair.put].last_start, table.keys.date(pair.put)});
    }
    std::ranges::sort(list, {}, &Occurrence::arrive);
    return list;
}

// How often an exchange happens in the whole run. The common stretch would not do: its ends cut off one occurrence of
// some exchanges and not of others.
struct Rate {
    std::size_t times = 0;
    double period_s = unknown;    // mean time between two of its PUTs, on the clock
    double period_date = unknown; // in model time, where all exchanges have dates: exact
};

Rate rate_of(const Component &source, const MatchedExchange &m, bool by_dates) {
    // All PUTs, also those whose GET came after the end or before the begin of the recording.
    const auto times = static_cast<std::size_t>(m.exchange.puts / m.puts_per_pair);
    if (m.pairs.size() < 2) return {times};
    const EventTable &table = source.table;
    const std::uint32_t first = m.pairs.front().put, last = m.pairs.back().put;
    const auto periods = static_cast<double>(m.pairs.size() - 1);
    Rate rate{times, to_seconds(table.spans[last].last_start - table.spans[first].last_start) / periods};
    if (by_dates) rate.period_date = static_cast<double>(table.keys.date(last) - table.keys.date(first)) / periods;
    return rate;
}

template <class SourceOf>
bool all_have_dates(const std::vector<MatchedExchange> &exchanges, const SourceOf &source_of) {
    return std::ranges::all_of(exchanges, [&](const MatchedExchange &m) {
        const EventKeys &keys = source_of(m).table.keys;
        return std::ranges::all_of(m.pairs, [&](const EventPair &pair) { return keys.date(pair.put) != no_date; });
    });
}

// How often an exchange happens while the rarest one does `of_rarest` times; 0: not a whole number of times.
std::int64_t whole_per_cycle(const Rate &rate, const Rate &rarest, std::int64_t of_rarest) {
    const auto periods_of_rarest = static_cast<double>(of_rarest);
    if (is_known(rate.period_date)) {
        const double times = periods_of_rarest * rarest.period_date / rate.period_date;
        return std::abs(times - std::round(times)) < 1e-6 ? std::llround(times) : 0;
    }
    // With w times in each period of the rarest exchange, which happens r times, it happens from (r - 1) w + 1 to r w
    // times, or one more or less at the start of the run.
    const auto times = static_cast<double>(rate.times);
    const auto of_all = static_cast<double>(rarest.times);
    const double least = periods_of_rarest * (times - 1) / of_all;
    const double most = periods_of_rarest * times / (of_all - 1);
    const double by_clock = periods_of_rarest * rarest.period_s / rate.period_s;
    const double whole =
        std::clamp(std::round(by_clock), std::ceil(least), std::max(std::ceil(least), std::floor(most)));
    // In short runs several whole numbers are possible. Then the clock decides, although the first steps of a run may
    // be longer or shorter than the others.
    const bool one_only = std::floor(most) == std::ceil(least);
    const bool fits = whole >= least && whole <= most && (one_only || std::abs(by_clock - whole) <= 0.2 * whole);
    return fits ? std::llround(whole) : 0;
}

// With fewer whole cycles a run does not show what repeats.
constexpr std::int64_t least_cycles = 3;

// How often the rarest exchange happens in a cycle, as the least number; 0 if there is none. Fills in `exchanges`.
std::int64_t times_of_rarest(const std::vector<Rate> &rates, std::size_t rarest,
                             std::vector<std::int64_t> &exchanges) {
    for (std::int64_t of_rarest = 1; of_rarest <= most_of_rarest; ++of_rarest) {
        exchanges.clear();
        for (const Rate &rate : rates)
            exchanges.push_back(is_known(rate.period_s) ? whole_per_cycle(rate, rates[rarest], of_rarest) : 0);
        const auto whole = [](const Rate &rate, std::int64_t times) { return !is_known(rate.period_s) || times > 0; };
        if (std::ranges::equal(rates, exchanges, whole)) return of_rarest;
    }
    exchanges.clear();
    return 0;
}

} // namespace

void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point) {
    const ComponentPlaces places(run);
    const auto source_of = [&](const MatchedExchange &m) -> const Component & {
        return run.components[places.of(m.exchange.source)];
    };
    const bool by_dates = all_have_dates(result.exchanges, source_of);
    std::vector<std::vector<Occurrence>> all;
    std::vector<Rate> rates;
    std::size_t rarest = result.exchanges.size();
    for (const MatchedExchange &m : result.exchanges) {
        all.push_back(occurrences_of(source_of(m), m, result.stretch, find_point));
        rates.push_back(all.back().empty() ? Rate{} : rate_of(source_of(m), m, by_dates));
        if (!is_known(rates.back().period_s)) continue;
        if (rarest == result.exchanges.size() || rates.back().times < rates[rarest].times) rarest = all.size() - 1;
    }
    if (rarest == result.exchanges.size()) {
        result.why_no_cycle = "no exchange lies whole inside the common part of the coupling loops";
        return;
    }
    CouplingCycle &cycle = result.cycle;
    cycle.rarest = rarest;
    const std::int64_t of_rarest = times_of_rarest(rates, rarest, cycle.exchanges);
    if (of_rarest == 0) {
        result.why_no_cycle = "the exchanges do not repeat in whole numbers of each other";
        return;
    }
    if (static_cast<std::int64_t>(rates[rarest].times) - 1 < least_cycles * of_rarest) {
        cycle.exchanges.clear();
        result.why_no_cycle = "the run is too short: it holds fewer than three whole cycles";
        return;
    }
    for (std::size_t n = 0; n < all[rarest].size(); n += static_cast<std::size_t>(of_rarest)) {
        const Occurrence &cut = all[rarest][n];
        if (!cycle.cuts.empty()) {
            const Occurrence &before = all[rarest][n - static_cast<std::size_t>(of_rarest)];
            cycle.measured_s.push_back(to_seconds(cut.arrive - before.arrive));
            if (cut.date != no_date && before.date != no_date && !is_known(cycle.period_s))
                cycle.period_s = static_cast<double>(cut.date - before.date);
        }
        cycle.cuts.push_back(result.graph->flat(cut.place));
        if (cycle.cuts.size() == 1) cycle.extent.start = cut.arrive;
        cycle.extent.stop = cut.arrive;
    }
    if (cycle.measured_s.empty()) result.why_no_cycle = "the coupling loops hold less than one whole cycle in common";
}

} // namespace cpl_lb
