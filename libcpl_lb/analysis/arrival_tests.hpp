// Whether processes, or nodes, come late by more than chance: permutation tests (docs/definitions.md, section 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// batches: those of each process one after the other; NaN: it took no part. Whether the means of processes differ
// more than after any of up to 999 exchanges of processes inside each batch.
[[nodiscard]] bool processes_differ(std::span<const float> batches, std::size_t batches_of_process);

// Fewer nodes cannot be told from parts of the model's domain.
inline constexpr std::size_t least_nodes = 3;

// late: of each process. Whether the means of nodes differ more than after 99 of 100 random orders of the processes.
// There are at least least_nodes nodes.
[[nodiscard]] bool nodes_differ(std::span<const double> late, std::span<const std::int32_t> nodes);

} // namespace cpl_lb
