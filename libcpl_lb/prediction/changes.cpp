// Checks that a run has what the changes name, moves pairs, and takes seconds from stretches of computing.
#include "prediction/changes.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/intervals.hpp"
#include "support/fmt.hpp"
#include "support/word_distance.hpp"

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
        return always + p.random_s;
    case BalanceChange::Part::always:
        return always;
    case BalanceChange::Part::rest:
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
        piece.computing_s -= saved * std::min(piece.computing_s, to_seconds(piece.late));
}

// For a misspelt name: the nearest known one, or all known ones.
std::string beside_known(const std::string &name, const std::vector<std::string> &known) {
    if (const std::string nearest = nearest_word(name, known); !nearest.empty())
        return fmt::format("did you mean '{}'?", nearest);
    return known.empty() ? "there is none" : (known.size() == 1 ? "there is " : "there are ") + joined(known, ", ");
}

void check_field(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges, const std::string &field,
                 std::int64_t exchanges_needed) {
    std::vector<std::string> names;
    bool found = false;
    for (const MatchedExchange &m : exchanges) {
        const std::string name = field_name(run, m.exchange.field);
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        if (name != field) continue;
        found = true;
        if (m.exchange.sync)
            throw PredictionError(fmt::format("{} is a collective operation, which has no lag and no period", field));
        if (!m.parts.empty()) {
            throw PredictionError(fmt::format(
                "processes make several calls for one exchange of {}: its lag and its period cannot be changed",
                field));
        }
        if (const auto count = static_cast<std::int64_t>(m.pairs.size()); count <= exchanges_needed) {
            throw PredictionError(fmt::format("{} is exchanged {} times from {} to {} in the run: {} are too many",
                                              field, count, run.component_name(m.exchange.source),
                                              run.component_name(m.exchange.target), exchanges_needed));
        }
    }
    if (!found)
        throw PredictionError(
            fmt::format("no field '{}' is exchanged in the run; {}", field, beside_known(field, names)));
}

void check_speed(const CoupledRun &run, const SpeedChange &change) {
    const Component &component = component_of(run, change.component);
    if (change.region.empty()) return;
    std::vector<std::string> names;
    for (const RegionSummary &region : component.regions) {
        names.push_back(region.name);
        if (region.name != change.region) continue;
        if (!region.steps.empty() && region.steps.size() == component.balance.steps.size()) return;
        throw PredictionError(fmt::format("the time of {}'s region '{}' in each coupling step is not known",
                                          change.component, change.region));
    }
    throw PredictionError(fmt::format("{} has no region '{}'; {}", change.component, change.region,
                                      beside_known(change.region, names)));
}

void check_balanced(const CoupledRun &run, const BalanceChange &change) {
    const ImbalanceParts &parts = component_of(run, change.component).balance.imbalance_parts;
    if (tells_imbalance(parts)) return;
    throw PredictionError(fmt::format("why the processes of {} wait for each other is not known{}", change.component,
                                      parts.why_missing.empty() ? "" : ": " + parts.why_missing));
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

const Component &component_of(const CoupledRun &run, const std::string &name) {
    std::vector<std::string> names;
    for (const Component &component : run.components) {
        if (component.name == name) return component;
        names.push_back(component.name);
    }
    throw PredictionError(fmt::format("the run has no component '{}'; {}", name, beside_known(name, names)));
}

bool tells_imbalance(const ImbalanceParts &parts) {
    return parts.known() && is_known(parts.mean_s);
}

void check_changes(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges, const Changes &changes) {
    for (const LagChange &change : changes.lags)
        check_field(run, exchanges, change.field, change.lag);
    for (const PeriodChange &change : changes.periods)
        check_field(run, exchanges, change.field, change.every);
    for (const SpeedChange &change : changes.speeds)
        check_speed(run, change);
    for (const BalanceChange &change : changes.balanced)
        check_balanced(run, change);
    if (!changes.mapping_at.empty()) (void)component_of(run, changes.mapping_at);
}

} // namespace cpl_lb
