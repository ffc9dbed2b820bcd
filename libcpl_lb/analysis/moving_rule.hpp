// Which part of the processes' arrivals changes slowly from exchange to exchange (docs/definitions.md, section 2):
// the length of a running mean, and the period after which arrivals are alike again.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "analysis/own_arrivals.hpp"

#include <cstdint>
#include <span>

namespace cpl_lb {

// How many distances between values (OwnArrivals::add_products) are needed for so many values.
[[nodiscard]] std::size_t lags_of(std::size_t values);

// The rule for the exchanges at these places of the list. dates: of all exchanges in the list, or empty. Without
// dates the period comes from the products summed over all processes.
[[nodiscard]] MovingRule moving_rule(const ChosenExchanges &chosen, std::span<const std::uint32_t> places,
                                     std::span<const std::int64_t> dates, std::span<const WideNanoseconds> products,
                                     std::size_t processes);

// The share of white noise that the rule takes out of so many values.
[[nodiscard]] double noise_taken(const MovingRule &rule, std::size_t values);
// Whether the rule takes out more than it would of chance values.
[[nodiscard]] bool moves(const MovingRule &rule, const MovingSquares &squares, std::size_t values,
                         std::size_t processes);

} // namespace cpl_lb
