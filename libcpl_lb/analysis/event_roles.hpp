// The role of a class of events in the figures of the coupling loop, looked up once for each class, and sets of
// events.
#pragma once

#include "analysis/nesting.hpp"
#include "data/event_keys.hpp"
#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

class EventRoles {
public:
    enum class Role : std::uint8_t { none, put, get, sync, mapping, output, restart, other };

    // `keys` outlives this object, and its classes do not change.
    explicit EventRoles(const EventKeys &keys);

    [[nodiscard]] std::size_t size() const { return class_of_.size(); }
    [[nodiscard]] Role role(EventIndex k) const { return classes_[class_of_[k]].role; }
    [[nodiscard]] std::uint32_t counterpart(EventIndex k) const { return classes_[class_of_[k]].counterpart; }
    [[nodiscard]] bool is_exchange(EventIndex k) const { return is_exchange(role(k)); }
    [[nodiscard]] static bool is_exchange(Role role) { return role >= Role::put && role <= Role::sync; }
    [[nodiscard]] bool is_operation(EventIndex k) const {
        return role(k) >= Role::mapping && role(k) <= Role::restart;
    }

    // Whether there are events with these roles; a class without events does not count.
    [[nodiscard]] bool any_operation() const { return any_operation_; }
    [[nodiscard]] bool any_other_kind() const { return any_other_kind_; } // of a kind that can lie inside an exchange
    [[nodiscard]] std::uint32_t highest_counterpart() const { return highest_counterpart_; }

private:
    struct Class {
        Role role = Role::none;
        std::uint32_t counterpart = 0;
    };
    std::vector<Class> classes_;
    std::span<const std::uint32_t> class_of_;
    bool any_operation_ = false, any_other_kind_ = false;
    std::uint32_t highest_counterpart_ = 0; // among exchanges
};

// Event k is bit k % 64 of word k / 64.
using EventSet = std::vector<std::uint64_t>;
[[nodiscard]] inline EventSet no_events(std::size_t of) {
    return EventSet((of + 63) / 64);
}
inline void insert(EventSet &set, EventIndex k) {
    set[k / 64] |= std::uint64_t{1} << k % 64;
}
[[nodiscard]] inline bool contains(const EventSet &set, EventIndex k) {
    return (set[k / 64] >> k % 64 & 1U) != 0;
}

// Both functions use [S_k, E_k], the time in which no process of the event waits for another one of it.
[[nodiscard]] constexpr bool lies_in(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start >= interval.start && span.last_stop <= interval.stop;
}

// An event without length touches the interval that it lies in; the end of an interval belongs to the next one.
[[nodiscard]] constexpr bool touches(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start < interval.stop &&
           (span.last_stop > interval.start || span.last_start >= interval.start);
}

} // namespace cpl_lb
