// Starts, wakes and ends the sleeping thread.
#include "meters/periodic_thread.hpp"

#include "support/default_float.hpp"

#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {

bool PeriodicThread::start(std::chrono::nanoseconds first_sleep, Action action) {
    action_ = std::move(action);
    process_ = getpid();
    // The new thread inherits the mask: the model's signals go to the model's threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = true;
    try {
        thread_ = std::thread([this, first_sleep] { loop(first_sleep); });
    } catch (const std::system_error &) {
        started = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!started) return false;
    sched_param none{};
    // Only when nobody else wants the processor. Refused: it sleeps all the same.
    static_cast<void>(pthread_setschedparam(thread_.native_handle(), SCHED_IDLE, &none));
    return true;
}

void PeriodicThread::loop(std::chrono::nanoseconds first_sleep) {
    const DefaultFloat ours; // a new thread has the environment of the one that made it
    std::unique_lock lock(mutex_);
    for (auto sleep = first_sleep; !wake_.wait_for(lock, sleep, [this] { return stopping_; });) {
        lock.unlock();
        sleep = action_();
        lock.lock();
    }
}

void PeriodicThread::stop() noexcept {
    if (!thread_.joinable()) return;
    if (getpid() != process_) {
        thread_.detach(); // there is nobody to wait for
        return;
    }
    // It has the lowest priority: awake it must not wait for a core that everybody else wants.
    sched_param none{};
    static_cast<void>(pthread_setschedparam(thread_.native_handle(), SCHED_OTHER, &none));
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

} // namespace cpl_lb
