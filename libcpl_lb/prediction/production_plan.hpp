// A production plan from measured runs: the time and cost of a number of simulated years and members on each number
// of cores, and the best numbers for speed and for throughput (docs/definitions.md, section 3).
#pragma once

#include "analysis/model_rows.hpp"
#include "data/job_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// How long the completed jobs of a log on about these cores waited before they started.
struct MeasuredQueue {
    std::size_t jobs = 0;
    double wait_s = unknown;   // of one job: the mean
    double spread_s = unknown; // the standard deviation; n/a for one job
    double years = unknown;    // that one job simulated: the mean
    std::string why_not;       // in words, without a job
};
// A job waits from its submission, or from the end of the previous job of its chain if that is later. Jobs that run
// side by side and belong to no chain have no previous job.
[[nodiscard]] MeasuredQueue queue_on(const std::vector<LoggedJob> &jobs, double cores, bool side_by_side);

struct PlanWish {
    double years = 0; // of each member
    std::int64_t members = 1;
    double start_s = 0; // since 1970
    double deadline_s = unknown, core_hours = unknown;
    std::int64_t most_cores = 0; // of all members at one time; 0: no limit
};

// close: within two standard errors of the queue and the uncertainty of the curve. open: in time without the queue,
// which is not known.
enum class InTime { not_asked, yes, close, open, no };

struct PlannedCount {
    ScalingPoint point;
    bool between = false;   // from the curve through the measured ones
    double uncertainty = 0; // of its time, as a share
    std::int64_t side_by_side = 0, turns = 0;
    double run_s = 0;                                    // of all turns
    std::int64_t jobs = 0;                               // of one member; 0: not known
    double queued_s = unknown, queued_error_s = unknown; // of all turns
    std::string why_no_queue;
    double core_hours = 0, energy_J = unknown; // of all members
    bool too_many_cores = false, too_costly = false;
    InTime in_time = InTime::not_asked;

    [[nodiscard]] bool is_possible() const { return !too_many_cores && !too_costly; }
};

struct ProductionPlan {
    PlanWish wish;
    std::vector<PlannedCount> counts;      // in the order of the cores
    bool with_queue = false;               // the queue is known for each possible count, and is part of all times
    std::optional<std::size_t> speed;      // S: possible, the first to end
    std::optional<std::size_t> throughput; // T: possible and in time, the fewest core hours
    std::string why_no_speed, why_no_throughput;
    std::vector<std::string> remarks;

    [[nodiscard]] double length_s(const PlannedCount &count) const {
        return with_queue ? count.run_s + count.queued_s : count.run_s;
    }
};

// `measured`: at least one point, in the order of the cores. `log`: null if there is none.
[[nodiscard]] ProductionPlan production_plan(const std::vector<ScalingPoint> &measured, const PlanWish &wish,
                                             const std::vector<LoggedJob> *log, bool jobs_side_by_side);

} // namespace cpl_lb
