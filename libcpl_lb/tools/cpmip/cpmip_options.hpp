// The options of cpl-lb cpmip and its words, and the functions that add those which several words share.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/production_plan.hpp"
#include "tools/command_line.hpp"
#include "tools/cpmip/job_log_files.hpp"
#include "tools/run_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// Of each word those that it has.
struct CpmipOptions {
    std::vector<std::string> directories; // of study and plan also one table
    std::string without_output, submitted, name, mode, models, svg;
    std::vector<std::string> platform_facts; // NAME=VALUE
    Platform platform;
    double platform_J = unknown, platform_core_hours = unknown;
    double resolution = unknown, complexity = unknown;
    std::int64_t cores_per_node = 0;
    TimelineHints hints;
    std::string log_path, simulated_per_job; // empty: there is no log
    JobLogOptions log;
    bool ensemble = false;
    std::string scaling; // the table of a scaling study; empty: the folders are its runs
    double at_least_sypd = unknown;
    PlanWish wish;
    std::string plan_start, plan_deadline, compare_svg;
    std::string hardware, platforms, from, to; // rows of models on two machines
    std::string price;                         // of an hour of each unit; empty: no prices
    std::vector<std::string> realms;           // REALM=COMPONENT,...; empty: no tree is wanted
    bool json = false, csv = false;
};

// --name, --resolution, --complexity: what the results may lack.
void add_model_options(cli::App &command, CpmipOptions &o);
void add_mode_option(cli::App &command, CpmipOptions &o);
void add_cores_per_node_option(cli::App &command, CpmipOptions &o);
// --platform NAME=VALUE. read_platform() enters what was given; throws cli::WrongUsage.
void add_platform_option(cli::App &command, CpmipOptions &o);
void read_platform(CpmipOptions &o);

// --log. what: the first words of its help.
cli::Option *add_log_option(cli::App &command, CpmipOptions &o, const char *what);
// What a log does not tell of its jobs: --simulated-per-job, --simulation-jobs, --cpus-per-core. The last two are
// refused without the log; the first also tells what the runs of a table simulated.
void add_job_options(cli::App &command, CpmipOptions &o, cli::Option *log);

// The rows of --models, or of table 1. Throws FileError.
[[nodiscard]] std::vector<ModelRow> models_of(const CpmipOptions &o);

// --json and --csv.
void add_output_options(cli::App &command, CpmipOptions &o);

// cpl-lb cpmip study, plan and machines.
void add_study_words(cli::App &cpmip);

} // namespace cpl_lb
