// Speed and cost of an experiment: from its job log alone (docs/definitions.md, section 3; no file of the model is
// needed), and from the results of its jobs together. Where the time between SYPD and ASYPD went: the time from the
// first submission to the last result of a chain of jobs, cut into parts that add up to it.
#pragma once

#include "data/coupled_run.hpp"
#include "data/job_log.hpp"

#include <optional>
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

struct JobLogFigures {
    std::size_t completed = 0, lost = 0, not_yet = 0; // simulation jobs
    double years = 0;                                 // of completed jobs
    double wall_s = 0;                                // the sum of their run times
    double core_hours = 0, lost_core_hours = 0;
    double energy_J = 0;
    double queued_s = 0;          // completed jobs: the sum of their times from submission to start
    double lost_queued_s = 0;     // other jobs that ended: the same; to the end, if one never started
    double submitted_s = unknown; // submission of the first simulation job that started
    double started_s = unknown;   // start of the first completed one
    double ended_s = unknown;     // end of the last completed one, or of the last transfer if that is later
    double sypd = unknown, chsy = unknown, asypd = unknown, ajpsy = unknown;
    std::string why_no_asypd;
    ActualTime time; // where the time between SYPD and ASYPD went
    double chsy_with_lost = unknown;
    double rsypd = unknown; // "real" or "raw" speed, as Autosubmit defines it
    std::string why_no_rsypd;
    double autosubmit_asypd = unknown; // Autosubmit's own formula for the actual speed
};
[[nodiscard]] JobLogFigures job_log_figures(const std::vector<LoggedJob> &jobs);

// The same as a run, for the CPMIP table. Figures that no job log has are unknown.
[[nodiscard]] CoupledRun run_of(const JobLogFigures &figures);

// The indices of the first two simulation jobs of one chain that overlap, the earlier start first.
struct Overlap {
    std::size_t earlier = 0, later = 0;
};
[[nodiscard]] std::optional<Overlap> first_overlap(const std::vector<LoggedJob> &jobs);

// Several jobs of one experiment as one run, for the CPMIP table (Balaji et al. 2017, section 3.2, ASYPD).
// The jobs stand in the order of their starts. Speed and cost are those of all simulated years together, so that
// NP = CHSY SYPD / 24 holds. Costs are weighted by core hours. A figure that is unknown for one job is unknown for
// the chain, but resolution, complexity and platform are those of the last job. The caller sets ASYPD: see asypd().
[[nodiscard]] CoupledRun chain_of(const std::vector<CoupledRun> &jobs);

} // namespace cpl_lb
