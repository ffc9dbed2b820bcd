// Calculates a plan from measured speeds, costs and waits in the queue.
#include "prediction/production_plan.hpp"

#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace cpl_lb {
namespace {

constexpr double plan_day_s = 86400, plan_day_hours = 24, no_end = std::numeric_limits<double>::infinity();

bool ran_to_an_end(const LoggedJob &job) {
    return job.role == JobRole::simulation && job.end != JobEnd::not_yet && is_known(job.started_s + job.ended_s);
}

bool completed(const LoggedJob &job) {
    return job.role == JobRole::simulation && job.end == JobEnd::completed;
}

// Allocations are rounded up to whole nodes.
bool is_about(double cores, double wanted) {
    constexpr double tolerated = 0.1;
    return std::abs(cores - wanted) <= tolerated * wanted;
}

struct Wait {
    const LoggedJob *job;
    double wait_s;
};

std::vector<Wait> waits_in_queue(const std::vector<LoggedJob> &jobs, bool side_by_side) {
    std::vector<const LoggedJob *> order;
    for (const LoggedJob &job : jobs)
        if (ran_to_an_end(job)) order.push_back(&job);
    std::ranges::stable_sort(order, {}, [](const LoggedJob *job) { return std::tie(job->chain, job->started_s); });
    std::vector<Wait> waits;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const LoggedJob &job = *order[i];
        double ready_s = job.submitted_s;
        const bool in_turn = i > 0 && order[i - 1]->chain == job.chain && !(job.chain.empty() && side_by_side);
        if (in_turn) ready_s = std::max(ready_s, order[i - 1]->ended_s);
        if (completed(job)) waits.push_back({&job, std::max(0.0, job.started_s - ready_s)});
    }
    return waits;
}

std::string cores_in_log(const std::vector<Wait> &waits) {
    double least = unknown, most = unknown;
    for (const Wait &w : waits) {
        least = is_known(least) ? std::min(least, w.job->cores) : w.job->cores;
        most = is_known(most) ? std::max(most, w.job->cores) : w.job->cores;
    }
    if (!is_known(least)) return "";
    return least < most ? fmt::format("; its jobs have {} to {}", decimal_text(least, 0), decimal_text(most, 0))
                        : fmt::format("; its jobs have {}", decimal_text(least, 0));
}

std::int64_t whole_number(double value) {
    constexpr double most = 1e15, rounding = 1e-9;
    return static_cast<std::int64_t>(std::ceil(std::min(value, most) * (1 - rounding)));
}

void enter_queue(PlannedCount &count, const PlanWish &wish, const MeasuredQueue &queue) {
    if (!queue.why_not.empty()) {
        count.why_no_queue = queue.why_not;
        return;
    }
    count.jobs = whole_number(wish.years / queue.years);
    const double in_a_row = static_cast<double>(count.jobs) * static_cast<double>(count.turns);
    count.queued_s = in_a_row * queue.wait_s;
    // The waits of the plan's jobs scatter, and the measured mean does, too.
    count.queued_error_s =
        queue.spread_s * std::sqrt(in_a_row + in_a_row * in_a_row / static_cast<double>(queue.jobs));
}

InTime in_time(const PlannedCount &count, const PlanWish &wish) {
    if (!is_known(wish.deadline_s)) return InTime::not_asked;
    const double left_s = wish.deadline_s - wish.start_s;
    const double curve_s = is_known(count.uncertainty) ? count.uncertainty * count.run_s : 0;
    if (count.run_s - curve_s > left_s) return InTime::no;
    if (!is_known(count.queued_s)) return InTime::open;
    const double queue_s = is_known(count.queued_error_s) ? 2 * count.queued_error_s : 0;
    const double spare_s = left_s - count.run_s - count.queued_s;
    if (std::abs(spare_s) < std::hypot(queue_s, curve_s)) return InTime::close;
    return spare_s >= 0 ? InTime::yes : InTime::no;
}

