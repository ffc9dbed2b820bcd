// Packs meters into messages, and unites those of two processes (or groups of processes).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs); // by name
void unite(Series &mine, const Series &theirs);                                     // both of the same intervals
// By meter and quantity. A figure stays if the other process has none of it.
void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs);
void unite(RegionMeters &mine, const RegionMeters &theirs);

} // namespace cpl_lb
