// The run-time manager through its C interface, as a model that times itself calls it. No MPI_Init, no namelist.
#include <cpl_lb/cpl_lb_manager.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

namespace {

// Two components that meet at the end of the cycle.
int give(int manager, double first_s, double second_s) {
    const std::array<double, 4> first = {first_s, 1, 2, 0}, second = {second_s, 1, 1, 0};
    if (const int code = cpl_lb_manager_times(manager, 1, first.data(), 4); code != 0) return code;
    return cpl_lb_manager_times(manager, 2, second.data(), 4);
}

} // namespace

TEST_CASE("100/p and 50/q on 12 processes: 8 and 4, and at rest") {
    const int manager = cpl_lb_manager_new(2, 12, CPL_LB_DIRECT);
    REQUIRE(manager >= 1);
    double predicted_s = 0;
    CHECK(cpl_lb_manager_state(manager, &predicted_s, nullptr, nullptr, nullptr) == 0);
    CHECK(std::isnan(predicted_s));
    std::array<int, 2> counts = {6, 6};
    REQUIRE(give(manager, 100. / 6, 50. / 6) == 0);
    CHECK(cpl_lb_manager_next(manager, 100. / 6, counts.data()) == 1);
    CHECK(counts == std::array<int, 2>{8, 4});
    REQUIRE(give(manager, 12.5, 12.5) == 0);
    CHECK(cpl_lb_manager_next(manager, 12.5, counts.data()) == 0);
    int reallocations = -1, undone = -1, woken = -1;
    CHECK(cpl_lb_manager_state(manager, &predicted_s, &reallocations, &undone, &woken) == 1);
    CHECK(predicted_s == Approx(12.5));
    CHECK(reallocations == 1);
    CHECK(undone == 0);
    CHECK(woken == 0);
    CHECK(cpl_lb_manager_free(manager) == 0);
    CHECK(cpl_lb_manager_free(manager) == CPL_LB_EARGUMENT);
}

TEST_CASE("only allowed counts; the stepwise search of older versions is the direct one") {
    const int blocks = cpl_lb_manager_new(2, 12, CPL_LB_DIRECT);
    REQUIRE(cpl_lb_manager_allow(blocks, 1, 3, 9, 3) == 0);
    std::array<int, 2> counts = {3, 9};
    REQUIRE(give(blocks, 120. / 3, 50. / 9) == 0);
    // 3, 6 or 9 for the first: 40, 20 or, with 3 for the other, 16.7 s; 8 and 4 would be 15 s.
    CHECK(cpl_lb_manager_next(blocks, 0, counts.data()) == 1);
    CHECK(counts == std::array<int, 2>{9, 3});
    cpl_lb_manager_free(blocks);
    const int steps = cpl_lb_manager_new(2, 24, CPL_LB_STEPWISE);
    counts = {8, 16};
    REQUIRE(give(steps, 100. / 8, 50. / 16) == 0);
    CHECK(cpl_lb_manager_next(steps, 0, counts.data()) == 1);
    CHECK(counts == std::array<int, 2>{16, 8}); // 100/p and 50/q on 24 processes: equal, 6.25 s
    cpl_lb_manager_free(steps);
}

TEST_CASE("what is refused leaves everything as it is") {
    CHECK(cpl_lb_manager_new(1, 12, CPL_LB_DIRECT) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_manager_new(2, 1, CPL_LB_DIRECT) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_manager_new(2, 12, 7) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_manager_next(12345, 1, nullptr) == CPL_LB_EARGUMENT);
    const int manager = cpl_lb_manager_new(2, 12, CPL_LB_DIRECT);
    std::array<int, 2> counts = {6, 6};
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EORDER); // no times
    CHECK(cpl_lb_manager_times(manager, 3, nullptr, 0) == CPL_LB_EARGUMENT);
    const std::array<double, 4> lonely = {1, 1, 2, 0};
    const double alone = 1;
    REQUIRE(cpl_lb_manager_times(manager, 1, lonely.data(), 4) == 0);
    REQUIRE(cpl_lb_manager_times(manager, 2, &alone, 1) == 0);
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EDATA); // 2 never meets 1
    REQUIRE(give(manager, 100. / 6, 50. / 6) == 0);
    counts = {7, 6};
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EARGUMENT);
    counts = {12, 0};
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EARGUMENT);
    CHECK(counts == std::array<int, 2>{12, 0});
    CHECK(cpl_lb_manager_allow(manager, 1, 5, 4, 1) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_manager_gain(manager, -1) == CPL_LB_EARGUMENT);
    REQUIRE(cpl_lb_manager_allow(manager, 1, 7, 12, 1) == 0);
    REQUIRE(cpl_lb_manager_allow(manager, 2, 7, 12, 1) == 0);
    counts = {6, 6};
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EARGUMENT); // 7 + 7 > 12
    REQUIRE(cpl_lb_manager_allow(manager, 2, 1, 12, 1) == 0);
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == 1); // the times given before are still there
    CHECK(counts == std::array<int, 2>{8, 4});
    CHECK(cpl_lb_manager_allow(manager, 2, 1, 12, 1) == CPL_LB_EORDER);
    CHECK(cpl_lb_manager_next(manager, 1, counts.data()) == CPL_LB_EORDER); // those were of the last interval
    cpl_lb_manager_free(manager);
}

TEST_CASE("the stopwatch: computing is what is outside of meetings") {
    using std::chrono::milliseconds;
    using Clock = std::chrono::steady_clock;
    const std::array<int, 2> partners = {2, -3};
    std::vector<double> parts(20, -1);
    CHECK(cpl_lb_watch_meet(7, 1, partners.data()) == CPL_LB_EORDER);
    CHECK(cpl_lb_watch_left(7) == CPL_LB_EORDER);
    CHECK(cpl_lb_watch_start(0) == CPL_LB_EARGUMENT);
    const auto begin = Clock::now();
    REQUIRE(cpl_lb_watch_start(1) == 0);
    std::this_thread::sleep_for(milliseconds(30));
    REQUIRE(cpl_lb_watch_meet(1, 1, partners.data()) == 0);
    CHECK(cpl_lb_watch_stop(1, parts.data(), 20) == CPL_LB_EORDER);
    std::this_thread::sleep_for(milliseconds(200));
    REQUIRE(cpl_lb_watch_left(1) == 0);
    REQUIRE(cpl_lb_watch_meet(1, 2, partners.data()) == 0);
    REQUIRE(cpl_lb_watch_left(1) == 0);
    std::this_thread::sleep_for(milliseconds(60));
    CHECK(cpl_lb_watch_stop(1, parts.data(), 7) == CPL_LB_EARGUMENT); // 3 + 4 + 1 values
    const int n = cpl_lb_watch_stop(1, parts.data(), 20);
    REQUIRE(n == 8);
    CHECK(parts[0] >= 0.030);
    CHECK(parts[1] == 1);
    CHECK(parts[2] == 2);
    CHECK(parts[4] == 2);
    CHECK(parts[6] == -3);
    CHECK(parts[7] >= 0.060);
    // The 200 ms of the first meeting are nowhere.
    CHECK(parts[0] + parts[3] + parts[7] <= std::chrono::duration<double>(Clock::now() - begin).count() - 0.2);
    REQUIRE(cpl_lb_watch_start(1) == 0);
    CHECK(cpl_lb_watch_stop(1, parts.data(), 20) == 1);
}
