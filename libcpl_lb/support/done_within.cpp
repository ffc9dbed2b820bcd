// Starts the thread, waits for it, and joins or leaves it.
#include "support/done_within.hpp"

#include "support/default_float.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double longest_s = 1e8; // three years: the clock counts nanoseconds in 64 bits

// Both sides hold it, and the last of them frees it.
struct Errand {
    std::function<void()> work;
    std::exception_ptr failure{};
    std::mutex mutex{};
    std::condition_variable ended{};
    bool done = false;
};

void run(Errand &errand) {
    const DefaultFloat ours; // a new thread has the environment of the one that made it
    std::exception_ptr failure;
    try {
        errand.work();
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(errand.mutex);
    errand.failure = std::move(failure);
    errand.done = true;
    errand.ended.notify_all();
}

// Not joinable: the system gives none.
std::thread started(const std::shared_ptr<Errand> &errand) {
    // The new thread inherits the mask: the model's signals go to the model's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread;
    try {
        thread = std::thread([errand] { run(*errand); });
    } catch (const std::exception &) { // no thread, or no memory for one
        thread = {};
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

} // namespace

bool done_within(double seconds, std::function<void()> work) {
    const auto errand = std::make_shared<Errand>();
    errand->work = std::move(work);
    std::thread thread = started(errand);
    if (!thread.joinable()) {
        errand->work();
        return true;
    }
    const auto patience =
        std::chrono::nanoseconds(static_cast<std::int64_t>(std::clamp(seconds, 0.0, longest_s) * 1e9));
    std::unique_lock lock(errand->mutex);
    const bool done = errand->ended.wait_for(lock, patience, [&] { return errand->done; });
    lock.unlock();
    if (!done) {
        thread.detach();
        return false;
    }
    thread.join(); // it has nothing more to do
    if (errand->failure) std::rethrow_exception(errand->failure);
    return true;
}

} // namespace cpl_lb
