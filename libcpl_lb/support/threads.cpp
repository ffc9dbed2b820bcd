// Workers take rows from one counter until none is left or one of them has failed.
#include "support/threads.hpp"

#include "support/default_float.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t bytes_of_all = std::size_t{96} << 20U;

class Rows {
public:
    Rows(std::int64_t rows, std::int64_t height, const RowWork &work) : rows_(rows), height_(height), work_(work) {}

    // The work of one worker, until there is nothing left or somebody has failed.
    template <class Done>
    void work(std::size_t worker, Done &&done) {
        while (!failed_) {
            const std::int64_t first = next_.fetch_add(height_);
            if (first >= rows_) return;
            try {
                work_(worker, first, std::min(height_, rows_ - first));
            } catch (...) {
                note_failure(first);
            }
            done(std::min(first + height_, rows_));
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    // Rows are taken in ascending order: nobody who comes later can meet a lower one.
    void note_failure(std::int64_t row) {
        const std::lock_guard lock(mutex_);
        failed_ = true;
        if (row >= failed_at_) return;
        failed_at_ = row;
        failure_ = std::current_exception();
    }

    std::int64_t rows_, height_;
    const RowWork &work_;
    std::atomic<std::int64_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::int64_t failed_at_ = std::numeric_limits<std::int64_t>::max();
    std::exception_ptr failure_;
};

} // namespace

std::size_t row_workers(std::int64_t rows, std::size_t bytes_of_each) {
    static const std::size_t cores = std::max(1U, std::thread::hardware_concurrency()); // asks the kernel
    const std::size_t most = std::min(cores, bytes_of_all / std::max<std::size_t>(bytes_of_each, 1));
    return std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(std::max<std::int64_t>(rows, 1)));
}

void share_rows(std::int64_t rows, std::int64_t height, std::size_t workers, const Progress &progress,
                const RowWork &work) {
    Rows shared(rows, height, work);
    {
        std::vector<std::jthread> threads;
        try {
            for (std::size_t worker = 1; worker < workers; ++worker)
                threads.emplace_back([&shared, worker] { shared.work(worker, [](std::int64_t) {}); });
        } catch (const std::system_error &) { // those that there are will do
        }
        shared.work(0, [&](std::int64_t row) {
            if (progress) progress(row, rows);
        });
    } // joins
    shared.rethrow();
}

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
