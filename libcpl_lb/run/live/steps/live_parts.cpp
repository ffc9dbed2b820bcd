// Puts times, cores, clock, meters and remarks of a live run beside its components.
#include "run/live/steps/live_parts.hpp"

#include "analysis/batch_system.hpp"
#include "meters/bound_cores.hpp"
#include "meters/platform.hpp"
#include "meters/scheduling.hpp"
#include "run/live/steps/recording_problems.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

const char *variable(const char *name) {
    return std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets one
}

NodeProcessors node_here(const std::string &sysfs_root) {
    return {processors_of_node(), threads_of_core(sysfs_root)};
}

RunInfo run_info(const ProcessRecord &record, const Agreed &agreed) {
    RunInfo info;
    info.id = agreed.folder.run_id;
    info.submitted = record.settings.submitted;
    info.started = record.started;
    info.ended = utc_now();
    info.wall_s = to_seconds(agreed.clock.latest_arrival);
    info.simulated_s = agreed.clock.simulated_s > 0.0 ? agreed.clock.simulated_s : unknown;
    info.year_days = record.settings.year_days;
    info.coupler = record.coupler;
    info.processes = static_cast<std::int64_t>(agreed.present.size());
    const AllocatedCores known = cores_of_job(record.settings.cores, variable, node_here(record.settings.sysfs_root));
    info.cores = known.cores;
    info.cores_from = known.from;
    ReaderOptions roots;
    roots.sysfs_root = record.settings.sysfs_root;
    roots.procfs_root = record.settings.procfs_root;
    info.platform_facts = read_platform(roots, variable);
    info.platform = platform_text(info.platform_facts);
    return info;
}

// Processes of the model that did not come to cpl_lb_init, or not to cpl_lb_terminate.
void enter_missing(RunInfo &info, const ProcessRecord &record, const Agreed &agreed) {
    std::set<int> missing;
    for (int rank = 0; rank < record.process_map.size(); ++rank)
        missing.insert(record.process_map.in_model(rank));
    for (int rank = 0; rank < record.model_processes; ++rank)
        missing.insert(rank);
    for (const int rank : agreed.present)
        missing.erase(record.process_map.in_model(rank));
    info.missing_count = static_cast<std::int64_t>(missing.size());
    for (const int rank : missing)
        if (info.missing.size() < most_missing_named) info.missing.push_back(rank);
}

// Counts the missing processes of components of which others came. Ranks ascend in `present`.
void enter_missing_of_components(CoupledRun &run, const ProcessRecord &record, const Agreed &agreed) {
    auto next = agreed.present.begin();
    for (int rank = 0; rank < record.process_map.size(); ++rank) {
        if (next != agreed.present.end() && *next == rank) {
            ++next;
            continue;
        }
        for (Component &c : run.components)
            if (c.name == record.process_map.component_name_of(rank)) ++c.missing_processes;
    }
}

ClockInfo clock_info(const ProcessRecord &record, const RunClock &clock) {
    ClockInfo info;
    info.error_bound_s = to_seconds(clock.bound_ns);
    info.nodes = record.process_map.nodes();
    info.source = name_of(record.clock_source);
    return info;
}

void enter_all_meters(const ProcessRecord &record, const GatheredMeters &meters, CoupledRun &run) {
    run.meters.memory_wanted = record.settings.rss;
    run.meters.energy_wanted = record.settings.energy;
    run.meters.counters_wanted = record.settings.counters;
    enter_meters(meters, record.process_map, run);
}

void remark_problems(const ProcessRecord &record, const std::vector<Problem> &problems, CoupledRun &run) {
    const ProcessMap &process_map = record.process_map;
    for (const Problem &p : problems) {
        if (is_of_other_threads(p)) run.run.elsewhere_calls = p.count;
        if (is_of_other_threads(p)) run.run.elsewhere_s = p.seconds;
        run.remarks.push_back(
            p.text(process_map.size(), {process_map.in_model(p.lowest_rank),
                                        process_map.component_name_of(p.lowest_rank), process_map.nodes() > 1}));
    }
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; })) {
        run.remarks.push_back(
            say(Sentence::remark_too_many_exchanges, {{"bound", std::to_string(record.memory_bound_B >> 20U)}}));
    }
}

} // namespace

Budget analysis_budget(const ProcessRecord &record, const Agreed &agreed) {
    const bool later = record.settings.timeline && !agreed.folder.missing;
    return {record.settings.analysis_s,
            fmt::format("the analysis had used up its {:g} s of processor time (rn_analysis); {}",
                        record.settings.analysis_s,
                        later ? "cpl-lb summary " + agreed.folder.path + " computes what is missing"
                              : "without timelines nothing computes what is missing later")};
}

RunParts live_parts(const ProcessRecord &record, const Agreed &agreed, std::vector<Component> components,
                    const GatheredMeters &meters, const std::vector<Problem> &problems) {
    RunParts parts;
    CoupledRun &run = parts.run;
    run.components = std::move(components);
    run.component_names = agreed.catalogue.component_names;
    run.field_names = agreed.catalogue.field_names;
    run.run = run_info(record, agreed);
    enter_missing(run.run, record, agreed);
    enter_missing_of_components(run, record, agreed);
    run.clock = clock_info(record, agreed.clock);
    for (const int rank : agreed.present)
        parts.threads_of_processes += record.process_map.cores_of_rank[static_cast<std::size_t>(rank)];
    parts.all_recorded = record.partial.empty();
    parts.annotations_are_new = true;
    enter_all_meters(record, meters, run);
    remark_problems(record, problems, run);
    for (Component &c : run.components) {
        for (std::int32_t &rank : c.ranks)
            rank = record.process_map.in_model(rank);
        for (std::int32_t *rank : {&c.no_processor.most, &c.no_processor.most_outside})
            if (*rank >= 0) *rank = record.process_map.in_model(*rank);
    }
    return parts;
}

} // namespace cpl_lb
