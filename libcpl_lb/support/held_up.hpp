// How long files held up this thread: whoever comes too late for the others can then say why.
#pragma once

#include "support/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace cpl_lb {

// Lives as long as one step that reads or writes files and does not wait for other processes.
class HeldUp {
public:
    HeldUp() = default;
    ~HeldUp() { longest_ns = std::max(longest_ns, monotonic_ns() - start_ns_); }
    HeldUp(const HeldUp &) = delete;
    HeldUp &operator=(const HeldUp &) = delete;

    [[nodiscard]] static double longest_s() { return static_cast<double>(longest_ns) * 1e-9; }

private:
    inline static thread_local std::uint64_t longest_ns = 0;
    std::uint64_t start_ns_ = monotonic_ns();
};

} // namespace cpl_lb
