// Workers take rows from one counter until none is left or one of them has failed.
#include "support/shared_rows.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
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
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
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

} // namespace cpl_lb
