// The run-time manager fed by what is recorded: known sleeps between PUT and GET, no call of cpl_lb_watch_meet.
#include <cpl_lb/cpl_lb_manager.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <mpi.h>
#include <thread>

namespace {

void nap(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void event(int kind, int field, int milliseconds) {
    cpl_lb_begin(kind, field);
    nap(milliseconds);
    cpl_lb_end(kind, field);
}

} // namespace

TEST_CASE("PUT and GET events are the meetings, and other partners count as computing") {
    std::array<double, 32> parts{};
    const auto stop = [&] { return cpl_lb_watch_stop(1, parts.data(), static_cast<int>(parts.size())); };
    // Before init: no events, no meetings.
    REQUIRE(cpl_lb_watch_name(2, "atmosphere") == 0);
    CHECK(cpl_lb_watch_name(0, "atmosphere") == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_watch_name(2, nullptr) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_watch_name(2, "") == CPL_LB_EARGUMENT);
    REQUIRE(cpl_lb_watch_start(1) == 0);
    CHECK(stop() == 1);

    MPI_Init(nullptr, nullptr);
    REQUIRE(cpl_lb_init(MPI_COMM_WORLD, "ocean") == 0);
    REQUIRE(cpl_lb_enabled() == 1);
    const int sst = cpl_lb_field("SST", "atmosphere"), flux = cpl_lb_field("QNET", "atmosphere"),
              output = cpl_lb_field("output", "ioserver");
    REQUIRE(cpl_lb_watch_start(1) == 0);
    nap(30);
    event(CPL_LB_PUT, sst, 0);
    event(CPL_LB_GET, flux, 20);
    nap(10);
    event(CPL_LB_PUT, output, 20);
    nap(10);
    event(CPL_LB_PUT, sst, 30); // it waits: more than a hundredth of the cycle
    nap(10);
    // Three meetings of three numbers, and the seconds after the last. Sleeps are late, never early.
    REQUIRE(stop() == 10);
    CHECK(parts[0] >= 0.030);
    CHECK(parts[1] == 1);
    CHECK(parts[3] < parts[0]);
    CHECK(parts[4] == 1);
    CHECK(parts[5] == 2002);
    CHECK(parts[6] >= 0.040);
    CHECK(parts[7] == 1);
    CHECK(parts[8] == 1002);
    CHECK(parts[9] >= 0.010);
    CHECK((parts[2] == -1002 || parts[2] == 1002)); // a busy machine may make the short one long
    CHECK(stop() == 10);                            // nothing is lost

    // Whoever tells meetings is not contradicted.
    REQUIRE(cpl_lb_watch_start(1) == 0);
    const int partner = 2;
    REQUIRE(cpl_lb_watch_meet(1, 1, &partner) == 0);
    event(CPL_LB_GET, flux, 0);
    REQUIRE(cpl_lb_watch_left(1) == 0);
    REQUIRE(stop() == 4);
    CHECK(parts[2] == 2);

    REQUIRE(cpl_lb_watch_start(1) == 0);
    cpl_lb_begin(CPL_LB_GET, flux);
    CHECK(stop() == CPL_LB_EDATA);
    cpl_lb_end(CPL_LB_GET, flux);
    CHECK(stop() == 4);

    // The numbers go into a manager: 12 and 4 s with 4 processes each, 48 / p and 16 / p.
    const int manager = cpl_lb_manager_new(2, 8, CPL_LB_DIRECT);
    const std::array<double, 7> ocean = {0, 1, -1002, 0, 1, 2002, 12}, air = {0, 1, -1001, 0, 1, 2001, 4};
    REQUIRE(cpl_lb_manager_times(manager, 1, ocean.data(), 7) == 0);
    REQUIRE(cpl_lb_manager_times(manager, 2, air.data(), 7) == 0);
    std::array<int, 2> counts = {4, 4};
    CHECK(cpl_lb_manager_next(manager, 12, counts.data()) == 1);
    CHECK(counts == std::array<int, 2>{6, 2}); // 48 / 6 = 16 / 2 = 8 s
    CHECK(cpl_lb_terminate(3600) == 0);
    REQUIRE(cpl_lb_watch_start(1) == 0);
    CHECK(stop() == 1);
    MPI_Finalize();
}
