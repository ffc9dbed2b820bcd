// Whether the program, or an adapter in it, calls cpl_lb itself: these calls then give the exchanges.
#pragma once

#include <cstdint>

namespace cpl_lb::profiling {

enum class OwnCalls : std::uint8_t {
    none,
    of_the_library, // of the library that records MPI, too
    of_a_copy       // of a copy linked statically into the program or one of its libraries
};

[[nodiscard]] OwnCalls own_calls();

} // namespace cpl_lb::profiling