PlannedCount planned(const ScalingPoint &point, const PlanWish &wish) {
    PlannedCount count;
    count.point = point;
    count.side_by_side = wish.members;
    if (wish.most_cores > 0) {
        const auto fit = static_cast<std::int64_t>(
            std::min(static_cast<double>(wish.most_cores) / point.cores, static_cast<double>(wish.members)));
        count.too_many_cores = fit == 0;
        count.side_by_side = std::clamp<std::int64_t>(fit, 1, wish.members);
    }
    count.turns = (wish.members + count.side_by_side - 1) / count.side_by_side;
    const double years = wish.years * static_cast<double>(wish.members);
    count.run_s = static_cast<double>(count.turns) * wish.years / point.sypd * plan_day_s;
    count.core_hours = years * point.chsy;
    count.energy_J = years * point.ajpsy;
    count.too_costly = count.core_hours > wish.core_hours;
    return count;
}

// The curve of the time over the cores. Empty with only one count, or if the same cores were used in several ways.
std::optional<ScalingCurve> curve_through(const std::vector<ScalingPoint> &measured) {
    std::vector<ScalingSample> samples;
    for (const ScalingPoint &p : measured) {
        if (!(p.cores > (samples.empty() ? 0 : samples.back().processes))) return std::nullopt;
        samples.push_back({p.cores, plan_day_s / p.sypd});
    }
    if (samples.size() < 2) return std::nullopt;
    return ScalingCurve(samples);
}

bool is_planned(const std::vector<PlannedCount> &counts, double cores) {
    return std::ranges::any_of(counts, [&](const PlannedCount &c) { return std::abs(c.point.cores - cores) < 0.5; });
}

// Adds the largest count for each number of turns if it lies between measured ones. More than a few turns leave cores
// idle or are slow, so the measured counts stand for them.
void add_counts_between(ProductionPlan &plan, const std::vector<ScalingPoint> &measured) {
    constexpr std::int64_t most_turns = 8;
    const std::optional<ScalingCurve> curve = plan.wish.most_cores > 0 ? curve_through(measured) : std::nullopt;
    if (!curve) return;
    for (std::int64_t turns = 1; turns <= std::min(most_turns, plan.wish.members); ++turns) {
        const std::int64_t at_once = (plan.wish.members + turns - 1) / turns;
        const std::int64_t fit = plan.wish.most_cores / at_once;
        const auto cores = static_cast<double>(fit);
        if (!(cores > 0) || !curve->measured_range_holds(cores) || is_planned(plan.counts, cores)) continue;
        const double sypd = plan_day_s / curve->seconds(cores, CurveForm::measured);
        PlannedCount count = planned({"", cores, sypd, plan_day_hours * cores / sypd, unknown}, plan.wish);
        count.between = true;
        count.uncertainty = curve->uncertainty(cores);
        plan.counts.push_back(std::move(count));
    }
    std::ranges::stable_sort(plan.counts, {}, [](const PlannedCount &c) { return c.point.cores; });
}

// The place of the possible count with the least rank, the first of equal ones. rank(): empty if it is not
// considered.
template <class Rank>
std::optional<std::size_t> least_by(const std::vector<PlannedCount> &counts, const Rank &rank) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].is_possible() && rank(counts[i]) && (!best || *rank(counts[i]) < *rank(counts[*best])))
            best = i;
    return best;
}

void choose(ProductionPlan &plan) {
    plan.speed = least_by(plan.counts, [&](const PlannedCount &c) {
        return std::optional(std::tuple(plan.length_s(c), c.core_hours));
    });
    // A count that is surely in time comes before one that depends on the queue.
    plan.throughput = least_by(plan.counts, [&](const PlannedCount &c) {
        const bool not_sure = c.in_time == InTime::close || c.in_time == InTime::open;
        const std::tuple rank(not_sure, c.core_hours, plan.length_s(c));
        return c.in_time == InTime::no ? std::nullopt : std::optional(rank);
    });
}

