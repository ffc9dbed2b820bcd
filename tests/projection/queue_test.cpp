// Jobs in a machine room: schedules worked out by hand.
#include "projection/models/job_queue.hpp"
#include "projection/models/loop_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

std::vector<double> starts_of(const RoomSchedule &s) {
    std::vector<double> starts;
    for (const JobStart &job : s.jobs)
        starts.push_back(job.start_s);
    return starts;
}

// Room of 4 nodes. a holds 3 until 10; b needs 4; c (1 node, 8 s) and d (1 node, 20 s) come later.
const std::vector<QueuedJob> jobs = {
    {"a", 0, 3, 10, 100}, {"b", 1, 4, 5, 100}, {"c", 2, 1, 8, 50}, {"d", 3, 1, 20, 50}};

} // namespace

TEST_CASE("first come first served: nobody overtakes") {
    const RoomSchedule s = schedule_jobs(jobs, {4, 10}, false);
    CHECK(starts_of(s) == std::vector<double>{0, 10, 15, 15});
    CHECK(s.last_s == 35);
    CHECK(s.mean_wait_s == Approx((0 + 9 + 13 + 12) / 4.0));
    CHECK(s.longest_wait_s == 13);
    CHECK(s.use == Approx((30 + 20 + 8 + 20) / (4 * 35.0)));
    CHECK(s.job_J == Approx(30 * 100 + 20 * 100 + 8 * 50 + 20 * 50));
    CHECK(s.idle_J == Approx((140 - 78) * 10));
}

TEST_CASE("backfill: who ends in time goes ahead, who would delay the first does not") {
    const RoomSchedule s = schedule_jobs(jobs, {4, unknown}, true);
    CHECK(starts_of(s) == std::vector<double>{0, 10, 2, 15}); // c ends at 10, just in time; d would hold b until 23
    CHECK(s.jobs[2].backfilled);
    CHECK_FALSE(s.jobs[3].backfilled);
    CHECK(std::isnan(s.idle_J));
    // b needs 3 only: it starts at 10 and leaves one node free, so d may run as long as it likes once c has ended.
    std::vector<QueuedJob> smaller = jobs;
    smaller[1].nodes = 3;
    CHECK(starts_of(schedule_jobs(smaller, {4, 1}, true)) == std::vector<double>{0, 10, 2, 10});
    smaller[2].seconds = 30; // c takes the one node that b leaves; d finds none
    CHECK(starts_of(schedule_jobs(smaller, {4, 1}, true)) == std::vector<double>{0, 10, 2, 15});
}

TEST_CASE("a spare node is given away once") {
    // a holds 2 until 10; b needs 3 then and leaves one spare: c takes it, and d, which comes with it, waits for b's
    // end.
    const std::vector<QueuedJob> long_ones = {
        {"a", 0, 2, 10, 1}, {"b", 1, 3, 5, 1}, {"c", 2, 1, 30, 1}, {"d", 2, 1, 30, 1}};
    CHECK(starts_of(schedule_jobs(long_ones, {4, 1}, true)) == std::vector<double>{0, 10, 2, 15});
}

TEST_CASE("order of submission, not of the table; ends at the same moment; gaps") {
    // y comes first, x queues behind it; both jobs of 1 node end at 10 and free the room for z.
    const std::vector<QueuedJob> shuffled = {
        {"x", 5, 1, 5, 1}, {"y", 0, 1, 10, 1}, {"z", 6, 2, 1, 1}, {"late", 100, 2, 1, 1}};
    const RoomSchedule s = schedule_jobs(shuffled, {2, 1}, true);
    CHECK(starts_of(s) == std::vector<double>{5, 0, 10, 100});
    CHECK(s.use == Approx((5 + 10 + 2 + 2) / (2 * 101.0)));
    CHECK_THROWS_WITH(schedule_jobs({{"big", 0, 3, 1, 1}}, {2, 1}, true),
                      "job big needs 3 nodes, and the room has 2");
    CHECK_THROWS(schedule_jobs({}, {2, 1}, true));
}
