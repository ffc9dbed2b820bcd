// The loop with its beginning replayed before it. At the begin of a stretch of a run each component still has the
// work that the measured counts left to it. With other counts some cycles pass until the waiting of the components
// settles.
#pragma once

#include "prediction/coupling_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cpl_lb {

struct Rehearsal {
    CouplingGraph graph;
    std::vector<std::size_t> added; // by component: points before those of the loop
};

// `classes`: the exchange at each point of each component. `of_cycle`: the points of each component in a cycle.
// Nothing if the loop is too short, or does not begin with cycles that are alike.
[[nodiscard]] std::optional<Rehearsal> rehearse(std::vector<Constituent> loop,
                                                const std::vector<std::vector<std::uint32_t>> &classes,
                                                const std::vector<std::size_t> &of_cycle);

} // namespace cpl_lb
