// What in the arrivals of processes is more than chance (docs/definitions.md, section 2): whether processes, or
// nodes, come late, by permutation tests; the exchanges that differ from the others of their kind, single ones and
// those of every k-th step; and what lies in unusual coupling steps and not in usual ones: output, restart, mapping.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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

struct UnusualSteps {
    std::vector<std::uint8_t> is; // of each value: 1 if it is far above the others
    std::int64_t every = 0;       // those of every k-th; 0: single ones only, or none

    [[nodiscard]] bool any() const;
};

// Looks for values that are larger than the others; values ascend in time. A rule "every k-th" needs five values,
// each of which stands out from the others and from its neighbours. A single value needs eight standard deviations
// (from the median deviation). If more than a tenth follow no rule, they are not unusual. A NaN value is not known,
// and unusual only by a rule.
[[nodiscard]] UnusualSteps find_unusual(std::span<const double> values);

// The median without NaN; NaN if there is no value. Changes the order.
[[nodiscard]] double median_of(std::vector<double> &values);

// The operation that lies before four of five unusual exchanges, and before at most one of five others; "before":
// since the last exchange of its kind. unusual: of each chosen exchange. Empty if there is none: "OUT of SST".
[[nodiscard]] std::string cause_of_steps(const ChosenExchanges &chosen, std::span<const std::uint8_t> unusual,
                                         const EventTable &events, const std::vector<std::string> &field_names);

} // namespace cpl_lb
