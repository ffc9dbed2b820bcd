// What in the arrivals of processes is more than chance (docs/definitions.md, section 2): whether processes, or
// nodes, come late, and which exchanges stall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Chance in so many cases, as standard deviations.
inline constexpr double one_in_100 = 2.33, one_in_1000 = 3.09;

// batches: those of each process one after the other; NaN: it took no part. Whether the means of processes differ by
// more than chance gives in 1 of 1,000 cases.
[[nodiscard]] bool processes_differ(std::span<const float> batches, std::size_t batches_of_process);

// Fewer nodes cannot be told from parts of the model's domain.
inline constexpr std::size_t least_nodes = 3;

// late: of each process. Whether the means of nodes differ by more than chance gives. Nodes with one process are left
// out, because nobody knows what differs inside them.
[[nodiscard]] bool nodes_differ(std::span<const double> late, std::span<const std::int32_t> nodes);

// Of each value 1 if it is eight standard deviations (from the median deviation) and half of the median above the
// median. None of fewer than five values is. A NaN value is not known.
[[nodiscard]] std::vector<std::uint8_t> far_above_median(std::span<const double> values);
// The same, if these are at most a tenth; else none.
[[nodiscard]] std::vector<std::uint8_t> find_stalls(std::span<const double> values);

} // namespace cpl_lb
