// A collective operation as exchanges between each two of its components: each sends when it comes, and receives what
// the other sent. In a Bcast or a Gather one side goes on without the other: there is no exchange that way.
#pragma once

#include "analysis/exchanges.hpp"

#include <vector>

namespace cpl_lb {

inline constexpr std::size_t most_exchanges = 1'000'000; // between components that all exchange with each other

// In the order of field, source, target, with lag 0 and no violations. Throws TooManyExchanges and BudgetUsedUp.
[[nodiscard]] std::vector<Exchange> find_sync_exchanges(const CoupledRun &run, const Budget &budget);

// Whether a component that left with `receiver` can have waited for one that came with `sender`.
[[nodiscard]] constexpr bool may_wait(const EventSpan &receiver, const EventSpan &sender, Nanoseconds clock_bound) {
    return sender.first_start - clock_bound <= receiver.last_stop;
}

// Whether `receiver` came first and left after `sender` had come, as with a large message to a late receiver.
[[nodiscard]] constexpr bool seen_to_wait(const EventSpan &receiver, const EventSpan &sender,
                                          Nanoseconds clock_bound) {
    return sender.first_start - clock_bound > receiver.last_start && sender.first_start <= receiver.last_stop;
}

} // namespace cpl_lb