void say_why_not(ProductionPlan &plan) {
    if (!plan.speed) {
        const auto cores_of = [](const PlannedCount &c) { return c.point.cores; };
        const auto hours_of = [](const PlannedCount &c) { return c.too_many_cores ? no_end : c.core_hours; };
        const double cores = cores_of(*std::ranges::min_element(plan.counts, {}, cores_of));
        const double hours = hours_of(*std::ranges::min_element(plan.counts, {}, hours_of));
        plan.why_no_speed =
            std::isfinite(hours)
                ? fmt::format("no count is within {:.6g} core hours: the cheapest takes {:.6g}", plan.wish.core_hours,
                              hours)
                : fmt::format("nothing was measured on {} or fewer: the fewest that were measured are {}",
                              counted(plan.wish.most_cores, "core"), decimal_text(cores, 0));
    }
    if (!plan.throughput)
        plan.why_no_throughput = plan.speed ? "no possible count ends before the deadline" : plan.why_no_speed;
}

void remark(ProductionPlan &plan, const std::vector<ScalingPoint> &measured) {
    const PlanWish &w = plan.wish;
    if (measured.size() == 1) plan.remarks.emplace_back("one count was measured: S and T cannot differ");
    const double most = measured.back().cores;
    if (w.most_cores > 0 && static_cast<double>(w.most_cores) >= (most + 1) * static_cast<double>(w.members)) {
        plan.remarks.push_back(fmt::format("each member could have {} cores, but no run had more than {}: "
                                           "nothing is said about more",
                                           w.most_cores / w.members, decimal_text(most, 0)));
    }
    for (const PlannedCount &c : plan.counts) {
        const bool not_sure = c.is_possible() && (c.in_time == InTime::open || c.in_time == InTime::close);
        if (!not_sure || !plan.throughput || c.core_hours >= plan.counts[*plan.throughput].core_hours) continue;
        plan.remarks.push_back(fmt::format("{} cores take fewer core hours than T, but it is not sure that they "
                                           "are in time",
                                           decimal_text(c.point.cores, 0)));
    }
    if (std::ranges::any_of(plan.counts, &PlannedCount::between)) {
        plan.remarks.emplace_back(
            "counts with ~ were not measured: they stand on the curve through the measured "
            "ones, and hold for a split over the components that is as good: see cpl-lb balance");
    }
}

} // namespace

MeasuredQueue queue_on(const std::vector<LoggedJob> &jobs, double cores, bool side_by_side) {
    const std::vector<Wait> waits = waits_in_queue(jobs, side_by_side);
    MeasuredQueue queue;
    std::vector<double> seconds;
    double years = 0;
    for (const Wait &w : waits) {
        if (!is_about(w.job->cores, cores) || !is_known(w.wait_s)) continue;
        seconds.push_back(w.wait_s);
        years += w.job->years;
    }
    queue.jobs = seconds.size();
    if (seconds.empty() || !(years > 0)) {
        queue.why_not = "no completed job of the log had about as many cores" + cores_in_log(waits);
        return queue;
    }
    queue.wait_s = mean(seconds);
    queue.spread_s = standard_deviation(seconds);
    queue.years = years / static_cast<double>(seconds.size());
    return queue;
}

ProductionPlan production_plan(const std::vector<ScalingPoint> &measured, const PlanWish &wish,
                               const std::vector<LoggedJob> *log, bool jobs_side_by_side) {
    ProductionPlan plan;
    plan.wish = wish;
    for (const ScalingPoint &point : measured)
        plan.counts.push_back(planned(point, wish));
    add_counts_between(plan, measured);
    bool all_queues = true;
    for (PlannedCount &count : plan.counts) {
        if (log != nullptr)
            enter_queue(count, wish, queue_on(*log, count.point.cores, jobs_side_by_side));
        else
            count.why_no_queue = "no job log is given";
        count.in_time = in_time(count, wish);
        if (count.is_possible()) all_queues = all_queues && is_known(count.queued_s);
    }
    plan.with_queue = all_queues;
    choose(plan);
    if (!plan.speed) plan.with_queue = false;
    say_why_not(plan);
    remark(plan, measured);
    return plan;
}

} // namespace cpl_lb
