// Makes each change, replays it, and sorts the results.
#include "prediction/predictor.hpp"

#include "analysis/exchanges.hpp"

#include <algorithm>
#include <set>

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
            Asked one{{kind, component.name, region}, {}};
            one.changes.speeds = {{component.name, region, times}};
            all.push_back(std::move(one));
        };
        ask(SingleChange::Kind::faster, "", a_tenth_less);
        ask(SingleChange::Kind::twice, "", 2);
        if (tells_imbalance(component.balance.imbalance_parts)) {
            Asked one{{SingleChange::Kind::balanced, component.name}, {}};
            one.changes.balanced = {{component.name}};
            all.push_back(std::move(one));
        }
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
        Asked lag{{SingleChange::Kind::lag, "", "", field, m.exchange.lag + 1}, {}};
        lag.changes.lags = {{field, m.exchange.lag + 1}};
        Asked every{{SingleChange::Kind::every, "", "", field}, {}};
        every.changes.periods = {{field, 2}};
        all.push_back(std::move(lag));
        all.push_back(std::move(every));
    }
}

bool writes(const CoupledRun &run) {
    return std::ranges::any_of(run.components, [](const Component &c) {
        const std::vector<EventClass> &classes = c.table.keys.classes();
        return std::ranges::any_of(
            classes, [](const EventClass &one) { return one.kind == Kind::out || is_restart(one.kind); });
    });
}

} // namespace

std::vector<SingleChange> single_changes(const CoupledRun &run, const MeasuredGraph &measured, double best_pace,
                                         const Budget &budget) {
    std::vector<Asked> all;
    ask_speeds(run, all);
    ask_fields(run, measured, all);
    if (writes(run)) {
        all.push_back({{SingleChange::Kind::no_output}, {}});
        all.back().changes.output_every = 0;
    }
    all.push_back({{SingleChange::Kind::transfer}, {}});
    all.back().changes.transfer = 0.5;
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

} // namespace cpl_lb
