// Exchanges between components: which PUT belongs to which GET (docs/definitions.md, section 1), and who only
// receives.
#pragma once

#include "data/coupled_run.hpp"
#include "data/events.hpp"
#include "support/budget.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {

// If the model did not name the counterpart of an exchange, it is the one other component that has the same field
// name with the opposite kind, if there is exactly one. The gathering at terminate follows the same rule.
// Changes keys in run.components[].table.
void infer_counterparts(CoupledRun &run);

// The name of a field; its number if it has none.
[[nodiscard]] std::string field_name(const CoupledRun &run, std::int32_t id);

// Thrown if there are too many exchanges to list. what() is one line for the user.
struct TooManyExchanges : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The bound of the run's clock for comparing times of its components [ns]. If joined runs have clocks that cannot be
// compared, it is longer than any run, so that no order of times contradicts anything.
[[nodiscard]] Nanoseconds clock_bound(const CoupledRun &run);

// An exchange is a field, not a part of another one (data/field_parts.hpp), with PUTs in one component and GETs in
// another, and with agreeing or unknown counterparts. A PUT without a counterpart goes to all components that get the
// field. The order is field, source, target; then come collective operations. Components that
// name no counterpart, and those in one collective operation, exchange with all others. Throws TooManyExchanges if
// that makes more than a million, and BudgetUsedUp.
[[nodiscard]] std::vector<Exchange> find_exchanges(const CoupledRun &run, const Budget &budget = {});

// Sets run.clock.order_violations from all exchanges of the run, and adds a remark if there are any.
void count_order_violations(CoupledRun &run, const std::vector<Exchange> &exchanges);

// The smallest lag l >= 0 without a violation, else the one with the fewest (the smallest of equals). Only lags count
// that leave a partner to at least one PUT, and to half of the PUTs as far as there are GETs.
// A PUT begins with the first of its processes (min_p s), and a GET ends with the last of its own (E_k). A tighter
// rule would count a process that needs nothing from the other as a violation. Both lists ascend.
struct Lag {
    std::int64_t lag = 0;
    std::int64_t matched = 0;
    std::int64_t violations = 0;
};
[[nodiscard]] Lag find_lag(const std::vector<Nanoseconds> &put_begins, const std::vector<Nanoseconds> &get_ends,
                           Nanoseconds clock_bound);

// True if the component said so (cpl_lb_set_io_server), or if it has GETs, no PUT or SYNC in its coupling loop, and
// waits for data most of its time. A component that only receives but computes most of its time is no I/O server: an
// ocean that an atmosphere drives without feedback may be the slow one. Needs the component's table and balance.
[[nodiscard]] bool is_io_server(const Component &component);

// By component: whether its end counts for the end of the common loop. An I/O server goes on writing by itself.
[[nodiscard]] std::vector<bool> who_decides_the_end(const CoupledRun &run);

// Finds a component's events that are one side of an exchange, without a search through all events each time.
using EventPlaces = std::vector<std::uint32_t>; // places in an event table

class ExchangeEvents {
public:
    explicit ExchangeEvents(const EventTable &table); // `table` outlives this object

    // The SYNC events of the field, in the order of their occurrence, and the events with which the component came to
    // them (arrival_places).
    [[nodiscard]] EventPlaces syncs(std::int32_t field) const { return all_of(Kind::sync, field); }
    [[nodiscard]] EventPlaces arrivals(std::int32_t field) const;
    // The events that may be this side of the exchange, in the order in which find_exchanges numbers them.
    [[nodiscard]] EventPlaces side(Kind kind, std::int32_t field, std::int32_t other) const;
    // When they begin (PUTs) or end (GETs), ascending.
    [[nodiscard]] std::vector<Nanoseconds> times(Kind kind, std::int32_t field, std::int32_t other) const;

private:
    [[nodiscard]] const EventClass &key(std::uint32_t c) const { return table_.keys.classes()[c]; }
    [[nodiscard]] EventPlaces all_of(Kind kind, std::int32_t field) const;
    [[nodiscard]] EventPlaces unsorted_side(Kind kind, std::int32_t field, std::int32_t other) const;
    [[nodiscard]] Nanoseconds time_of(Kind kind, std::uint32_t place) const;
    void append(const EventClass &first, const EventClass &last, EventPlaces &places) const;

    const EventTable &table_;
    std::vector<EventPlaces> of_class_; // places of PUTs, GETs and SYNCs by class
    std::vector<std::uint32_t> sorted_; // classes with such events, by kind, field and counterpart
};

// Who came last to a collective operation over several components: the others waited for it (docs/definitions.md,
// section 1). Occurrence n of a SYNC is the same operation in all components that have its field.

// The SYNC events of a component by field: places in its table, in the order of their occurrence.
using SyncPlaces = std::map<std::int32_t, std::vector<std::uint32_t>>;
[[nodiscard]] SyncPlaces sync_places(const EventTable &table);
// The events that tell when the component came: of operations that do not block the PUTs of the same field, with
// which they start; else the SYNC events. The operations are those of `syncs`.
[[nodiscard]] SyncPlaces arrival_places(const EventTable &table, SyncPlaces syncs);

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
