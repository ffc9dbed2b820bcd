// What a handle keeps lives until the recording thread deletes it, whoever frees the handle.
#include "profiling/kept.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace cpl_lb::profiling;

TEST_CASE("what other threads put aside is there until it is deleted") {
    constexpr int threads = 4, each = 1000;
    const auto shared = std::make_shared<int>(5);
    std::vector<std::thread> running;
    running.reserve(threads);
    for (int t = 0; t < threads; ++t) {
        running.emplace_back([&] {
            for (int i = 0; i < each; ++i)
                put_aside(static_cast<Kept *>(new KeptOf<int>(shared)));
        });
    }
    for (std::thread &thread : running)
        thread.join();
    CHECK(any_put_aside());
    CHECK(shared.use_count() == 1 + threads * each);
    delete_put_aside();
    CHECK(shared.use_count() == 1);
    CHECK_FALSE(any_put_aside());
}

TEST_CASE("a value of MPI's gives what was kept") {
    const auto shared = std::make_shared<int>(7);
    Kept *const value = new KeptOf<int>(shared);
    CHECK(kept_in<int>(value) == shared);
    put_aside(value);
    delete_put_aside();
}
