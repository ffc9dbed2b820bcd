// Work on a thread that can be left behind.
#include "support/threads.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <pthread.h>
#include <stdexcept>
#include <thread>

using namespace cpl_lb;

TEST_CASE("work that ends in time: its result and its exception are here") {
    int value = 0;
    CHECK(done_within(1e9, [&] { value = 7; }));
    CHECK(value == 7);
    CHECK_THROWS_WITH(done_within(60, [] { throw std::runtime_error("disk is full"); }), "disk is full");
}

TEST_CASE("work that takes too long is left behind, and its memory lives on with it") {
    struct Owned {
        std::atomic<bool> go{false}, ended{false};
    };
    const auto owned = std::make_shared<Owned>();
    const std::weak_ptr<Owned> seen = owned;
    CHECK_FALSE(done_within(0.05, [owned] {
        while (!owned->go)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        owned->ended = true;
        throw std::runtime_error("nobody listens any more");
    }));
    CHECK_FALSE(owned->ended);
    CHECK(seen.use_count() == 2);
    owned->go = true;
    while (seen.use_count() > 1) // until the thread has freed it
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(owned->ended);
}

TEST_CASE("no signal of the model is handled there, and its mask is as before") {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    int blocked = -1;
    CHECK(done_within(60, [&] {
        sigset_t mine;
        pthread_sigmask(SIG_SETMASK, nullptr, &mine);
        blocked = sigismember(&mine, SIGUSR1);
    }));
    CHECK(blocked == 1);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    CHECK(sigismember(&after, SIGUSR1) == sigismember(&before, SIGUSR1));
}
