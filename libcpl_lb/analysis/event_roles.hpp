// The role of a class of events in the figures of the coupling loop, looked up once for each class.
#pragma once

#include "analysis/nesting.hpp"
#include "data/event_keys.hpp"

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

    // Whether events have these roles; a class without events does not count.
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

} // namespace cpl_lb
