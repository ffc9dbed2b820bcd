// Finds which occurrence on one process is which on the others, if they recorded an event without dates differently
// often (docs/definitions.md, section 1; docs/decisions/same_exchange.md).
#pragma once

#include "events/event_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// A number of processes recorded this class this number of times.
struct RecordedCount {
    std::uint32_t event_class = 0;
    std::uint32_t occurrences = 0;
    std::int64_t processes = 1;
};

// The counts of one process, ascending by class, without classes that it did not record.
[[nodiscard]] std::vector<RecordedCount> recorded_counts(const LocalEvents &events, std::size_t classes);
// Both ascend by class, and by occurrences within a class. Keeps the 16 most frequent numbers of each class.
void unite(std::vector<RecordedCount> &mine, const std::vector<RecordedCount> &theirs);
// The classes that processes recorded differently often, each with the most frequent number. If several numbers are
// equally frequent, it is the smallest.
[[nodiscard]] std::vector<RecordedCount> usual_counts(const std::vector<RecordedCount> &all);

// The starts and stops of one occurrence on the processes that recorded the usual number.
struct OccurrenceExtent {
    Nanoseconds first_start = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last_start = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds first_stop = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last_stop = std::numeric_limits<Nanoseconds>::min();

    void add(const OccurrenceExtent &other) {
        first_start = std::min(first_start, other.first_start);
        last_start = std::max(last_start, other.last_start);
        first_stop = std::min(first_stop, other.first_stop);
        last_stop = std::max(last_stop, other.last_stop);
    }
};

// The events of a process by class, without copies of their times. `events` outlives this object.
class EventsByClass {
public:
    EventsByClass(const LocalEvents &events, std::size_t classes);

    [[nodiscard]] std::size_t count(std::uint32_t event_class) const {
        return first_[event_class + 1] - first_[event_class];
    }
    [[nodiscard]] OccurrenceExtent extent(std::uint32_t event_class, std::size_t occurrence) const {
        const std::uint32_t i = events_of_[first_[event_class] + occurrence];
        return {events_.start[i], events_.start[i], events_.stop[i], events_.stop[i]};
    }
    // Adds the first occurrences of the class, one to each extent.
    void add_to(std::span<OccurrenceExtent> extents, std::uint32_t event_class) const;

private:
    const LocalEvents &events_;
    std::vector<std::size_t> first_; // by class: its first place in events_of_
    std::vector<std::uint32_t> events_of_;
};

// The shift: occurrence n of the process is occurrence n + shift of the others. The shorter of the two sequences lies
// wholly on the longer one, and the jitter of starts and stops grows least. If several shifts are as good, it is the
// one nearest to zero. usual: the usual number; extents: those of the first occurrences, of all if memory allows.
[[nodiscard]] std::int64_t shift_of(const EventsByClass &events, std::uint32_t event_class, std::size_t usual,
                                    std::span<const OccurrenceExtent> extents);

// All shifts of one class but zero, on the processes met so far.
struct ClassShifts {
    struct Processes {
        std::int32_t count = 0;
        std::int32_t lowest_rank = std::numeric_limits<std::int32_t>::max();
        std::int64_t occurrences = 0; // sum
        friend bool operator==(const Processes &, const Processes &) = default;
    };
    std::uint32_t event_class = 0;
    std::int64_t least = 0; // shift, 0 included
    Processes more, fewer;  // than usual at the beginning

    void add(std::int64_t shift, std::int32_t rank);
    void add(const ClassShifts &other);
    friend bool operator==(const ClassShifts &, const ClassShifts &) = default;
};

// A remark on a class, in words, without who and how often.
struct ShiftRemark {
    std::string cause;
    ClassShifts::Processes processes;
};
[[nodiscard]] std::vector<ShiftRemark> shift_remarks(const std::vector<ClassShifts> &shifts,
                                                     const Catalogue &catalogue);

} // namespace cpl_lb
