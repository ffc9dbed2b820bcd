// Asks the processes of a component for their arrivals, and explains its imbalance (analysis/imbalance_parts.hpp).
#pragma once

#include "data/imbalance.hpp"
#include "mpi/group.hpp"
#include "run/live/loop_and_waiting.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// Collective over the group. loop: result of agree_on_loop(), whose starts are used up. The leader knows the events
// with their spans; nodes: of each process of the group. Only the leader gets the parts. Empty if a message failed.
[[nodiscard]] std::optional<ImbalanceParts> gather_imbalance(Group &group, CouplingLoop &loop,
                                                             const EventTable &table, const NumberList &nodes,
                                                             const std::vector<std::string> &field_names);

} // namespace cpl_lb
