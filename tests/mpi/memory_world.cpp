// The scheduler: one rank runs at a time, and time goes on when all wait.
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
        put_to_sleep(rank, until_ns, false);
        give_way(rank);
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
        put_to_sleep(rank, now_ns_ + at->second.for_ns, true);
        give_way(rank);
    }
}

} // namespace cpl_lb::testing
