// Speed and cost of an experiment: from its job log alone (docs/definitions.md, section 3; no file of the model is
// needed), and from the results of its jobs together.
#pragma once

#include "analysis/actual_time.hpp"
#include "data/coupled_run.hpp"
#include "data/job_log.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct JobLogFigures {
    std::size_t completed = 0, lost = 0, not_yet = 0; // simulation jobs
    double years = 0;                                 // of completed jobs
    double wall_s = 0;                                // the sum of their run times
    double core_hours = 0, lost_core_hours = 0;
    double energy_J = 0, lost_energy_J = 0;
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
