// The shifts of all processes of a component (occurrence_shifts.hpp), if one program has all of their events: for a
// run that died, and in tests. At terminate run/live/agree_on_events.hpp does the same by messages.
#pragma once

#include "events/occurrence_shifts.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace cpl_lb {

struct Alignment {
    std::vector<ClassShifts> shifts;                 // of classes that processes recorded differently often
    std::vector<std::vector<std::uint32_t>> numbers; // of each process, as KeyRule::first; empty: all from 0

    [[nodiscard]] std::vector<std::uint32_t> first_of(std::size_t process) const {
        return numbers.empty() ? std::vector<std::uint32_t>() : numbers[process];
    }
    [[nodiscard]] std::int64_t shift(std::size_t process, const ClassShifts &of) const {
        return numbers[process][of.event_class] + of.least;
    }
};

// ranks: of the processes. events: gives those of a process; called at most three times for each.
[[nodiscard]] Alignment align_occurrences(std::size_t classes, const std::vector<std::int32_t> &ranks,
                                          const std::function<LocalEvents(std::size_t)> &events);

} // namespace cpl_lb
