// The loop with its beginning replayed before it. A stretch of a run begins with what each component had left to do
// with the measured counts; with other counts some cycles pass until the components wait for each other as they go on
// to.
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

// `classes`: of each point of each component, what it exchanges. `of_cycle`: points of each component in a cycle.
// Nothing if the loop is too short, or does not begin with cycles that are alike.
[[nodiscard]] std::optional<Rehearsal> rehearse(std::vector<Constituent> loop,
                                                const std::vector<std::vector<std::uint32_t>> &classes,
                                                const std::vector<std::size_t> &of_cycle);

} // namespace cpl_lb
