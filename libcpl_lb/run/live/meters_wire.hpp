// Meters in messages, and how those of two processes (or groups of them) become one.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

#include <vector>

namespace cpl_lb {

void put_meters(WireWriter &out, const std::vector<NamedSpread> &all);
[[nodiscard]] std::vector<NamedSpread> get_named_spreads(WireReader &in);
void put_meters(WireWriter &out, const Series &series);
[[nodiscard]] Series get_series(WireReader &in);
void put_meters(WireWriter &out, const std::vector<MeterFigures> &all);
[[nodiscard]] std::vector<MeterFigures> get_meter_figures(WireReader &in);
void put_meters(WireWriter &out, const RegionMeters &meters);
[[nodiscard]] RegionMeters get_region_meters(WireReader &in);

void unite(std::vector<NamedSpread> &mine, const std::vector<NamedSpread> &theirs); // by name
void unite(Series &mine, const Series &theirs);                                     // of the same intervals
// By meter and quantity: none is lost where another process has none of it.
void unite(std::vector<MeterFigures> &mine, const std::vector<MeterFigures> &theirs);
void unite(RegionMeters &mine, const RegionMeters &theirs);

} // namespace cpl_lb
