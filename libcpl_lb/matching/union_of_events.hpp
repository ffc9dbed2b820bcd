// The union of the events of several processes: one list of all, in the order of their earliest start.
#pragma once

#include "matching/event_order.hpp"

#include <span>
#include <vector>

namespace cpl_lb {

struct FirstStart {
    OccurrenceKey key;
    Nanoseconds start = 0; // the earliest of the processes met so far
};

// Of one process, by key.
[[nodiscard]] std::vector<FirstStart> first_starts(const LocalEvents &events, std::size_t classes, bool use_dates);
// Of two lists that are sorted by key.
[[nodiscard]] std::vector<FirstStart> union_of(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b);
[[nodiscard]] std::vector<OccurrenceKey> in_order_of_start(std::vector<FirstStart> all);

// Where each key stands in a list of all.
class Places {
public:
    explicit Places(std::span<const OccurrenceKey> order); // which outlives this object
    [[nodiscard]] std::size_t of(const OccurrenceKey &key) const;

private:
    std::span<const OccurrenceKey> order_;
    std::vector<std::size_t> sorted_;
};

// The row of one process: every event of it is in the list. Takes the times away from it.
[[nodiscard]] Row row_of(LocalEvents &events, std::size_t classes, bool use_dates, std::size_t all,
                         const Places &places);

} // namespace cpl_lb
