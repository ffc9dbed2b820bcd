// Gathers what each process of a component did in its coupling loop, and its part of the grid, to the master.
#pragma once

#include "data/events.hpp"
#include "data/grid_part.hpp"
#include "mpi/group.hpp"
#include "run/live/loop_and_waiting.hpp"

#include <optional>
#include <span>

namespace cpl_lb {

// Of one process; NaN: not known.
struct OwnFigures {
    double computing_s = unknown;
    double mpi_inside_s = unknown;
    double memory_B = unknown;
    GridPart part;
};

// The part of the loop in which the process was there (running: from its init to its arrival at terminate), less its
// own exchanges and its times inside other components. NaN if there is no loop, or if the process exchanges nothing
// in it: then nobody saw when it waits.
[[nodiscard]] double own_computing_s(const OwnExchanges &exchanges, Interval running, std::span<const Interval> away);

// Collective over the group; the result counts on the leader. Nothing: a message failed.
[[nodiscard]] std::optional<ProcessFigures> gather_figures(Group &group, const OwnFigures &own);

} // namespace cpl_lb
