// MPI's messages between the processes of a component, and those for the fields of its exchanges
// (docs/definitions.md, section 8). Known if MPI was recorded (cpl-lb-record).
#pragma once

#include "data/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The messages of the exchanges of one field that the processes of a component sent.
struct FieldTraffic {
    std::string name, counterpart;
    std::int64_t messages = 0, bytes = 0;
};

// Fields that stand for exchanges in which MPI does not show who waits (cpl_lb_inside.h): their messages are marks.
inline constexpr std::string_view window_accesses = "window accesses", shared_memory = "shared memory";
[[nodiscard]] inline bool is_of_windows(const FieldTraffic &field) {
    return field.name == window_accesses || field.name == shared_memory;
}

// From the processes of one group to those of another.
struct GroupPair {
    std::int32_t from = 0, to = 0;
    std::int64_t messages = 0, bytes = 0;
    double waited_s = 0; // by the receivers
};

// A process for whose messages others wait.
struct WaitedFor {
    std::int32_t process = 0;
    std::int32_t by = 0;    // so many processes
    std::int64_t waits = 0; // of all of them
    double waited_s = 0;    // a wait for several processes is divided among these
    double with_others_s = 0;
    double in_loop_s = 0; // of with_others_s, at least
};

inline constexpr std::int32_t most_traffic_groups = 64;
inline constexpr std::size_t most_waited_for = 5;

struct InsideTraffic {
    std::int32_t groups = 0;             // of consecutive processes; 0: the figures are unknown
    std::vector<GroupPair> pairs;        // those that have any, in the order of `from`, then of `to`
    std::vector<WaitedFor> waited_for;   // up to five: with the largest in_loop_s, the largest first
    std::int64_t messages_to_others = 0; // to partners for whom a process had no room

    [[nodiscard]] bool known() const { return groups > 0; }
    [[nodiscard]] GroupPair sum() const {
        GroupPair all;
        for (const GroupPair &pair : pairs) {
            all.messages += pair.messages;
            all.bytes += pair.bytes;
            all.waited_s += pair.waited_s;
        }
        return all;
    }
};

// One group for each process, if they are few.
[[nodiscard]] constexpr std::int32_t traffic_groups(std::int64_t processes) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(processes, most_traffic_groups));
}
[[nodiscard]] constexpr std::int32_t traffic_group_of(std::int64_t process, std::int64_t processes) {
    return static_cast<std::int32_t>(process * traffic_groups(processes) / processes);
}
[[nodiscard]] constexpr std::int64_t first_of_traffic_group(std::int64_t group, std::int64_t processes) {
    const std::int64_t groups = traffic_groups(processes);
    return (group * processes + groups - 1) / groups;
}

} // namespace cpl_lb
