// Points of a changed model that would wait for each other for ever.
#pragma once

#include "prediction/coupling_graph.hpp"

#include <vector>

namespace cpl_lb {

// A ring of points of different components: each is left only when the component of the next one has come to a later
// point. Empty if there is no ring.
[[nodiscard]] std::vector<PointPlace> waiting_ring(const std::vector<Constituent> &constituents);

} // namespace cpl_lb
