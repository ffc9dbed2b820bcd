// The union of the events of several processes: one list of all, in the order of their earliest start.
#pragma once

#include "events/event_order.hpp"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace cpl_lb {

struct FirstStart {
    OccurrenceKey key;
    Nanoseconds start = 0; // the earliest of the processes met so far
};

// The events of one process, by key.
[[nodiscard]] std::vector<FirstStart> first_starts(const LocalEvents &events, const KeyRule &rule);
// The union of two lists that are sorted by key.
[[nodiscard]] std::vector<FirstStart> union_of(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b);
// The events of several processes that start before `end`, by key.
struct EarlyEvents {
    std::vector<FirstStart> list;
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max();
};
struct UnionLimit {
    std::size_t events = std::numeric_limits<std::size_t>::max();
    std::uint32_t always =
        std::numeric_limits<std::uint32_t>::max(); // events of this class stay, whenever they start
};
// If both lists together exceed the limit, the end moves to an earlier time and only the earliest events stay. In any
// order of uniting, an event stays if its earliest start lies before the final end, and that start is kept.
void unite(EarlyEvents &mine, const EarlyEvents &theirs, const UnionLimit &limit);
[[nodiscard]] std::vector<OccurrenceKey> in_order_of_start(std::vector<FirstStart> all);

// Finds the place of a key in a list of all keys.
class Places {
public:
    explicit Places(std::span<const OccurrenceKey> order); // `order` outlives this object
    [[nodiscard]] std::optional<std::size_t> of(const OccurrenceKey &key) const;

private:
    std::span<const OccurrenceKey> order_;
    std::vector<std::size_t> sorted_;
};

// Makes the row of one process from its times, which it takes. left_out: the number of its events not in the list.
[[nodiscard]] Row row_of(LocalEvents &events, const KeyRule &rule, std::size_t all, const Places &places,
                         std::int64_t *left_out = nullptr);

} // namespace cpl_lb
