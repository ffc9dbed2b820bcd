// Annotations of regions in messages, and how those of two processes (or groups of them) become one.
#pragma once

#include "data/annotations.hpp"
#include "mpi/wire.hpp"

#include <vector>

namespace cpl_lb {

void put_annotations(WireWriter &out, const std::vector<Annotation> &all);
void put_annotations(WireWriter &out, const std::vector<AssertedParameter> &all);
void put_annotations(WireWriter &out, const std::vector<RegionEntry> &all);
[[nodiscard]] std::vector<Annotation> get_annotations(WireReader &in);
[[nodiscard]] std::vector<AssertedParameter> get_parameters(WireReader &in);
[[nodiscard]] std::vector<RegionEntry> get_control_flow(WireReader &in);

void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs);
void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs);
void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs);

} // namespace cpl_lb
