// What an event is shown as: (kind, field, counterpart), and the class of time it belongs to.
#pragma once

#include "data/events.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace cpl_lb {

// Computing is what is left. `away`: inside another component of the same process.
enum class TimeClass : std::uint8_t { receive, send, mapping, files, other, away };
inline constexpr std::size_t time_class_count = 6;
inline constexpr std::array<std::string_view, time_class_count> time_class_names = {"receive", "send",  "mapping",
                                                                                    "files",   "other", "away"};

[[nodiscard]] constexpr TimeClass time_class_of(Kind kind) {
    if (kind == Kind::get) return TimeClass::receive;
    if (kind == Kind::put) return TimeClass::send;
    if (is_mapping(kind)) return TimeClass::mapping;
    return is_output(kind) ? TimeClass::files : TimeClass::other;
}

// Not matching/catalogue.hpp's EventClass, which names the component, too.
struct ShownClass {
    Kind kind = Kind::undf;
    std::int32_t field = 0;       // id, 0: none
    std::int32_t counterpart = 0; // id, 0: none
};

class ShownClasses {
public:
    static constexpr std::size_t most = 65'000; // two bytes for each bin; later ones share the last
    [[nodiscard]] std::uint16_t number_of(const EventKey &key) {
        const auto [found, is_new] = numbers_.try_emplace(std::tuple(key.kind, key.field, key.counterpart),
                                                          static_cast<std::uint16_t>(list_.size()));
        if (is_new && list_.size() < most) list_.push_back({key.kind, key.field, key.counterpart});
        if (found->second >= list_.size()) found->second = static_cast<std::uint16_t>(list_.size() - 1);
        return found->second;
    }
    [[nodiscard]] const std::vector<ShownClass> &list() const { return list_; }

private:
    std::map<std::tuple<Kind, std::int32_t, std::int32_t>, std::uint16_t> numbers_;
    std::vector<ShownClass> list_;
};

} // namespace cpl_lb
