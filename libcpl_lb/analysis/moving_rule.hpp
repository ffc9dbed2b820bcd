// What of the arrivals of processes moves slowly from one to the other (docs/definitions.md, section 2): over how
// many exchanges to take a running mean, and after which period they are alike again.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "analysis/own_arrivals.hpp"

#include <cstdint>
#include <span>

namespace cpl_lb {

// How many products of values so many apart (OwnArrivals::add_products) are wanted for so many values.
[[nodiscard]] std::size_t lags_of(std::size_t values);

// The rule for the exchanges at these places of the list. dates: of all in the list, or empty; without them the
// products of all processes together tell the period.
[[nodiscard]] MovingRule moving_rule(const ChosenExchanges &chosen, std::span<const std::uint32_t> places,
                                     std::span<const std::int64_t> dates, std::span<const WideNanoseconds> products,
                                     std::size_t processes);

// The share of white noise that a rule takes with it, of so many values.
[[nodiscard]] double noise_taken(const MovingRule &rule, std::size_t values);
// Whether the rule takes more than chance would give it.
[[nodiscard]] bool moves(const MovingRule &rule, const MovingSquares &squares, std::size_t values,
                         std::size_t processes);

} // namespace cpl_lb
