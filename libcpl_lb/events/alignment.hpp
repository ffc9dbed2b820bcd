// The shifts of all processes of a component (occurrence_shifts.hpp), if one program has all of their events: for a
// run that died, and in tests. At terminate run/live/agree_on_events.hpp does the same by messages.
#pragma once

#include "events/occurrence_shifts.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace cpl_lb {

struct AlignmentInput {
    std::size_t classes = 0;
    std::vector<std::int32_t> ranks;                // of the processes
    std::vector<std::vector<RecordedCount>> counts; // of each process
    std::function<LocalEvents(std::size_t)> events; // gives the events of a process; called at most twice for each
};

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

[[nodiscard]] Alignment align_occurrences(const AlignmentInput &input);

} // namespace cpl_lb
