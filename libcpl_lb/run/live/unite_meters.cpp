// Adds up the meters of processes.
#include "run/live/unite_meters.hpp"

#include <algorithm>

namespace cpl_lb {

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs) {
    for (const NamedSpread &one : theirs) {
        const auto at =
            std::find_if(mine.begin(), mine.end(), [&](const NamedSpread &m) { return m.name == one.name; });
        if (at == mine.end()) {
            mine.push_back(one);
            continue;
        }
        at->over.add(one.over);
        if (at->why_missing.empty()) at->why_missing = one.why_missing;
    }
}

void unite(Series &mine, const Series &theirs) {
    if (theirs.values.empty()) return;
    if (mine.values.empty()) {
        mine = theirs;
        return;
    }
    for (std::size_t i = 0; i < std::min(mine.values.size(), theirs.values.size()); ++i)
        mine.values[i].add(theirs.values[i]);
}

void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs) {
    for (const MeterFigures &one : theirs) {
        const auto at = std::find_if(mine.begin(), mine.end(), [&](const MeterFigures &m) {
            return m.meter == one.meter && m.quantity == one.quantity;
        });
        if (at == mine.end()) {
            mine.push_back(one);
            continue;
        }
        at->over.add(one.over);
        at->rate_per_s.add(one.rate_per_s);
        unite(at->series, one.series);
        if (at->why_missing.empty()) at->why_missing = one.why_missing;
    }
}

void unite(RegionMeters &mine, const RegionMeters &theirs) {
    unite(mine.counters, theirs.counters);
    mine.energy_J.add(theirs.energy_J);
    mine.memory_B.add(theirs.memory_B);
    mine.memory_calls += theirs.memory_calls;
    mine.messages.add(theirs.messages);
    mine.message_B.add(theirs.message_B);
}

} // namespace cpl_lb
