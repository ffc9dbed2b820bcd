// The exchanges of a component from whose arrivals its imbalance is explained (docs/definitions.md, section 2).
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "data/events.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// One of them. It has no padding, because it is sent.
struct ChosenExchange {
    EventIndex event = 0;
    std::uint32_t group = 0; // exchanges of one (kind, field, counterpart)
    Nanoseconds first = 0;   // the earliest arrival
    Nanoseconds jitter = 0;  // the latest arrival, less the earliest
    Nanoseconds counted = 0; // the part of jitter in the loop that no earlier exchange covers: sums to the imbalance
};

struct ChosenExchanges {
    std::string why_not;              // in words; empty: there are some
    std::vector<ChosenExchange> list; // ascending by event
    std::uint32_t groups = 0;
    double imbalance_s = 0;   // of all exchanges
    double carried_s = 0;     // of it, what is no new lateness
    std::uint32_t one_in = 1; // one in so many of a group's exchanges is chosen

    [[nodiscard]] std::vector<std::uint32_t> places_of(std::uint32_t group) const;
    // Whether the list ascends and names only known groups. False if it came in a damaged message.
    [[nodiscard]] bool fits_together() const;
    // The summed `counted` time of the list.
    [[nodiscard]] double counted_s() const;
};

// Fewer exchanges cannot tell what is systematic from chance.
inline constexpr std::size_t least_exchanges = 8;

// Chooses at most `most` exchanges, from the few groups that hold the most imbalance.
[[nodiscard]] ChosenExchanges choose_exchanges(const EventTable &events, const Window &window, std::size_t processes,
                                               std::size_t most);

// How much of their counted time processes are late anew. What they were late as they left the exchange before does
// not count again, unless they waited for each other in between.
struct NewLateness {
    std::vector<Nanoseconds> of_event;
    Nanoseconds carried = 0; // the rest, of all
};
[[nodiscard]] NewLateness new_lateness(const EventTable &events, Interval loop, bool can_wait_inside);

// The number of exchanges to choose, so that the data that these processes send and keep stays small.
[[nodiscard]] constexpr std::size_t most_chosen(std::size_t processes) {
    constexpr std::size_t values = std::size_t{1} << 23U, least = 512, most = 4096;
    const std::size_t each = values / (processes > 0 ? processes : 1);
    return each < least ? least : each > most ? most : each;
}

// The same for one of many components that one program analyses: it keeps the sum over all of them small, too.
[[nodiscard]] constexpr std::size_t most_chosen(std::size_t processes, std::size_t components,
                                                std::size_t processes_of_all) {
    constexpr std::size_t values = std::size_t{1} << 23U, many = 24, least = 128;
    if (components <= many || processes_of_all == 0) return most_chosen(processes);
    const std::size_t each = values / processes_of_all;
    return std::min(most_chosen(processes), each > least ? each : least);
}

} // namespace cpl_lb
