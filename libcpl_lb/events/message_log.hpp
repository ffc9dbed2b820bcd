// The messages behind the PUTs and GETs of a field on one process, in the order of its calls. From them terminate
// finds which calls of different processes are one exchange (docs/decisions/same_exchange.md).
#pragma once

#include "data/kinds.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A message: its partner's rank in the model's communicator, and how the call is related to it.
using LoggedMessage = std::uint32_t;
inline constexpr LoggedMessage logged_last = 1U << 31U; // last of its call, which is one event of the field
inline constexpr LoggedMessage logged_next =
    1U << 30U; // seen by a probe: the next message from there, still to be received
inline constexpr LoggedMessage logged_again = 1U << 29U; // the wait until the latest message to there was complete
inline constexpr LoggedMessage logged_peer = logged_again - 1;

struct MessageLog {
    Kind kind = Kind::undf;
    std::uint32_t field = 0; // of this process
    std::vector<LoggedMessage> messages;
};

// The field of a collective operation on this process. Its name ends with this word and the root's rank in the
// model.
inline constexpr std::string_view root_by_rank = "rank ";
struct RootOfField {
    std::uint32_t field = 0;
    int rank = 0;
};

} // namespace cpl_lb
