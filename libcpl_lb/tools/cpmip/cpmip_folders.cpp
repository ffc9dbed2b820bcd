// The table from folders with results: one run, a chain of jobs, a run with and one without output.
#include "analysis/job_chain.hpp"
#include "io/settings/settings_time.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/folders_once.hpp"
#include "tools/progress_line.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

CoupledRun load(const std::string &directory, const CpmipOptions &options) {
    CoupledRun run = load_figures(directory, options.hints, progress_of);
    round_to_nodes(run, options.cores_per_node);
    return run;
}

std::vector<CoupledRun> in_order_of_start(std::vector<CoupledRun> jobs) {
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const CoupledRun &a, const CoupledRun &b) { return a.run.started < b.run.started; });
    return jobs;
}

} // namespace

void round_to_nodes(CoupledRun &run, std::int64_t cores_per_node) {
    if (cores_per_node == 0) return;
    Cpmip &c = run.cpmip;
    const double whole = in_whole_nodes(c.parallelization, cores_per_node);
    const double ratio = whole / c.parallelization;
    c.parallelization = whole;
    c.chsy *= ratio;
    c.data_intensity /= ratio;
    const double servers = io_server_cost(run, cores_per_node);
    if (is_known(servers)) c.data_output_cost = servers;
}

CpmipOutput output_of_folders(const CpmipOptions &options) {
    CpmipOutput output;
    std::vector<CoupledRun> jobs;
    for (const std::string &directory : options.directories)
        jobs.push_back(load(directory, options));
    refuse_runs_twice(jobs, options.directories);
    CoupledRun run = chain_of(in_order_of_start(jobs));
    Cpmip &c = run.cpmip;
    if (!options.submitted.empty()) run.run.submitted = options.submitted;
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    enter_job_log(run, options, output.remarks);
    if (!options.without_output.empty()) {
        const CoupledRun without = load(options.without_output, options);
        for (std::size_t i = 0; i < jobs.size(); ++i)
            refuse_runs_twice({jobs[i], without}, {options.directories[i], options.without_output});
        c.data_output_cost = data_output_cost(c.chsy, without.cpmip.chsy);
        output.remarks.push_back(fmt::format("data output cost by equation 10, against {}", options.without_output));
    }
    output.run = std::move(run);
    output.jobs = jobs.size();
    return output;
}

} // namespace cpl_lb
