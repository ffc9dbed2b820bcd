// Checks that a run has what the changes name, and can answer.
#include "prediction/changes.hpp"

#include "analysis/exchanges.hpp"
#include "support/fmt.hpp"
#include "support/word_distance.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// For a misspelt name: the nearest known one, or all known ones.
std::string beside_known(const std::string &name, const std::vector<std::string> &known) {
    if (const std::string nearest = nearest_word(name, known); !nearest.empty())
        return fmt::format("did you mean '{}'?", nearest);
    std::string names;
    for (const std::string &one : known)
        names += (names.empty() ? "" : ", ") + one;
    return known.empty() ? "there is none" : (known.size() == 1 ? "there is " : "there are ") + names;
}

void check_field(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges, const std::string &field,
                 std::int64_t exchanges_needed) {
    std::vector<std::string> names;
    bool found = false;
    for (const MatchedExchange &m : exchanges) {
        const std::string name = field_name(run, m.exchange.field);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
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

} // namespace

const Component &component_of(const CoupledRun &run, const std::string &name) {
    std::vector<std::string> names;
    for (const Component &component : run.components) {
        if (component.name == name) return component;
        names.push_back(component.name);
    }
    throw PredictionError(fmt::format("the run has no component '{}'; {}", name, beside_known(name, names)));
}

namespace {

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
