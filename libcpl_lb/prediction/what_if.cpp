// What changes to a model would bring: each one of a usual size, sorted by its gain, and the same cycles cut out of
// both replays.
#include "prediction/predictor.hpp"

#include "analysis/exchanges.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

namespace cpl_lb {

namespace {

constexpr double a_tenth_less = 1 / 0.9; // times as fast

struct Asked {
    SingleChange change;
    Changes changes;
};

void ask_speeds(const CoupledRun &run, std::vector<Asked> &all) {
    const std::vector<bool> decides = who_decides_the_end(run);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        if (!decides[c]) continue;
        const Component &component = run.components[c];
        const auto ask = [&](SingleChange::Kind kind, const std::string &region, double times) {
            all.push_back({{kind, component.name, region}, {.speeds = {{component.name, region, times}}}});
        };
        ask(SingleChange::Kind::faster, "", a_tenth_less);
        ask(SingleChange::Kind::twice, "", 2);
        if (tells_imbalance(component.balance.imbalance_parts))
            all.push_back({{SingleChange::Kind::balanced, component.name}, {.balanced = {{component.name}}}});
        for (const RegionSummary &region : component.regions)
            if (!region.steps.empty() && region.steps.size() == component.balance.steps.size())
                ask(SingleChange::Kind::faster, region.name, a_tenth_less);
    }
}

// A field may go to several components: the change concerns the whole field.
void ask_fields(const CoupledRun &run, const MeasuredGraph &measured, std::vector<Asked> &all) {
    const std::vector<bool> decides = who_decides_the_end(run);
    const ComponentPlaces places(run);
    std::set<std::string> asked;
    for (std::size_t e = 0; e < measured.exchanges.size(); ++e) {
        const MatchedExchange &m = measured.exchanges[e];
        const bool in_cycle = measured.cycle.exchanges.empty() || measured.cycle.exchanges[e] > 0;
        const std::size_t target = places.of(m.exchange.target);
        if (m.exchange.sync || !in_cycle || !decides[target]) continue;
        const std::string field = field_name(run, m.exchange.field);
        if (!asked.insert(field).second) continue;
        const std::int64_t lag = m.exchange.lag + 1;
        all.push_back({{SingleChange::Kind::lag, "", "", field, lag}, {.lags = {{field, lag}}}});
        all.push_back({{SingleChange::Kind::every, "", "", field}, {.periods = {{field, 2}}}});
    }
}

bool writes(const CoupledRun &run) {
    return std::ranges::any_of(run.components, [](const Component &c) {
        const std::vector<EventClass> &classes = c.table.keys.classes();
        return std::ranges::any_of(
            classes, [](const EventClass &one) { return one.kind == Kind::out || is_restart(one.kind); });
    });
}

// A component continues where it left the previous point. Pieces without a wait in between are united.
std::vector<ComputingTime> computing_of(const CouplingGraph &graph, const std::vector<double> &leave_s,
                                        std::size_t component, double factor, double begin_s, double end_s) {
    const std::size_t first = graph.flat({component, 0}), end = graph.flat({component + 1, 0});
    std::vector<ComputingTime> pieces;
    for (std::size_t at = first; at < end; ++at) {
        const double from_s = at == first ? 0 : leave_s[at - 1];
        const double to_s = from_s + factor * graph.computing_before(at);
        if (to_s <= begin_s) continue;
        if (from_s >= end_s) break;
        const ComputingTime piece{std::max(from_s, begin_s) - begin_s, std::min(to_s, end_s) - begin_s};
        if (!pieces.empty() && piece.from_s <= pieces.back().to_s)
            pieces.back().to_s = piece.to_s;
        else
            pieces.push_back(piece);
    }
    return pieces;
}

ReplayedCycles cycles_of(const MeasuredGraph &run, const std::vector<double> &factors,
                         std::span<const std::size_t> cuts) {
    const CouplingGraph &graph = *run.graph;
    const std::vector<double> leave_s = run.replay(factors).leave_s;
    const double begin_s = leave_s[cuts.front()], end_s = leave_s[cuts.back()];
    ReplayedCycles cycles;
    for (std::size_t c = 0; c < graph.components(); ++c)
        cycles.computing.push_back(computing_of(graph, leave_s, c, factors[c], begin_s, end_s));
    for (const std::size_t cut : cuts)
        cycles.begin_s.push_back(leave_s[cut] - begin_s);
    return cycles;
}

} // namespace

std::vector<SingleChange> single_changes(const CoupledRun &run, const MeasuredGraph &measured, double best_pace,
                                         const Budget &budget) {
    std::vector<Asked> all;
    ask_speeds(run, all);
    ask_fields(run, measured, all);
    if (writes(run)) all.push_back({{SingleChange::Kind::no_output}, {.output_every = 0}});
    all.push_back({{SingleChange::Kind::transfer}, {.transfer = 0.5}});
    std::vector<SingleChange> answers;
    for (Asked &one : all) {
        budget.check();
        try {
            const WhatIf answer = what_if(run, measured, one.changes);
            one.change.gain = 1 - answer.ratio;
            one.change.gain_error = answer.ratio_error;
        } catch (const PredictionError &error) {
            one.change.why_not = error.what();
        }
        answers.push_back(std::move(one.change));
    }
    if (is_known(best_pace)) {
        answers.push_back({SingleChange::Kind::best_split});
        answers.back().gain = 1 - best_pace;
    }
    std::ranges::stable_sort(answers, [](const SingleChange &a, const SingleChange &b) {
        return (is_known(a.gain) ? a.gain : -2) > (is_known(b.gain) ? b.gain : -2);
    });
    return answers;
}

std::optional<BothCycles> replayed_cycles(const MeasuredGraph &measured, const MeasuredGraph &changed,
                                          const std::vector<double> &factors, std::size_t of_change,
                                          std::size_t most) {
    const std::vector<std::size_t> &cuts = measured.cycle.cuts;
    const std::size_t all = cuts.empty() ? 0 : cuts.size() - 1;
    if (of_change == 0 || all < of_change || measured.parts.size() != 1 ||
        measured.graph->points() != changed.graph->points())
        return std::nullopt;
    const std::size_t of_cycle = std::max<std::size_t>(1, measured.graph->points() / all);
    const std::size_t shown = of_change * std::clamp<std::size_t>(most / (of_cycle * of_change), 1, all / of_change);
    const std::size_t first = (all - shown) / 2;
    const auto some = std::span(cuts).subspan(first, shown + 1);
    const auto recorded = std::span(measured.cycle.measured_s).subspan(first, shown);
    return BothCycles{first + 1, std::accumulate(recorded.begin(), recorded.end(), 0.0),
                      cycles_of(measured, std::vector<double>(factors.size(), 1.0), some),
                      cycles_of(changed, factors, some)};
}

} // namespace cpl_lb
