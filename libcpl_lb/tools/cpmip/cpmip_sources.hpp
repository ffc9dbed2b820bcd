// The sources of the CPMIP table (folders with results, or a job log alone), and its output.
#pragma once

#include "analysis/cpmip.hpp"
#include "analysis/job_log.hpp"
#include "analysis/model_rows.hpp"
#include "analysis/run_cost.hpp"
#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/production_plan.hpp"
#include "tools/cpmip/job_log_files.hpp"
#include "tools/run_options.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// The options of cpl-lb cpmip and its words: of each those that it has.
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

// The components of a run in the tree of CMIP's documents (ES-DOC): a model, its realms, and their components.
using Realms = std::set<std::size_t>; // by their places in ES-DOC's list

// The whole run, a realm, or a component. A component that covers several realms is one node with them.
struct TreeNode {
    std::string name; // of a realm or several: their names
    Realms realms;
    Held held;
    bool by_name = false;                              // a component whose realm was found by its name
    double resolution = unknown, complexity = unknown; // of a component
    std::vector<std::string> shares_with;              // of a realm: others on processes of its own
    std::vector<TreeNode> parts;                       // realms, then components in none
};

struct RealmTree {
    TreeNode toplevel;
    double in_components = unknown; // cores
    Held rest{unknown, unknown};    // of the run, but of no component; unknown if less than 0
};

// Realms by the components' names; a component that is not there may have one by its name ("ocn", "ATM", "sea_ice").
// Several jobs are one run, as in chain_of: cores are means over the wall time, costs those of all years together.
// `whole`: all jobs as one run.
using RealmsOfComponents = std::map<std::string, Realms>;
[[nodiscard]] RealmTree realm_tree(const std::vector<CoupledRun> &jobs, const CoupledRun &whole,
                                   const RealmsOfComponents &given);

// --realm: REALM=COMPONENT,..., or only "names". Throws cli::WrongUsage for a realm or a component that is none.
[[nodiscard]] RealmsOfComponents given_realms(const std::vector<std::string> &words,
                                              const std::vector<CoupledRun> &jobs);

[[nodiscard]] std::string realm_text(const RealmTree &tree);
// Names as in ES-DOC's class Performance, if it has them.
[[nodiscard]] JsonTree tree_json(const RealmTree &tree);

struct CpmipOutput {
    CoupledRun run; // one run, or a chain of jobs as one
    std::string name;
    char mode = ' ';
    std::size_t jobs = 1;
    std::int64_t nodes = 0;           // 0: not known
    std::vector<ModelRow> models;     // to compare with; empty: none asked for
    std::vector<std::string> remarks; // how it was put together
    std::optional<JobLogFigures> log; // if everything comes from a job log
    std::string log_of;               // "Slurm", "Autosubmit"
    ActualTime time;                  // empty without ASYPD
    std::optional<RealmTree> tree;    // if it is requested
    Prices prices;                    // of one run; empty: none given
};

[[nodiscard]] CpmipOutput output_of_folders(const CpmipOptions &options);
struct JobLog {
    const JobLogFormat *format = nullptr;
    std::vector<LoggedJob> jobs;
};
// The jobs of the log that is given, checked. alone: without results, so it must have all times, and the user gives
// the simulated lengths. Throws FileError.
[[nodiscard]] JobLog jobs_in_log(const CpmipOptions &options, bool alone);
// SYPD, CHSY, ASYPD, RSYPD and, if the log has joules, AJPSY. The user gives the simulated lengths.
[[nodiscard]] CpmipOutput output_of_job_log(const CpmipOptions &options);

// The cost with all cores of all nodes, used or not (Balaji et al. 2017, section 3.2, footnote 4).
void round_to_nodes(CoupledRun &run, std::int64_t cores_per_node);

// At most so many digits; "n/a" for NaN.
[[nodiscard]] std::string figure_text(double value, int digits = 6);

[[nodiscard]] std::string cpmip_as_text(const CpmipOutput &output);
[[nodiscard]] std::string cpmip_as_json(const CpmipOutput &output);
[[nodiscard]] std::string cpmip_as_csv(const CpmipOutput &output);    // a row of table 1, and more columns
[[nodiscard]] std::string cpmip_as_es_doc(const CpmipOutput &output); // the class Performance
// The models and, last, the run.
[[nodiscard]] std::vector<ModelRow> rows_with_run(const CpmipOutput &output);

// cpl-lb cpmip study: a table, or the folders of runs on several numbers of cores.
struct ScalingStudy {
    std::string name;
    std::vector<ScalingPoint> points; // repetitions as one, in order of the cores
    std::size_t runs = 0;             // with the repetitions
    ScalingModes modes;
    double wanted_sypd = unknown;
    ModelRow model; // what S and T have in common: resolution, complexity, platform
};

// Columns: SYPD, or seconds (with --simulated-per-job); cores or CHSY; counts (a text) if the same cores were split
// in several ways. Throws FileError with line and column.
[[nodiscard]] ScalingStudy scaling_study(const CpmipOptions &options);

[[nodiscard]] std::string scaling_as_text(const ScalingStudy &study);
[[nodiscard]] std::string scaling_as_json(const ScalingStudy &study);
[[nodiscard]] std::string scaling_as_csv(const ScalingStudy &study); // rows S and T in the form of table 1
[[nodiscard]] std::string scaling_as_svg(const ScalingStudy &study); // speed over cost
[[nodiscard]] ModelRow scaling_row(const ScalingStudy &study, std::size_t point, char mode);

// cpl-lb cpmip plan: a production plan in words, as json, and as two pictures. Throws cli::WrongUsage for wishes
// that contradict each other.
[[nodiscard]] ProductionPlan plan_of(const ScalingStudy &study, const CpmipOptions &options);

[[nodiscard]] std::string plan_as_text(const ScalingStudy &study, const ProductionPlan &plan);
[[nodiscard]] std::string plan_as_json(const ScalingStudy &study, const ProductionPlan &plan);
[[nodiscard]] std::string plan_as_svg(const ScalingStudy &study, const ProductionPlan &plan); // core hours over time
// Speed over cost for the resolution: the model's S and T among published rows. Throws FileError if the model's
// resolution is not known.
[[nodiscard]] std::string published_as_svg(const ScalingStudy &study, const std::vector<ModelRow> &published,
                                           const std::string &published_in);

// The same models on two machines. rows: CSV with model, machine (or platform, as in rows of --csv), SYPD, CHSY, and
// JPSY if known. platforms: CSV with machine, cores, clock_GHz, flop_per_cycle; empty: table 4. from, to: machines,
// or sums of them; empty: the two machines of the rows, in their order. Throws FileError.
[[nodiscard]] std::string hardware_compared(const std::string &rows, const std::string &platforms,
                                            const std::string &from, const std::string &to, bool json);

} // namespace cpl_lb
