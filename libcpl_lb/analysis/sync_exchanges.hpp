// A collective operation as exchanges between each two of its components: each sends when it comes, and receives what
// the other sent. In a Bcast or a Gather one side goes on without the other: there is no exchange that way.
#pragma once

#include "analysis/exchanges.hpp"

#include <vector>

namespace cpl_lb {

// By field, source, target; lag 0, no violations.
[[nodiscard]] std::vector<Exchange> find_sync_exchanges(const CoupledRun &run);

// Whether who left with `receiver` can have waited for who came with `sender`.
[[nodiscard]] constexpr bool may_wait(const EventSpan &receiver, const EventSpan &sender, Nanoseconds clock_bound) {
    return sender.first_start - clock_bound <= receiver.last_stop;
}

} // namespace cpl_lb
