// A thread that sleeps nearly always. All signals are blocked in it, its priority is the lowest, and it uses no MPI.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace cpl_lb {

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
