// Unites the data of two processes (or groups of processes): meters, annotations, entries of regions.
#pragma once

#include "data/coupled_run.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {

// `add(mine, theirs)` for entries that are the `same` in both lists; entries only in `theirs` are appended.
template <class T, class Same, class Add>
void unite_lists(std::vector<T> &mine, const std::vector<T> &theirs, Same same, Add add) {
    for (const T &one : theirs) {
        const auto at = std::find_if(mine.begin(), mine.end(), [&](const T &m) { return same(m, one); });
        if (at == mine.end())
            mine.push_back(one);
        else
            add(*at, one);
    }
}

// Processes that gave different expressions have no common value.
void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs);
void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs);
void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs);
void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs); // by name
void unite(Series &mine, const Series &theirs);                                     // both have the same intervals
// By meter and quantity. A figure is kept if the other process does not have it.
void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs);
void unite(RegionMeters &mine, const RegionMeters &theirs);

} // namespace cpl_lb
