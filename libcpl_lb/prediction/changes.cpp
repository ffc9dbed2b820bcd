// Moves pairs, and takes seconds from stretches of computing.
#include "prediction/changes.hpp"

#include "analysis/intervals.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

bool is_of(const CoupledRun &run, const MatchedExchange &m, const std::string &field) {
    return field_name(run, m.exchange.field) == field;
}

// Each pair is a PUT and the GET that received it, in the order of time.
void shift(MatchedExchange &m, std::int64_t by) {
    const std::vector<EventPair> before = std::move(m.pairs);
    m.pairs = {};
    const auto count = static_cast<std::int64_t>(before.size());
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t get = i + by;
        if (get < 0 || get >= count) continue;
        m.pairs.push_back({before[static_cast<std::size_t>(i)].put, before[static_cast<std::size_t>(get)].get});
    }
    m.exchange.lag += by;
}

// Pair i has the GET number i + lag. The lag also counts exchanges that are left out.
void keep_every(MatchedExchange &m, std::int64_t every) {
    std::vector<EventPair> kept;
    const auto count = static_cast<std::int64_t>(m.pairs.size()), lag = m.exchange.lag;
    for (std::int64_t k = 0; every * k < count; ++k) {
        const std::int64_t get = every * (k + lag) - lag;
        if (get >= count) break;
        kept.push_back(
            {m.pairs[static_cast<std::size_t>(every * k)].put, m.pairs[static_cast<std::size_t>(get)].get});
    }
    m.pairs = std::move(kept);
}

Nanoseconds overlap(const Interval &a, const Interval &b) {
    return std::max<Nanoseconds>(0, std::min(a.stop, b.stop) - std::max(a.start, b.start));
}

// Times of output that no longer happen.
Intervals output_saved(const EventTable &table, std::int64_t every) {
    std::vector<std::int64_t> seen(table.keys.classes().size());
    Intervals saved;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const Kind kind = table.keys.what(k).kind;
        const bool restart = is_restart(kind);
        if ((!restart && kind != Kind::out) || (restart && every > 0) || table.spans[k].empty()) continue;
        if (every > 0 && seen[table.keys.class_of(k)]++ % every == 0) continue;
        saved.push_back({table.spans[k].first_start, table.spans[k].last_stop});
    }
    return union_of(std::move(saved));
}

void take_output(const EventTable &table, std::int64_t every, std::vector<ComputingPiece> &pieces) {
    const Intervals saved = output_saved(table, every);
    std::size_t first = 0;
    for (ComputingPiece &piece : pieces) {
        while (first < saved.size() && saved[first].stop <= piece.when.start)
            ++first;
        Nanoseconds inside = 0;
        for (std::size_t i = first; i < saved.size() && saved[i].start < piece.when.stop; ++i)
            inside += overlap(saved[i], piece.when);
        piece.computing_s = std::max(0.0, piece.computing_s - to_seconds(inside));
    }
}

// The region's time in a step is taken evenly from the component's computing in it.
void take_region(const Component &component, const RegionSummary &region, double share,
                 std::vector<ComputingPiece> &pieces) {
    std::vector<double> left(pieces.size());
    std::size_t first = 0;
    for (std::size_t s = 0; s < region.steps.size(); ++s) {
        const Step &step = component.balance.steps[s];
        const Interval when{from_seconds(step.start_s), from_seconds(step.start_s + step.length_s)};
        while (first < pieces.size() && pieces[first].when.stop <= when.start)
            ++first;
        double computing = 0;
        const auto in_step = [&](const ComputingPiece &piece) {
            const Nanoseconds length = piece.when.length();
            return length > 0 ? piece.computing_s * static_cast<double>(overlap(piece.when, when)) /
                                    static_cast<double>(length)
                              : 0.0;
        };
        for (std::size_t i = first; i < pieces.size() && pieces[i].when.start < when.stop; ++i)
            computing += in_step(pieces[i]);
        if (!(computing > 0) || !is_known(region.steps[s].max_s)) continue;
        const double saved = std::min(1.0, share * region.steps[s].max_s / computing);
        for (std::size_t i = first; i < pieces.size() && pieces[i].when.start < when.stop; ++i)
            left[i] -= in_step(pieces[i]) * saved;
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
        pieces[i].computing_s = std::max(0.0, pieces[i].computing_s + left[i]);
}

double part_s(const ImbalanceParts &p, BalanceChange::Part part) {
    const double always = p.processes_s + (is_known(p.nodes_s) ? p.nodes_s : 0);
    switch (part) {
    case BalanceChange::Part::all:
        return always + p.moving_s + p.steps_s + p.random_s;
    case BalanceChange::Part::always:
        return always;
    case BalanceChange::Part::moving:
        return p.moving_s;
    case BalanceChange::Part::steps:
        return p.steps_s;
    case BalanceChange::Part::random:
        return p.random_s;
    }
    return unknown;
}

// The latest process comes at the mean time of all, as far as this part explains its lateness.
void take_imbalance(const ComponentBalance &balance, BalanceChange::Part part, std::vector<ComputingPiece> &pieces) {
    const ImbalanceParts &parts = balance.imbalance_parts;
    if (!(balance.imbalance_s > 0)) return;
    const double saved =
        part_s(parts, part) / balance.imbalance_s * (1 - std::clamp(parts.mean_s / balance.imbalance_s, 0.0, 1.0));
    for (ComputingPiece &piece : pieces)
        piece.computing_s -= saved * std::min(piece.computing_s, to_seconds(piece.skew));
}

} // namespace

std::set<std::size_t> change_exchanges(const CoupledRun &run, const Changes &changes,
                                       std::vector<MatchedExchange> &exchanges) {
    std::set<std::size_t> changed;
    for (std::size_t e = 0; e < exchanges.size(); ++e) {
        MatchedExchange &m = exchanges[e];
        for (const LagChange &change : changes.lags) {
            if (!is_of(run, m, change.field) || m.exchange.lag == change.lag) continue;
            shift(m, change.lag - m.exchange.lag);
            changed.insert(e);
        }
        for (const PeriodChange &change : changes.periods) {
            if (!is_of(run, m, change.field) || change.every == 1) continue;
            keep_every(m, change.every);
            if (m.exchange.lag != 0) changed.insert(e);
        }
    }
    return changed;
}

void without_output(const EventTable &table, std::vector<ComputingPiece> &pieces) {
    take_output(table, 0, pieces);
}

void change_computing(const Component &component, const Changes &changes, std::vector<ComputingPiece> &pieces) {
    if (changes.output_every != 1) take_output(component.table, changes.output_every, pieces);
    for (const BalanceChange &change : changes.balanced)
        if (change.component == component.name) take_imbalance(component.balance, change.part, pieces);
    for (const SpeedChange &change : changes.speeds) {
        if (change.component != component.name) continue;
        if (change.region.empty()) {
            for (ComputingPiece &piece : pieces)
                piece.computing_s /= change.times;
            continue;
        }
        for (const RegionSummary &region : component.regions)
            if (region.name == change.region) take_region(component, region, 1 - 1 / change.times, pieces);
    }
}

} // namespace cpl_lb
