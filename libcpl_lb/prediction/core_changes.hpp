// Components that would compute in turn on the same cores, or no longer do: what each then takes, and who waits for
// whose turn (docs/definitions.md, "What if").
#pragma once

#include "prediction/changes.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// Throws PredictionError for a component that the run does not have or that stands in two groups, and for components
// that are in turn, or side by side, already.
void check_core_changes(const CoupledRun &run, const Sharing &shares, const Changes &changes);

// By component: the cores on which it computes with these changes. In turn: those of all of the group. Side by side:
// the cores that they share, split by what each computes.
[[nodiscard]] std::vector<std::int64_t> changed_cores(const CoupledRun &run, const std::vector<double> &computing_s,
                                                      const Changes &changes);

// Who still shares cores.
[[nodiscard]] Sharing kept_sharing(const CoupledRun &run, Sharing shares, const Changes &changes);

// A component's computing before one of its points, as it was recorded.
struct RecordedPiece {
    Nanoseconds start = 0;
    double computing_s = 0;
    PointPlace place; // the point that ends it
};
// Of two components in turn each begins its computing when the other has ended what it began before: in the order of
// the recorded starts, and, where they start together, of the group. Pieces that are short beside the others (the
// moments between two calls) wait for nobody. `pieces`: of the group's components, in its order, each by time.
void add_in_turn(std::vector<Constituent> &constituents, const std::vector<std::vector<RecordedPiece>> &pieces);

} // namespace cpl_lb
