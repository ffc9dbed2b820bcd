// Waiting, computing and jitter of the coupling steps as JSON, thinned to what a picture can show.
#pragma once

#include "data/balance.hpp"
#include "io/json/json_tree.hpp"

#include <cstddef>

namespace cpl_lb {

// At most `most_points` groups of equally many steps, with their means; the distribution of
// each figure (where the run's steps are listed in groups, of the groups' means); and the steps that differ most from
// the others.
[[nodiscard]] JsonTree page_steps(const ComponentBalance &balance, std::size_t most_points);

} // namespace cpl_lb
