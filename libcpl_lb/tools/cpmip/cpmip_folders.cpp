// The table from folders with results: one run, a chain of jobs, a run with and one without output.
#include "analysis/job_chain.hpp"
#include "io/files/file_error.hpp"
#include "io/settings/settings_time.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/progress_line.hpp"

#include <algorithm>
#include <filesystem>

namespace cpl_lb {
namespace {

CoupledRun load(const std::string &directory, const CpmipOptions &options) {
    CoupledRun run = load_figures(directory, options.hints, progress_of);
    round_to_nodes(run, options.cores_per_node);
    return run;
}

// The same job given twice would count twice. Jobs of a chain may bear one name (cn_run), but do not start together.
void refuse_the_same(const std::vector<CoupledRun> &jobs, const std::vector<std::string> &directories) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const RunInfo &a = jobs[j].run, &b = jobs[i].run;
            std::error_code error;
            const bool same_folder = std::filesystem::equivalent(directories[j], directories[i], error);
            if (!same_folder && (a.id.empty() || a.id != b.id || a.started != b.started || a.ended != b.ended))
                continue;
            throw FileError(directories[i], same_folder ? "the same folder is given twice"
                                                        : "holds the same job as " + directories[j] + ": " + a.id);
        }
    }
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
    refuse_the_same(jobs, options.directories);
    CoupledRun run = chain_of(in_order_of_start(jobs));
    Cpmip &c = run.cpmip;
    if (!options.submitted.empty()) run.run.submitted = options.submitted;
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    enter_job_log(run, options, output.remarks);
    if (!options.without_output.empty()) {
        const CoupledRun without = load(options.without_output, options);
        for (std::size_t i = 0; i < jobs.size(); ++i)
            refuse_the_same({jobs[i], without}, {options.directories[i], options.without_output});
        c.data_output_cost = data_output_cost(c.chsy, without.cpmip.chsy);
        output.remarks.push_back(fmt::format("data output cost by equation 10, against {}", options.without_output));
    }
    output.run = std::move(run);
    output.jobs = jobs.size();
    return output;
}

} // namespace cpl_lb
