// Looks up, once for each class of events, which figures it counts for and who its counterpart is.
#include "analysis/event_roles.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

EventRoles::Role role_of(Kind kind) {
    using Role = EventRoles::Role;
    if (kind == Kind::put) return Role::put;
    if (kind == Kind::get) return Role::get;
    if (kind == Kind::sync) return Role::sync;
    if (is_mapping(kind)) return Role::mapping;
    if (is_restart(kind)) return Role::restart;
    if (is_output(kind)) return Role::output;
    return kind == Kind::term ? Role::none : Role::other;
}

} // namespace

EventRoles::EventRoles(const EventKeys &keys) : class_of_(keys.of_events()) {
    for (const EventClass &c : keys.classes())
        classes_.push_back({role_of(c.kind), static_cast<std::uint32_t>(std::max(c.counterpart, 0))});
    std::vector<std::uint8_t> has_events(classes_.size());
    for (const std::uint32_t c : class_of_)
        has_events[c] = 1;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        const Role role = classes_[c].role;
        if (has_events[c] == 0 || role == Role::none) continue;
        if (is_exchange(role))
            highest_counterpart_ = std::max(highest_counterpart_, classes_[c].counterpart);
        else
            any_other_kind_ = true;
        any_operation_ = any_operation_ || (!is_exchange(role) && role != Role::other);
    }
}

} // namespace cpl_lb
