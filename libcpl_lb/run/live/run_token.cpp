// Files of two runs on one node must not meet, whatever the users call their runs: time, process and random bits.
#include "run/live/run_token.hpp"

#include "support/fmt.hpp"

#include <cstdint>
#include <ctime>
#include <exception>
#include <random>
#include <unistd.h>

namespace cpl_lb {

std::string new_token() {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    auto bits = static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
    bits ^= static_cast<std::uint64_t>(getpid()) << 48U;
    try {
        bits ^= static_cast<std::uint64_t>(std::random_device()()) << 16U;
    } catch (const std::exception &) { // no source of randomness: the time and the process will do
    }
    return fmt::format("{:016x}", bits);
}

} // namespace cpl_lb
