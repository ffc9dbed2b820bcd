// Counts messages of each kind, field and process.
#include "profiling/occurrences.hpp"

#include <algorithm>

namespace cpl_lb::profiling {

bool Occurrences::begins(int kind, const Crossing &message) {
    if (message.process < 0) return true;
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(kind)) << 32U |
                     static_cast<std::uint32_t>(message.field);
    Field &field = fields_[key];
    std::int64_t &last = field.last[message.process];
    last = std::max(last + 1, field.newest - most_behind);
    if (last <= field.newest) return false;
    field.newest = last;
    return true;
}

} // namespace cpl_lb::profiling
