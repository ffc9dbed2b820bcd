// Meters in messages, and how those of two processes (or groups of them) become one.
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs); // by name
void unite(Series &mine, const Series &theirs);                                     // of the same intervals
// By meter and quantity: none is lost where another process has none of it.
void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs);
void unite(RegionMeters &mine, const RegionMeters &theirs);

} // namespace cpl_lb
