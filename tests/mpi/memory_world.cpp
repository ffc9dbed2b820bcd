// The scheduler of the threads: one runs at a time, and time goes on when all wait.
#include "tests/mpi/memory_state.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cpl_lb::testing {
namespace {

constexpr std::int64_t least_pause_ns = 1'000;
constexpr std::int64_t calls_of_an_endless_loop = 200'000'000;

} // namespace

MemoryWorld::State::State(WorldSetup setup) : setup_(std::move(setup)), random_(setup_.seed) {
    for (int r = 0; r < setup_.ranks; ++r) {
        ranks_.push_back(std::make_unique<Rank>());
        if (setup_.clock) of(r).clock = setup_.clock(r);
        const auto late = setup_.starts_at_ns.find(r);
        if (late == setup_.starts_at_ns.end()) {
            ready_.push_back(r);
        } else {
            put_to_sleep(r, late->second, true);
        }
    }
}

void MemoryWorld::State::run(std::function<void(int)> body) {
    body_ = std::move(body);
    start_threads();
    {
        std::unique_lock lock(baton_);
        hand_over(-1);
        all_over_.wait(lock, [&] { return over_ == setup_.ranks; });
    }
    for (const auto &rank : ranks_)
        pthread_join(rank->thread, nullptr);
    if (thrown_) std::rethrow_exception(thrown_);
}

void MemoryWorld::State::start_threads() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, setup_.stack_bytes);
    starts_.reserve(ranks_.size());
    for (int r = 0; r < setup_.ranks; ++r) {
        starts_.push_back({this, r});
        if (pthread_create(&of(r).thread, &attributes, &enter, &starts_.back()) == 0) continue;
        std::fputs("no thread for a rank in memory\n", stderr);
        std::abort(); // those that were started could not be ended
    }
    pthread_attr_destroy(&attributes);
}

void *MemoryWorld::State::enter(void *start) {
    const auto *s = static_cast<Start *>(start);
    s->state->live(s->rank);
    return nullptr;
}

void MemoryWorld::State::live(int rank) {
    {
        std::unique_lock lock(baton_);
        of(rank).turn.wait(lock, [&] { return runs_ == rank; });
    }
    try {
        body_(rank);
    } catch (const ProcessStopped &) {
        of(rank).stopped = true;
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
    }
    const std::unique_lock lock(baton_);
    of(rank).is = Rank::Is::over;
    ++over_;
    hand_over(rank);
}

// With the baton in hand. Whom it goes to runs as soon as the baton is let go.
void MemoryWorld::State::hand_over(int from) {
    runs_ = next_rank();
    if (runs_ < 0) {
        all_over_.notify_all();
    } else if (runs_ != from) {
        of(runs_).turn.notify_one();
    }
}

int MemoryWorld::State::next_rank() {
    deliver_due();
    while (ready_.empty()) {
        if (over_ == setup_.ranks) return -1;
        go_on_to_next_time();
    }
    const std::size_t at = random_() % ready_.size();
    const int rank = ready_[at];
    ready_[at] = ready_.back();
    ready_.pop_back();
    return rank;
}

void MemoryWorld::State::go_on_to_next_time() {
    std::int64_t next = asleep_.empty() ? on_the_way_.top()->arrives_ns : asleep_.begin()->first;
    if (!on_the_way_.empty()) next = std::min(next, on_the_way_.top()->arrives_ns);
    now_ns_ = std::max(now_ns_, next);
    deliver_due();
    while (!asleep_.empty() && asleep_.begin()->first <= now_ns_)
        wake(asleep_.begin()->second);
}

void MemoryWorld::State::wake(int rank) {
    Rank &r = of(rank);
    asleep_.erase({r.wakes_ns, rank});
    r.is = Rank::Is::ready;
    ready_.push_back(rank);
}

void MemoryWorld::State::put_to_sleep(int rank, std::int64_t until_ns, bool deaf) {
    Rank &r = of(rank);
    r.is = Rank::Is::asleep;
    r.deaf = deaf;
    r.wakes_ns = std::max(until_ns, now_ns_ + least_pause_ns);
    asleep_.emplace(r.wakes_ns, rank);
}

void MemoryWorld::State::sleep_until(int rank, std::int64_t until_ns) {
    Rank &r = of(rank);
    if (!r.news) {
        std::unique_lock lock(baton_);
        put_to_sleep(rank, until_ns, false);
        hand_over(rank);
        r.turn.wait(lock, [&] { return runs_ == rank; });
    }
    r.news = false;
}

void MemoryWorld::State::count_call(int rank) {
    Rank &r = of(rank);
    if (++r.calls > calls_of_an_endless_loop) {
        std::fprintf(stderr, "rank %d goes round without an end (seed %llu)\n", rank,
                     static_cast<unsigned long long>(setup_.seed));
        std::abort();
    }
    if (const auto at = setup_.stops.find(rank); at != setup_.stops.end() && r.calls > at->second)
        throw ProcessStopped{};
    if (const auto at = setup_.stalls.find(rank); at != setup_.stalls.end() && r.calls == at->second.after_calls) {
        std::unique_lock lock(baton_);
        put_to_sleep(rank, now_ns_ + at->second.for_ns, true);
        hand_over(rank);
        r.turn.wait(lock, [&] { return runs_ == rank; });
    }
}

} // namespace cpl_lb::testing
