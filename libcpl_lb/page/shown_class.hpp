// How the page shows an event: the number of its (kind, field, counterpart), and the class of time it belongs to.
#pragma once

#include "data/events.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace cpl_lb {

// What is left is inside the component. `ending`: in the coupler's terminate, where processes wait for the others.
// `away`: inside another component of the same process.
enum class TimeClass : std::uint8_t { receive, send, sync, mapping, files, other, ending, away };
inline constexpr std::size_t time_class_count = 8;
inline constexpr std::array<std::string_view, time_class_count> time_class_names = {
    "receive", "send", "sync", "mapping", "files", "other", "ending", "away"};

[[nodiscard]] constexpr TimeClass time_class_of(Kind kind) {
    if (kind == Kind::get) return TimeClass::receive;
    if (kind == Kind::put) return TimeClass::send;
    if (kind == Kind::sync) return TimeClass::sync;
    if (is_mapping(kind)) return TimeClass::mapping;
    if (kind == Kind::term) return TimeClass::ending;
    return is_output(kind) ? TimeClass::files : TimeClass::other;
}

// Numbers what the page shows, over all components.
class ShownClasses {
public:
    static constexpr std::size_t most = 65'000; // two bytes for each bin; later ones share the last
    [[nodiscard]] std::uint16_t number_of(const EventKey &key) {
        const EventClass what{key.kind, key.field, key.counterpart};
        const auto [found, is_new] = numbers_.try_emplace(what, static_cast<std::uint16_t>(list_.size()));
        if (is_new && list_.size() < most) list_.push_back(what);
        if (found->second >= list_.size()) found->second = static_cast<std::uint16_t>(list_.size() - 1);
        return found->second;
    }
    [[nodiscard]] const std::vector<EventClass> &list() const { return list_; }

private:
    std::map<EventClass, std::uint16_t> numbers_;
    std::vector<EventClass> list_;
};

} // namespace cpl_lb
