// Starts the thread, waits for it, and joins or leaves it.
#include "support/done_within.hpp"

#include "support/default_float.hpp"
#include "support/stay_loaded.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double longest_patience_s = 1e8;   // three years: the clock counts nanoseconds in 64 bits
constexpr std::size_t stack_bytes = 262'144; // what the work needs, many times

struct Errand {
    std::function<void()> work;
    std::exception_ptr failure{};
    std::mutex mutex{};
    std::condition_variable ended{};
    bool done = false;
    bool left_behind = false; // the thread frees it
};

// The thread itself allocates and frees nothing: its first allocation would reserve 64 MiB of address space.
extern "C" void *run_errand(void *of) {
    const DefaultFloat ours; // a new thread has the environment of the one that made it
    auto *errand = static_cast<Errand *>(of);
    try {
        errand->work();
    } catch (...) {
        errand->failure = std::current_exception();
    }
    std::unique_lock lock(errand->mutex);
    errand->done = true;
    errand->ended.notify_all();
    const std::unique_ptr<Errand> mine(errand->left_behind ? errand : nullptr);
    lock.unlock(); // before it is freed
    return nullptr;
}

bool start(pthread_t &thread, Errand *errand) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    // The new thread inherits the mask: the model's signals go to the model's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // A model with large variables of its threads has no room for them in a small stack.
    const bool started = (pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                          pthread_create(&thread, &attributes, run_errand, errand) == 0) ||
                         pthread_create(&thread, nullptr, run_errand, errand) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started;
}

} // namespace

bool done_within(double seconds, std::function<void()> work) {
    auto errand = std::make_unique<Errand>();
    errand->work = std::move(work);
    pthread_t thread{};
    if (!start(thread, errand.get())) {
        errand->work();
        return true;
    }
    const auto patience =
        std::chrono::nanoseconds(static_cast<std::int64_t>(std::clamp(seconds, 0.0, longest_patience_s) * 1e9));
    std::unique_lock lock(errand->mutex);
    errand->left_behind = !errand->ended.wait_for(lock, patience, [&] { return errand->done; });
    if (errand->left_behind) {
        stay_loaded();
        pthread_detach(thread);
        static_cast<void>(errand.release()); // before the thread can free it
        lock.unlock();
        return false;
    }
    lock.unlock();
    pthread_join(thread, nullptr); // it has nothing more to do
    if (errand->failure) std::rethrow_exception(errand->failure);
    return true;
}

} // namespace cpl_lb
