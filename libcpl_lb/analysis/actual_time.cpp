// Cuts the time of a chain of jobs: a sweep over the starts and ends of all that ran or waited.
#include "analysis/actual_time.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace cpl_lb {
namespace {

constexpr double log_step_s = 1; // logs have whole seconds

// What can go on at a moment. If several do, the first in this list counts.
enum JobPart : std::size_t { part_ran, part_failed, part_queued, part_not_told, part_others, job_parts };

struct JobEdge {
    double at_s;
    bool is_end;
    JobPart part;
    std::size_t job;
};

class TimeSweep {
public:
    TimeSweep(const std::vector<LoggedJob> &jobs, double from_s, double to_s)
        : jobs_(jobs), from_s_(from_s), to_s_(to_s) {}

    void add(JobPart part, std::size_t job, double from_s, double to_s) {
        from_s = std::max(from_s, from_s_);
        to_s = std::min(to_s, to_s_);
        if (!(to_s > from_s)) return;
        edges_.push_back({from_s, false, part, job});
        edges_.push_back({to_s, true, part, job});
    }

    void fill(ActualTime &time) {
        // At one time, begins come before ends, and the simulation's ends come last: a pause begins after its job.
        std::sort(edges_.begin(), edges_.end(), [](const JobEdge &a, const JobEdge &b) {
            return std::tuple(a.at_s, a.is_end, b.part, a.job) < std::tuple(b.at_s, b.is_end, a.part, b.job);
        });
        std::array<std::size_t, job_parts> open{};
        const std::array<double *, job_parts> sums = {&time.ran_s, &time.failed_s, &time.queued_s, &time.not_told_s,
                                                      &time.other_jobs_s};
        double before_s = from_s_;
        std::size_t last_job = jobs_.size();
        for (const JobEdge &edge : edges_) {
            const double length_s = edge.at_s - before_s;
            before_s = edge.at_s;
            const auto going_on = std::find_if(open.begin(), open.end(), [](std::size_t n) { return n > 0; });
            if (going_on != open.end()) {
                *sums[static_cast<std::size_t>(going_on - open.begin())] += length_s;
            } else if (length_s > 0) {
                time.pauses_s += length_s;
                time.pauses.push_back(
                    {last_job < jobs_.size() ? jobs_[last_job].id : "", jobs_[edge.job].id, length_s});
            }
            time.side_by_side =
                time.side_by_side || (open[part_ran] + open[part_failed] > 1 && length_s > log_step_s);
            if (!edge.is_end) {
                ++open[edge.part];
                continue;
            }
            --open[edge.part];
            last_job = edge.job;
        }
    }

private:
    const std::vector<LoggedJob> &jobs_;
    double from_s_, to_s_;
    std::vector<JobEdge> edges_;
};

// The last end of a simulation job that is not after this start; what came before is from_s.
double end_before(const std::vector<double> &ends, double started_s, double from_s) {
    const auto next = std::upper_bound(ends.begin(), ends.end(), started_s);
    return next == ends.begin() ? from_s : *(next - 1);
}

bool is_submission_known(const LoggedJob &job) {
    constexpr double clocks_apart_s = 60; // between the machine where a job was submitted and the one where it ran
    return is_known(job.submitted_s) && !(job.submitted_s > job.started_s + clocks_apart_s);
}

} // namespace

const Pause *ActualTime::longest_pause() const {
    const auto longest = std::max_element(pauses.begin(), pauses.end(),
                                          [](const Pause &a, const Pause &b) { return a.length_s < b.length_s; });
    return longest == pauses.end() || !not_told_before.empty() ? nullptr : &*longest;
}

ActualTime actual_time(const std::vector<LoggedJob> &jobs, double submitted_s, double last_result_s) {
    ActualTime time;
    std::vector<double> ends;
    for (const LoggedJob &job : jobs) {
        if (job.role != JobRole::simulation || job.end == JobEnd::not_yet) continue;
        if (job.end == JobEnd::completed && !is_known(job.started_s + job.ended_s)) {
            time.why_not_cut = "nobody tells when " + job.id + " started and ended";
            return time;
        }
        if (is_known(job.ended_s)) ends.push_back(job.ended_s);
    }
    std::sort(ends.begin(), ends.end());
    if (!(last_result_s > submitted_s)) return time;
    time.whole_s = last_result_s - submitted_s;
    TimeSweep sweep(jobs, submitted_s, last_result_s);
    double suspended_s = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const LoggedJob &job = jobs[i];
        const bool has_started = is_known(job.started_s), goes_on = job.end == JobEnd::not_yet;
        const double end_s = goes_on ? last_result_s : job.ended_s;
        if (job.role != JobRole::simulation) {
            if (!goes_on)
                sweep.add(part_others, i, is_submission_known(job) ? job.submitted_s : job.started_s, end_s);
            continue;
        }
        if (has_started) sweep.add(job.end == JobEnd::lost ? part_failed : part_ran, i, job.started_s, end_s);
        if (is_submission_known(job)) {
            sweep.add(part_queued, i, job.submitted_s, has_started ? job.started_s : end_s);
        } else if (has_started && job.started_s < last_result_s) {
            if (time.not_told_before.empty()) time.not_told_before = job.id;
            sweep.add(part_not_told, i, end_before(ends, job.started_s, submitted_s), job.started_s);
        }
        const double stopped_s = job.ended_s - job.started_s - job.elapsed_s;
        if (job.end == JobEnd::completed && stopped_s > log_step_s) suspended_s += stopped_s;
    }
    sweep.fill(time);
    if (!time.side_by_side) time.suspended_s = std::min(suspended_s, time.ran_s);
    time.ran_s -= time.suspended_s;
    return time;
}

void enter_model_time(ActualTime &time, double models_s, std::size_t models) {
    const double rounded_s = 2 * log_step_s * static_cast<double>(models); // a start and an end for each
    if (time.side_by_side) {
        time.why_no_model = "jobs ran side by side";
    } else if (!is_known(models_s)) {
        time.why_no_model = "the wall time of a model is not known";
    } else if (models_s > time.ran_s + rounded_s) {
        time.why_no_model = "the models ran longer than the jobs of the log";
    } else {
        time.in_model_s = std::min(models_s, time.ran_s);
        time.outside_model_s = time.ran_s - time.in_model_s;
    }
}

} // namespace cpl_lb
