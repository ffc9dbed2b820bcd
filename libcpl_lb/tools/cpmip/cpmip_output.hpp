// The output of cpl-lb cpmip: the table of a run, alone and beside other models.
#pragma once

#include "analysis/job_log.hpp"
#include "analysis/model_rows.hpp"
#include "data/coupled_run.hpp"
#include "tools/cpmip/carbon_form.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct CpmipOutput {
    CoupledRun run; // one run, or a chain of jobs as one
    std::string name;
    char mode = ' ';
    std::size_t jobs = 1;
    std::int64_t nodes = 0;           // 0: not known
    std::vector<ModelRow> models;     // to compare with; empty: none asked for
    std::vector<std::string> remarks; // how it was put together
    std::optional<JobLogFigures> log; // where all comes from a job log
    std::string log_of;               // "Slurm", "Autosubmit"
    std::optional<CarbonForm> carbon; // where the computing centre's figures are given
};

[[nodiscard]] std::string cpmip_as_text(const CpmipOutput &output);
[[nodiscard]] std::string cpmip_as_json(const CpmipOutput &output);
// The models and, last, the run.
[[nodiscard]] std::vector<ModelRow> rows_with_run(const CpmipOutput &output);

} // namespace cpl_lb
