// Finds who came last to a collective operation over several components: the others waited for it
// (docs/definitions.md, section 1). Occurrence n of a SYNC is the same operation in all components that have its
// field.
#pragma once

#include "analysis/exchanges.hpp"
#include "data/coupled_run.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace cpl_lb {

// The SYNC events of a component by field: places in its table, in the order of their occurrence.
using SyncPlaces = std::map<std::int32_t, std::vector<std::uint32_t>>;
[[nodiscard]] SyncPlaces sync_places(const EventTable &table);

// Finds whom each component waited for at one operation of several components.
class LastToCome {
public:
    // arrivals: S of each component, or `absent` if it took no part. They outlive the calls of of().
    void set(std::span<const Nanoseconds> arrivals);
    // The component that `own`, which left at `left`, waited for: the last of the others to come, but in a Bcast or a
    // Gather none that came after `own` had left. Returns the number of components if there is none.
    [[nodiscard]] std::size_t of(std::size_t own, Nanoseconds left, Nanoseconds clock_bound) const;

private:
    std::span<const Nanoseconds> arrivals_;
    std::vector<std::size_t> latest_first_;
};

// Names the counterparts of all SYNC events without one, as far as the components have tables.
void name_sync_counterparts(std::span<Component *const> components, Nanoseconds clock_bound);

// A collective operation as exchanges between each two of its components: each sends when it comes, and receives from
// the other. In a Bcast or a Gather one side goes on without the other: no exchange in that direction.
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
