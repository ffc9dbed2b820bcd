// Production plans from literals; the arithmetic stands beside.
#include "prediction/production_plan.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

using namespace cpl_lb;

namespace {

constexpr double plan_day = 86400;

// CHSY = 24 cores / SYPD. 160 years: 16, 10 and 8 days; 38400, 48000 and 76800 core hours.
const std::vector<ScalingPoint> plan_points = {{"", 100, 10, 240, 3.6e6}, {"", 200, 16, 300}, {"", 400, 20, 480}};
// Twice the cores, twice the speed: 160 years take 38400 core hours on each.
const std::vector<ScalingPoint> ideal_points = {{"", 100, 10, 240}, {"", 200, 20, 240}, {"", 400, 40, 240}};

PlanWish plan_wish(std::int64_t members = 1, std::int64_t most_cores = 0) {
    PlanWish wish;
    wish.years = 160;
    wish.members = members;
    wish.most_cores = most_cores;
    return wish;
}

ProductionPlan plan_without_log(const std::vector<ScalingPoint> &points, const PlanWish &wish) {
    return production_plan(points, wish, nullptr, false);
}

LoggedJob plan_job(double submitted, double started, double ended) {
    LoggedJob job;
    job.submitted_s = submitted * plan_day;
    job.started_s = started * plan_day;
    job.ended_s = ended * plan_day;
    job.cores = 200;
    job.years = 10;
    return job;
}

// All submitted at once: they wait 1 day; 2.5 - 2 = 0.5; 5 - 3.5 = 1.5. Mean 1, standard deviation 0.5.
const std::vector<LoggedJob> plan_jobs = {plan_job(0, 1, 2), plan_job(0, 2.5, 3.5), plan_job(0, 5, 6)};

const PlannedCount &on(const ProductionPlan &plan, double cores) {
    for (const PlannedCount &count : plan.counts)
        if (count.point.cores == Approx(cores)) return count;
    throw std::runtime_error("not planned");
}

} // namespace

TEST_CASE("one member: S ends first, T costs least; deadline and core hours choose others") {
    PlanWish wish = plan_wish();
    const auto plan = plan_without_log(plan_points, wish);
    REQUIRE(plan.speed);
    REQUIRE(plan.throughput);
    CHECK(*plan.speed == 2);
    CHECK(*plan.throughput == 0);
    CHECK(plan.counts[0].run_s == Approx(16 * plan_day)); // 160 / 10
    CHECK(plan.counts[1].core_hours == Approx(48000));    // 160 x 300
    CHECK(plan.counts[0].energy_J == Approx(160 * 3.6e6));
    CHECK_FALSE(is_known(plan.counts[1].energy_J));
    CHECK_FALSE(plan.with_queue);
    CHECK(plan.counts[0].why_no_queue == "no job log is given");

    wish.deadline_s = 12 * plan_day; // 16 days are too late, 10 are not
    CHECK(plan_without_log(plan_points, wish).throughput == 1);
    CHECK(plan_without_log(plan_points, wish).counts[0].in_time == InTime::no);
    CHECK(plan_without_log(plan_points, wish).counts[1].in_time == InTime::open);
    wish.core_hours = 50000; // not 76800
    CHECK(plan_without_log(plan_points, wish).speed == 1);
    wish.core_hours = 40000; // 38400, which is too late
    CHECK(plan_without_log(plan_points, wish).speed == 0);
    CHECK_FALSE(plan_without_log(plan_points, wish).throughput);
    CHECK(plan_without_log(plan_points, wish).why_no_throughput == "no possible count ends before the deadline");
    wish.core_hours = 30000;
    CHECK(plan_without_log(plan_points, wish).why_no_speed ==
          "no count is within 30000 core hours: the cheapest takes 38400");
}

TEST_CASE("members side by side where the cores allow, else in turns") {
    const auto plan = plan_without_log(plan_points, plan_wish(3, 400));
    CHECK(on(plan, 100).side_by_side == 3);
    CHECK(on(plan, 100).run_s == Approx(16 * plan_day));
    CHECK(on(plan, 200).side_by_side == 2);
    CHECK(on(plan, 200).turns == 2);
    CHECK(on(plan, 200).run_s == Approx(20 * plan_day)); // 2 x 10
    CHECK(on(plan, 400).run_s == Approx(24 * plan_day)); // 3 x 8
    CHECK(on(plan, 400).core_hours == Approx(3 * 76800));
    CHECK(plan_without_log(plan_points, plan_wish(3)).counts[2].run_s == Approx(8 * plan_day)); // no limit
}

