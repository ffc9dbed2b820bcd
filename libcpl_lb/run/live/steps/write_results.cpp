// Prints the remarks and writes the summaries and, from the timelines on the disk, the page. If a file cannot be
// written, this is reported, and the others are written all the same.
#include "run/live/steps/write_results.hpp"

#include "analysis/batch_system.hpp"
#include "analysis/run_cost.hpp"
#include "data/error_codes.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline.hpp"
#include "meters/platform.hpp"
#include "meters/processors.hpp"
#include "page/page.hpp"
#include "page/page_json.hpp"
#include "report/text_summary.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/unite.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/sentences.hpp"
#include "support/shell_words.hpp"
#include "support/some_of.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

void add_what_is_no_problem(CoupledRun &run, const ProcessRecord &record, const OutputFolder &folder) {
    if (!record.partial.empty()) run.remarks.insert(run.remarks.begin(), record.partial); // told in cpl_lb_init
    if (record.settings.sliced()) { // no complaint: it was asked for
        run.remarks.push_back(say(Sentence::remark_slice, {{"slice", slice_in_words(record.settings)}}));
    }
    if (!folder.remark.empty()) run.remarks.push_back(folder.remark); // was printed already
}

// Returns whether the file is there. answers: the folder does; once it does not, it is left alone.
bool write(const OutputFolder &folder, const char *name, std::string text, double patience_s, bool &answers,
           CoupledRun &run, ProblemList &problems) {
    if (!answers) return false;
    const std::string path = path_in(folder.path, name);
    try {
        answers = done_within(
            patience_s, [path, room = folder.probe, owned = std::make_shared<const std::string>(std::move(text))] {
                if (room) room->give_room_back();
                write_result_file(path, *owned);
            });
        if (!answers)
            throw FileError(path, not_answered(patience_s) + ": neither it nor what comes after it is written");
        return true;
    } catch (const std::exception &e) {
        const bool names_file = dynamic_cast<const FileError *>(&e) != nullptr;
        const std::string why = names_file ? e.what() : fmt::format("{}: {}", name, in_words(e));
        problems.note(error::io);
        problems.lose_results();
        tell(why);
        run.remarks.push_back(why);
        return false;
    }
}

// Lists the timelines of this run in the folder, and no other files.
void list_timelines(const std::string &folder, const Catalogue &catalogue, const std::vector<TimelineIs> &timelines,
                    std::vector<std::string> &files) {
    const std::vector<std::string> stems = file_stems(catalogue.component_names);
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        if (timelines[i] != TimelineIs::in_the_folder) continue;
        files.push_back(timeline_name_in(folder, stems[i]));
        if (const std::string words = words_for_other_name(files.back(), stems[i]); !words.empty()) tell(words);
    }
}

// An error here is printed and has no other effect: all figures are in the other files.
void write_report(CoupledRun &run, const ProcessRecord &record, const std::string &folder, const Budget &budget,
                  std::string fields, std::vector<std::string> &files, ProblemList &problems) {
    if (!record.settings.report) return;
    try {
        PageSources sources;
        for (const std::string &file : files)
            if (file.starts_with("timeline_")) sources.timelines.push_back(path_in(folder, file));
        if (!record.settings.timeline) sources.why_no_timeline = "timelines were switched off (ln_timeline)";
        sources.fields = std::move(fields);
        sources.most_read = most_read_at_terminate;
        sources.most_held = static_cast<std::int64_t>(record.memory_bound_B / 64); // 16 bytes each: a quarter
        sources.longest_s = longest_at_terminate_s;
        sources.budget = budget.saying(fmt::format("the analysis had used up its {:g} s of processor time "
                                                   "(rn_analysis); cpl-lb report {} shows them",
                                                   record.settings.analysis_s, shell_path(folder)));
        write_page(path_in(folder, page_file_name), run, sources);
        files.emplace_back(page_file_name);
    } catch (const std::exception &e) {
        problems.note(error::io);
        tell(std::string("the page could not be written: ") + in_words(e));
    }
}

