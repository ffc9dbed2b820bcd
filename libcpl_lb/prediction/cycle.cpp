#include "prediction/cycle.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Periods that are no multiple of each other (every 2 and every 3 hours: a cycle of 6) are tried up to this.
constexpr std::int64_t most_of_rarest = 24;

struct Occurrence {
    PointPlace place;
    Nanoseconds arrive = 0;
    std::int64_t date = no_date;
};

// The PUTs of an exchange, received in the stretch.
std::vector<Occurrence> occurrences_of(const CoupledRun &run, const MatchedExchange &m, const FindPoint &find_point) {
    std::vector<Occurrence> list;
    const auto source = std::find_if(run.components.begin(), run.components.end(),
                                     [&](const Component &c) { return c.id == m.exchange.source; });
    for (const EventPair &pair : m.pairs) {
        if (const auto place = find_point(m.exchange.source, pair.put);
            place && find_point(m.exchange.target, pair.get))
            list.push_back({*place, source->table.spans[pair.put].last_start, source->table.keys.date(pair.put)});
    }
    std::sort(list.begin(), list.end(), [](const Occurrence &a, const Occurrence &b) { return a.arrive < b.arrive; });
    return list;
}

// How often in a cycle, where `cycles` (maybe not whole: the stretch cuts the ends off) happened in all; 0: the
// number is not a whole one.
std::int64_t whole_per_cycle(std::size_t count, double cycles) {
    const double per_cycle = static_cast<double>(count) / cycles;
    const double whole = std::round(per_cycle);
    // The ends of the stretch may cut off or add almost one cycle's worth of either.
    const double slack = std::min(0.25 * std::max(1.0, whole), (1 + whole) / cycles);
    return whole >= 1 && std::abs(per_cycle - whole) <= slack ? static_cast<std::int64_t>(whole) : 0;
}

} // namespace

void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point) {
    std::vector<std::vector<Occurrence>> all;
    std::size_t rarest = result.exchanges.size();
    for (const MatchedExchange &m : result.exchanges) {
        all.push_back(occurrences_of(run, m, find_point));
        if (all.back().empty()) continue;
        if (rarest == result.exchanges.size() || all.back().size() < all[rarest].size()) rarest = all.size() - 1;
    }
    if (rarest == result.exchanges.size()) {
        result.why_no_cycle = "no exchange lies whole inside the common part of the coupling loops";
        return;
    }
    CouplingCycle &cycle = result.cycle;
    cycle.rarest = rarest;
    std::int64_t of_rarest = 1;
    for (; of_rarest <= most_of_rarest; ++of_rarest) {
        const double cycles = static_cast<double>(all[rarest].size()) / static_cast<double>(of_rarest);
        cycle.exchanges.clear();
        for (const auto &occurrences : all)
            cycle.exchanges.push_back(occurrences.empty() ? 0 : whole_per_cycle(occurrences.size(), cycles));
        bool whole = true;
        for (std::size_t e = 0; e < all.size(); ++e)
            whole = whole && (all[e].empty() || cycle.exchanges[e] > 0);
        if (whole) break;
    }
    if (of_rarest > most_of_rarest) {
        cycle.exchanges.clear();
        result.why_no_cycle = "the exchanges do not repeat in whole numbers of each other";
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
    }
    if (cycle.measured_s.empty()) result.why_no_cycle = "the coupling loops hold less than one whole cycle in common";
}

} // namespace cpl_lb
