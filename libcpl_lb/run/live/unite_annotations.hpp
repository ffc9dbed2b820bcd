// Packs annotations of regions into messages, and unites those of two processes (or groups of processes).
#pragma once

#include "data/annotations.hpp"

#include <vector>

namespace cpl_lb {

void unite(std::vector<Annotation> &mine, const std::vector<Annotation> &theirs);
void unite(std::vector<AssertedParameter> &mine, const std::vector<AssertedParameter> &theirs);
void unite(std::vector<RegionEntry> &mine, const std::vector<RegionEntry> &theirs);

} // namespace cpl_lb
