// How long a process that waits for a message sleeps between two tests.
#pragma once

#include <algorithm>
#include <chrono>
#include <sched.h>
#include <thread>

namespace cpl_lb {

using SteadyTime = std::chrono::steady_clock::time_point;

// No wait is longer than a year, so that adding it to a time of the clock does not overflow.
inline constexpr double longest_wait_s = 3.2e7;

[[nodiscard]] inline SteadyTime deadline_in(double seconds) {
    const std::chrono::duration<double> bounded(std::clamp(seconds, 0.0, longest_wait_s));
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(bounded);
}

// Yields the processor a few times, then sleeps an eighth of the time waited so far. If it slept as long as it had
// waited, the other process would wait twice as long for the answer, and then sleep twice as long, and so on.
class Patience {
public:
    explicit Patience(std::chrono::microseconds longest_sleep, int yields = 64)
        : longest_(longest_sleep), yields_(yields) {}

    void pause() {
        if (yields_ > 0) {
            --yields_;
            sched_yield();
            return;
        }
        const auto waited = std::chrono::steady_clock::now() - begin_;
        std::this_thread::sleep_for(
            sleep_after(std::chrono::duration_cast<std::chrono::microseconds>(waited), longest_));
    }

    [[nodiscard]] static constexpr std::chrono::microseconds sleep_after(std::chrono::microseconds waited,
                                                                         std::chrono::microseconds longest) {
        return std::clamp(waited / 8, std::chrono::microseconds{20}, longest);
    }

private:
    std::chrono::microseconds longest_;
    SteadyTime begin_ = std::chrono::steady_clock::now();
    int yields_;
};

// Tests and sleeps until it is done or the deadline is over.
template <class Done>
bool wait_until(SteadyTime deadline, std::chrono::microseconds longest_sleep, Done done, int yields = 64) {
    Patience patience(longest_sleep, yields);
    while (!done()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        patience.pause();
    }
    return true;
}

} // namespace cpl_lb
