// The sources of cpl-lb cpmip's table: folders with results, or a job log alone.
#pragma once

#include "analysis/cpmip.hpp"
#include "tools/cpmip/cpmip_output.hpp"
#include "tools/cpmip/job_log_files.hpp"
#include "tools/timeline_options.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct CpmipOptions {
    std::vector<std::string> directories;
    std::string without_output, submitted, name, mode, models, svg;
    std::string centre; // a table of the computing centre's figures
    double platform_J = unknown, platform_core_hours = unknown;
    double resolution = unknown, complexity = unknown;
    std::int64_t cores_per_node = 0;
    Platform platform;
    TimelineHints hints;
    std::string sacct, autosubmit, simulated_per_job; // job logs
    JobLogOptions log;
    bool ensemble = false;
    std::string scaling; // a table of a scaling study
    bool study = false;  // the folders are runs of one
    double at_least_sypd = unknown;
    std::string hardware, platforms, from, to; // rows of models on two machines
    bool json = false, csv = false, es_doc = false, compare = false;
};

[[nodiscard]] CpmipOutput output_of_folders(const CpmipOptions &options);
// SYPD, CHSY, ASYPD, RSYPD and, where the log has joules, AJPSY; the simulated lengths are the user's.
[[nodiscard]] CpmipOutput output_of_job_log(const CpmipOptions &options);

// A job log's figures for runs with results: the energy, and with times the actual speed.
void enter_job_log(CoupledRun &run, const CpmipOptions &options, std::vector<std::string> &remarks);

// The cost with all cores of all nodes, used or not (Balaji et al. 2017, section 3.2, footnote 4).
void round_to_nodes(CoupledRun &run, std::int64_t cores_per_node);

} // namespace cpl_lb
