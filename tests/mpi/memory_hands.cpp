// How one rank hands over to the next: as threads of which one holds the baton, or as fibres of one thread.
#include "tests/mpi/memory_state.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace cpl_lb::testing {

void MemoryWorld::State::run(std::function<void(int)> body) {
    body_ = std::move(body);
    if (setup_.fibres)
        run_fibres();
    else
        run_threads();
    if (thrown_) std::rethrow_exception(thrown_);
}

void MemoryWorld::State::live(int rank) {
    tell_who_runs(rank);
    try {
        body_(rank);
    } catch (const ProcessStopped &) {
        of(rank).stopped = true;
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
    }
    tell_who_runs(no_rank);
    of(rank).is = Rank::Is::over;
    ++over_;
}

void MemoryWorld::State::give_way(int rank) {
    const AsWorld as_world(*this);
    if (setup_.fibres) return switch_fibre(rank);
    std::unique_lock lock(baton_);
    hand_over(rank);
    of(rank).turn.wait(lock, [&] { return runs_ == rank; });
}

void MemoryWorld::State::run_threads() {
    start_threads();
    {
        std::unique_lock lock(baton_);
        hand_over(no_rank);
        all_over_.wait(lock, [&] { return over_ == setup_.ranks; });
    }
    for (const auto &rank : ranks_)
        pthread_join(rank->thread, nullptr);
}

void MemoryWorld::State::start_threads() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, setup_.stack_bytes);
    starts_.reserve(ranks_.size());
    for (int r = 0; r < setup_.ranks; ++r) {
        starts_.push_back({this, r});
        if (pthread_create(&of(r).thread, &attributes, &enter_thread, &starts_.back()) == 0) continue;
        std::fputs("no thread for a rank in memory\n", stderr);
        std::abort(); // those that were started could not be ended
    }
    pthread_attr_destroy(&attributes);
}

void *MemoryWorld::State::enter_thread(void *start) {
    const auto *s = static_cast<Start *>(start);
    State &state = *s->state;
    {
        std::unique_lock lock(state.baton_);
        state.of(s->rank).turn.wait(lock, [&] { return state.runs_ == s->rank; });
    }
    state.live(s->rank);
    const std::unique_lock lock(state.baton_);
    state.hand_over(s->rank);
    return nullptr;
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

// All stacks are one piece of memory, so that any number of them needs one entry in the kernel's table; pages that no
// rank touches cost nothing.
void MemoryWorld::State::run_fibres() {
    const std::size_t bytes = ranks_.size() * setup_.stack_bytes;
    void *stacks = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) throw std::bad_alloc();
    madvise(stacks, bytes, MADV_NOHUGEPAGE);
    starts_.reserve(ranks_.size());
    for (int r = 0; r < setup_.ranks; ++r) {
        starts_.push_back({this, r});
        ucontext_t &c = of(r).context;
        getcontext(&c);
        c.uc_stack.ss_sp = static_cast<std::byte *>(stacks) + static_cast<std::size_t>(r) * setup_.stack_bytes;
        c.uc_stack.ss_size = setup_.stack_bytes;
        const auto start = reinterpret_cast<std::uintptr_t>(&starts_.back());
        // The call takes integers only.
        makecontext(&c, reinterpret_cast<void (*)()>(&enter_fibre), 2, static_cast<unsigned>(start >> 32U),
                    static_cast<unsigned>(start));
    }
    switch_fibre(no_rank);
    munmap(stacks, bytes);
}

void MemoryWorld::State::enter_fibre(unsigned high, unsigned low) {
    const auto start = (static_cast<std::uintptr_t>(high) << 32U) | low;
    const auto *s = reinterpret_cast<const Start *>(start); // NOLINT(performance-no-int-to-ptr): see run_fibres()
    s->state->live(s->rank);
    s->state->switch_fibre(s->rank); // for good
}

void MemoryWorld::State::switch_fibre(int from) {
    runs_ = next_rank();
    if (runs_ == from) return;
    const auto context_of = [&](int rank) { return rank < 0 ? &outside_ : &of(rank).context; };
    swapcontext(context_of(from), context_of(runs_));
}

} // namespace cpl_lb::testing
