// The longest time that files held up this process: a process that comes too late for the others can then say why.
#pragma once

#include "support/clock.hpp"

#include <atomic>
#include <cstdint>

namespace cpl_lb {

// Lives as long as one step that reads or writes files and does not wait for other processes. Without thread_local:
// the system ends a process that has no memory for such a variable.
class HeldUp {
public:
    HeldUp() = default;
    ~HeldUp() {
        const std::uint64_t mine = monotonic_ns() - start_ns_;
        for (std::uint64_t most = longest_ns; mine > most && !longest_ns.compare_exchange_weak(most, mine);) {
        }
    }
    HeldUp(const HeldUp &) = delete;
    HeldUp &operator=(const HeldUp &) = delete;

    [[nodiscard]] static double longest_s() { return static_cast<double>(longest_ns.load()) * 1e-9; }

private:
    inline static std::atomic<std::uint64_t> longest_ns{0};
    std::uint64_t start_ns_ = monotonic_ns();
};

} // namespace cpl_lb
