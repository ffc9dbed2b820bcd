// Rows of many events for tests of the way to the timeline.
#pragma once

#include "data/events.hpp"
#include "tests/mpi/cases.hpp"

namespace cpl_lb::testing {

// Starts of many events: more than the 32768 of one piece.
inline Row long_row(std::uint64_t seed, int rank, std::size_t events) {
    Row row;
    for (std::size_t k = 0; k < events; ++k) {
        const Nanoseconds start =
            static_cast<Nanoseconds>(k) * 100 + static_cast<Nanoseconds>(figure_at(seed, rank, k) % 40);
        row.start.push_back(start);
        row.stop.push_back(start + static_cast<Nanoseconds>(figure_at(seed, rank, k) % 7));
    }
    row.away = {{rank, rank + 1}};
    return row;
}

} // namespace cpl_lb::testing
