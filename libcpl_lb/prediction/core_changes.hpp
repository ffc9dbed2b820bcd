// Components that would compute in turn on the same cores, or would no longer do so: how long each then takes, and
// who waits for whose turn (docs/definitions.md, "What if").
#pragma once

#include "prediction/changes.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// Throws PredictionError for a component that the run does not have or that is in two groups, and for components that
// are already in turn, or already side by side.
void check_core_changes(const CoupledRun &run, const Sharing &shares, const Changes &changes);

// By component: the cores on which it computes with these changes. In turn: all cores of the group. Side by side: the
// shared cores, split in proportion to the computing.
[[nodiscard]] std::vector<std::int64_t> changed_cores(const CoupledRun &run, const std::vector<double> &computing_s,
                                                      const Changes &changes);

// Which components still share cores.
[[nodiscard]] Sharing kept_sharing(const CoupledRun &run, Sharing shares, const Changes &changes);

// A component's computing before one of its points, as it was recorded.
struct RecordedPiece {
    Nanoseconds start = 0;
    double computing_s = 0;
    PointPlace place; // the point that ends it
};
// Components in turn: each begins its computing when the one before has ended its own. The order is that of the
// recorded starts, or of the group if they start together. Pieces that are short beside the others (the moments
// between two calls) wait for nobody. `pieces`: those of the group's components, in its order, each by time.
void add_in_turn(std::vector<Constituent> &constituents, const std::vector<std::vector<RecordedPiece>> &pieces);

} // namespace cpl_lb