TEST_CASE("a count between the measured ones comes from the curve, and none comes from beyond it") {
    // A third of 400: 133 cores do 13.3 SYPD, 160 / 13.3 = 12.03 days.
    const auto plan = plan_without_log(ideal_points, plan_wish(3, 400));
    REQUIRE(plan.counts.size() == 4);
    const PlannedCount &between = on(plan, 133);
    CHECK(between.between);
    CHECK(between.run_s == Approx(160 / 13.3 * plan_day).epsilon(1e-3));
    CHECK(between.core_hours == Approx(3 * 38400).epsilon(1e-3));
    CHECK(plan.counts[*plan.speed].point.cores == 400); // 3 x 4 = 12 days
    // A third of 250 is less than was measured, a half is not; a third of 3000 is more.
    CHECK(plan_without_log(ideal_points, plan_wish(3, 250)).counts.size() ==
          5); // with 125, and 250 for one after the other
    const auto large = plan_without_log(ideal_points, plan_wish(3, 3000));
    CHECK(large.counts.size() == 3);
    REQUIRE(large.remarks.size() == 1);
    CHECK(large.remarks[0] ==
          "each member could have 1000 cores, but no run had more than 400: nothing is said about "
          "more");
    const auto small = plan_without_log(ideal_points, plan_wish(1, 60));
    CHECK_FALSE(small.speed);
    CHECK(small.why_no_speed == "nothing was measured on 60 cores or fewer: the fewest that were measured are 100");
    // One count, or one count split in two ways, makes no curve.
    CHECK(plan_without_log({ideal_points[0]}, plan_wish(3, 400)).counts.size() == 1);
    CHECK(plan_without_log({ideal_points[0]}, plan_wish(3, 400)).remarks[0] ==
          "one count was measured: S and T cannot differ");
    CHECK(plan_without_log({{"a", 100, 10, 240}, {"b", 100, 12, 200}, ideal_points[2]}, plan_wish(3, 400))
              .counts.size() == 3);
}

TEST_CASE("the queue of a chain: from the end of the job before") {
    const MeasuredQueue queue = queue_on(plan_jobs, 200, false);
    CHECK(queue.jobs == 3);
    CHECK(queue.wait_s == Approx(plan_day));
    CHECK(queue.spread_s == Approx(0.5 * plan_day));
    CHECK(queue.years == Approx(10));
    CHECK(queue_on(plan_jobs, 190, false).jobs == 3); // whole nodes: within a tenth
    CHECK(queue_on(plan_jobs, 400, false).why_not ==
          "no completed job of the log had about as many cores; its jobs have 200");
    // Members of an ensemble: 1, 2.5 and 5 days.
    CHECK(queue_on(plan_jobs, 200, true).wait_s == Approx(8.5 / 3 * plan_day));
    // Each chain has its own: the second job waited 2.5 days then, the third from the end of the first.
    auto members = plan_jobs;
    members[0].chain = members[2].chain = "fc0";
    members[1].chain = "fc1";
    CHECK(queue_on(members, 200, true).wait_s == Approx((1 + 2.5 + 3) / 3 * plan_day));
    // A job that failed is no job of the plan, but the next one waits from its end.
    auto failed = plan_jobs;
    failed[1].end = JobEnd::lost;
    CHECK(queue_on(failed, 200, false).jobs == 2);
    CHECK(queue_on(failed, 200, false).wait_s == Approx((1 + 1.5) / 2 * plan_day));
    auto running = plan_jobs;
    running[2].end = JobEnd::not_yet;
    CHECK(queue_on(running, 200, false).jobs == 2);
}

TEST_CASE("the queue in a plan: its error, the deadline, and who is sure to be in time") {
    PlanWish wish = plan_wish();
    const auto with_deadline = [&](double days) {
        wish.deadline_s = days * plan_day;
        return production_plan(plan_points, wish, &plan_jobs, false);
    };
    const auto plan = with_deadline(40);
    const PlannedCount &c = on(plan, 200);
    CHECK(c.jobs == 16); // 160 / 10
    CHECK(c.queued_s == Approx(16 * plan_day));
    CHECK(c.queued_error_s == Approx(0.5 * std::sqrt(16 + 16 * 16 / 3.) * plan_day)); // 5.03 days
    // 10 + 16 = 26 days, with two errors from 15.9 to 36.1.
    CHECK(c.in_time == InTime::yes);
    CHECK(on(with_deadline(30), 200).in_time == InTime::close);
    CHECK(on(with_deadline(15), 200).in_time == InTime::no);
    // 100 cores are cheaper, but nobody knows their queue.
    CHECK(on(plan, 100).in_time == InTime::open);
    CHECK(plan.throughput == 1);
    REQUIRE(plan.remarks.size() == 1);
    CHECK(plan.remarks[0] == "100 cores take fewer core hours than T, but it is not sure that they are in time");
    CHECK_FALSE(plan.with_queue);
    CHECK(plan.speed == 2);
    // Where all queues are known they count.
    const auto one = production_plan({plan_points[1]}, plan_wish(), &plan_jobs, false);
    CHECK(one.with_queue);
    CHECK(one.length_s(one.counts[0]) == Approx(26 * plan_day));
    // One job tells no scatter.
    const std::vector<LoggedJob> single = {plan_jobs[0]};
    CHECK_FALSE(is_known(production_plan({plan_points[1]}, plan_wish(), &single, false).counts[0].queued_error_s));
}