// A page without them is better than no results.
std::string fields_while_there(const CoupledRun &run, const ProcessRecord &record) {
    try {
        return record.settings.report ? field_rows(run) : "";
    } catch (const std::exception &) {
        return "";
    }
}

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
    info.members = record.settings.members;
    info.zero.time = utc_text_ns(agreed.clock.zero_realtime_ns);
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
    enter_meters(meters, record.process_map, record.settings.gpus, run);
    run.meters.memory_wanted = record.settings.rss;
    run.meters.energy_wanted = record.settings.energy;
    run.meters.counters_wanted = record.settings.counters;
    enter_torque_cores(variable, run.meters.nodes);
    for (NodeMeters &node : run.meters.nodes)
        node.kind = automatic_kind(node);
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
    if (std::ranges::any_of(run.components, [](const Component &c) { return c.table_left_out; })) {
        run.remarks.push_back(
            say(Sentence::remark_too_many_exchanges, {{"bound", std::to_string(record.memory_bound_B >> 20U)}}));
    }
}

} // namespace

void assemble_and_write(CollectedComponents all, const GatheredMeters &meters, const std::vector<Problem> &of_all,
                        const ProcessRecord &record, const Agreed &agreed, ProblemList &problems) {
    const Budget budget = analysis_budget(record, agreed);
    CoupledRun run = assemble(live_parts(record, agreed, std::move(all.components), meters, of_all), budget);
    std::string fields = fields_while_there(run, record);
    if (!record.settings.report || !shows_arrivals(run))
        for (Component &c : run.components)
            c.table = {}; // what follows needs the figures only
    write_results(std::move(run), record, agreed, all.timelines, problems, budget, std::move(fields));
}

void write_results(CoupledRun run, const ProcessRecord &record, const Agreed &agreed,
                   const std::vector<TimelineIs> &timelines, ProblemList &problems, const Budget &budget,
                   std::string fields) {
    for (const std::string &remark : run.remarks)
        tell(remark);
    add_what_is_no_problem(run, record, agreed.folder);
    const RunClock &clock = agreed.clock;
    const Nanoseconds now = clock.to_run_time(static_cast<Nanoseconds>(record.transport->now_ns()));
    run.analysis_s = to_seconds(now - clock.latest_arrival);
    const std::string &folder = agreed.folder.path;
    std::vector<std::string> files;
    const double patience_s = std::max(record.settings.timeout_s, least_patience_s);
    bool answers = true;
    if (!agreed.folder.missing) {
        for (const char *name : {"load_balancing_info.txt", "load_balancing_info.json"}) {
            const bool text = std::string_view(name).ends_with(".txt");
            if (write(agreed.folder, name, text ? text_summary(run) : info_json(run), patience_s, answers, run,
                      problems))
                files.emplace_back(name);
        }
        if (answers) list_timelines(folder, agreed.catalogue, timelines, files);
        if (answers) write_report(run, record, folder, budget, std::move(fields), files, problems);
    }
    if (record.settings.print && !write_to_stream(STDOUT_FILENO, screen_summary(run, folder, files)) &&
        !files.empty())
        tell("nobody takes the summary from standard output: it is in " + path_in(folder, files.front()));
}

void end_spool(Group &present, const ProcessRecord &record, bool keep_here) {
    if (!record.settings.spool) return;
    const bool failed = record.transport->failed();
    std::int32_t keep = keep_here || failed ? 1 : 0;
    try {
        if (!failed) reduce_for_all(present, std::span(&keep, 1), keep_larger);
    } catch (const MessageFailed &) {
        keep = 1;
    }
    if (record.recorder && keep == 0) record.recorder->store().first_source().remove_file();
    if (present.leads() && keep != 0) {
        tell(fmt::format("the spool files in {} are kept: cpl-lb recover makes results from them",
                         record.settings.spool_directory));
    }
}

Budget analysis_budget(const ProcessRecord &record, const Agreed &agreed) {
    const bool later = record.settings.timeline && !agreed.folder.missing;
    return {record.settings.analysis_s,
            fmt::format("the analysis had used up its {:g} s of processor time (rn_analysis); {}",
                        record.settings.analysis_s,
                        later ? "cpl-lb summary " + shell_path(agreed.folder.path) + " computes what is missing"
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
