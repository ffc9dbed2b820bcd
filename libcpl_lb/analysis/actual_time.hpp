// Where the time between SYPD and ASYPD went (docs/definitions.md, section 3): the time from the first submission to
// the last result of a chain of jobs, cut into parts that add up to it.
#pragma once

#include "data/job_log.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct Pause {
    std::string after, before; // jobs
    double length_s = 0;
};

struct ActualTime {
    double whole_s = unknown; // unknown: it cannot be cut, see why_not_cut
    std::string why_not_cut;
    // Each moment counts in the first of these that applies.
    double ran_s = 0;        // a simulation job ran that completed, or has not ended
    double suspended_s = 0;  // taken off ran_s: between start and end of completed jobs, but not in their run time
    double failed_s = 0;     // a simulation job ran that was lost
    double queued_s = 0;     // a simulation job was in the queue
    double not_told_s = 0;   // before a job whose submission time is not known: queue or pause
    double other_jobs_s = 0; // another job of the log was in the queue or ran
    double pauses_s = 0;
    std::vector<Pause> pauses;   // in their order
    std::string not_told_before; // the first job without a submission; empty: all are known
    bool side_by_side = false;   // jobs ran at the same time: their hours count once

    // Parts of ran_s. Unknown for a job log alone, which knows no model.
    double in_model_s = unknown, outside_model_s = unknown;
    // True for results alone, which know no jobs: ran_s is the time of the model, and failed jobs are not known.
    bool only_the_model = false;
    std::string why_no_model;

    [[nodiscard]] double queue_or_pauses_s() const { return queued_s + not_told_s + pauses_s; }
    [[nodiscard]] const Pause *longest_pause() const; // null: there is none, or not all pauses are known
};

// By the jobs' times, from the first submission to the last result [s since 1970].
[[nodiscard]] ActualTime actual_time(const std::vector<LoggedJob> &jobs, double submitted_s, double last_result_s);

// Puts in the wall times of the models, one for each completed job, summed up.
void enter_model_time(ActualTime &time, double models_s, std::size_t models);

} // namespace cpl_lb
