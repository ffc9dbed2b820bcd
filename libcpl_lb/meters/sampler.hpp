// A bounded series of samples of some readers. The hot path pays one comparison: due(). And the thread that takes
// samples while no event comes.
//
// The readers are read at least_interval during the whole run, because some counters wrap. When the memory for
// samples is full, every second kept sample is dropped, and from then on only every second one is kept. This repeats,
// so the series is always evenly spaced and between half full and full.
#pragma once

#include "data/time.hpp"
#include "meters/reader.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace cpl_lb {

class Sampler {
public:
    // `readers` are open and outlive the sampler. `capacity` samples are kept, at least 2; all memory is taken here.
    // `clock` only measures what sampling costs.
    Sampler(std::vector<Reader *> readers, Nanoseconds least_interval, std::size_t capacity,
            Nanoseconds (*clock)() noexcept);

    [[nodiscard]] bool due(Nanoseconds now) const noexcept { return now >= next_; }
    // Takes a sample if one is due. `now` is on any clock and never goes back.
    void offer(Nanoseconds now) noexcept {
        if (due(now)) sample(now);
    }
    // Takes the last sample of the run, even if none is due, and keeps it at any spacing.
    void finish(Nanoseconds now) noexcept;

    // One row of all quantities for each kept sample.
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept { return quantities_; }
    [[nodiscard]] std::span<const Nanoseconds> times() const noexcept { return {times_.data(), kept_}; }
    [[nodiscard]] std::span<const double> values(std::size_t sample) const noexcept {
        return {values_.data() + sample * quantities_.size(), quantities_.size()};
    }
    // The values of the latest sample, kept or not; NaN before the first.
    [[nodiscard]] std::span<const double> latest() const noexcept { return latest_; }

    [[nodiscard]] std::int64_t samples() const noexcept { return samples_; } // taken, whether kept or not
    [[nodiscard]] double mean_cost_ns() const noexcept;                      // of one sample; NaN before the first

private:
    void sample(Nanoseconds now) noexcept;
    void keep(Nanoseconds now) noexcept;
    void drop_every_second() noexcept;

    std::vector<Reader *> readers_;
    Nanoseconds least_interval_, next_;
    std::size_t capacity_, kept_ = 0;
    Nanoseconds (*clock_)() noexcept;
    std::vector<Quantity> quantities_;
    std::vector<Nanoseconds> times_;
    std::vector<double> values_, latest_;
    std::int64_t samples_ = 0;
    std::int64_t keep_every_ = 1;
    Nanoseconds cost_ = 0;
};

// A thread that sleeps nearly always. All signals are blocked in it, its priority is the lowest, and it uses no MPI.
class PeriodicThread {
public:
    // Calls `action` from the thread and sleeps as long as it says, again and again.
    using Action = std::function<std::chrono::nanoseconds()>;

    PeriodicThread() = default;
    ~PeriodicThread() { stop(); }
    PeriodicThread(const PeriodicThread &) = delete;
    PeriodicThread &operator=(const PeriodicThread &) = delete;

    // False: the system gives no thread. `action` must not throw.
    [[nodiscard]] bool start(std::chrono::nanoseconds first_sleep, Action action);
    // Returns when `action` is not running and never will again.
    void stop() noexcept;

private:
    void loop(std::chrono::nanoseconds first_sleep);

    Action action_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
    pid_t process_ = 0; // that has the thread: a forked child has not
};

} // namespace cpl_lb
