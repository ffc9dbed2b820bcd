// Takes samples when they are due; when the series is full it drops every other one.
#include "meters/sampler.hpp"

#include "support/default_float.hpp"

#include <algorithm>
#include <csignal>
#include <limits>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cpl_lb {

Sampler::Sampler(std::vector<Reader *> readers, Nanoseconds least_interval, std::size_t capacity,
                 Nanoseconds (*clock)() noexcept)
    : readers_(std::move(readers)), least_interval_(least_interval), next_(std::numeric_limits<Nanoseconds>::min()),
      capacity_(std::max<std::size_t>(capacity, 2)), clock_(clock) {
    for (const Reader *reader : readers_) {
        quantities_.insert(quantities_.end(), reader->quantities().begin(), reader->quantities().end());
    }
    times_.resize(capacity_);
    values_.resize(capacity_ * quantities_.size());
    latest_.assign(quantities_.size(), unknown);
    if (readers_.empty()) next_ = std::numeric_limits<Nanoseconds>::max(); // never due
}

void Sampler::sample(Nanoseconds now) noexcept {
    const Nanoseconds before = clock_();
    std::span<double> row(latest_);
    for (Reader *reader : readers_) {
        const std::size_t count = reader->quantities().size();
        reader->read(row.first(count));
        row = row.subspan(count);
    }
    // From now, not from the last due time: after a long silence there is one sample, not many at once.
    next_ = now + least_interval_;
    if (samples_ % keep_every_ == 0) keep(now);
    ++samples_;
    cost_ += clock_() - before;
}

void Sampler::keep(Nanoseconds now) noexcept {
    if (kept_ == capacity_) {
        drop_every_second();
        // This one lies on the coarser grid only when it is an even multiple of the finer.
        if (samples_ % keep_every_ != 0) return;
    }
    times_[kept_] = now;
    std::copy(latest_.begin(), latest_.end(), values_.begin() + static_cast<std::ptrdiff_t>(kept_ * latest_.size()));
    ++kept_;
}

void Sampler::drop_every_second() noexcept {
    const std::size_t width = latest_.size();
    std::size_t to = 0;
    for (std::size_t from = 0; from < kept_; from += 2, ++to) {
        times_[to] = times_[from];
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(from * width);
        std::copy(first, first + static_cast<std::ptrdiff_t>(width),
                  values_.begin() + static_cast<std::ptrdiff_t>(to * width));
    }
    kept_ = to;
    keep_every_ *= 2;
}

void Sampler::finish(Nanoseconds now) noexcept {
    if (readers_.empty()) return;
    sample(now);
    if (kept_ > 0 && times_[kept_ - 1] == now) return;
    if (kept_ == capacity_) --kept_; // the one before gives way to the last
    keep(now);
}

double Sampler::mean_cost_ns() const noexcept {
    return samples_ > 0 ? static_cast<double>(cost_) / static_cast<double>(samples_) : unknown;
}

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
