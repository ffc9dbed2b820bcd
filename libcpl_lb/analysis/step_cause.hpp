// What lies in unusual coupling steps and not in usual ones: output, restart, mapping.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "data/events.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// The operation that lies before four of five unusual exchanges, and before at most one of five others; "before":
// since the last exchange of its kind. unusual: of each chosen exchange. Empty if there is none: "OUT of SST".
[[nodiscard]] std::string cause_of_steps(const ChosenExchanges &chosen, std::span<const std::uint8_t> unusual,
                                         const EventTable &events, const std::vector<std::string> &field_names);

} // namespace cpl_lb
