// Tells the remarks and writes the summaries and, from the timelines on the disk, the page. A file that cannot be
// written is told, and the others are written all the same.
#include "run/live/steps/write_results.hpp"

#include "data/error_codes.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_place.hpp"
#include "page/page.hpp"
#include "page/page_json.hpp"
#include "report/text_summary.hpp"
#include "run/live/steps/live_parts.hpp"
#include "run/live/steps/recording_problems.hpp"
#include "support/clock.hpp"
#include "support/done_within.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <memory>
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
    if (!folder.remark.empty()) run.remarks.push_back(folder.remark); // told already
}

// Returns whether the file is there. answers: the folder does; once it does not, it is left alone.
bool write(const std::string &folder, const char *name, std::string text, double patience_s, bool &answers,
           CoupledRun &run, ProblemList &problems) {
    if (!answers) return false;
    const std::string path = path_in(folder, name);
    try {
        answers = done_within(patience_s, [path, owned = std::make_shared<const std::string>(std::move(text))] {
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

// Lists the timelines of this run that are in the folder, whatever else lies there.
void list_timelines(const std::string &folder, const Catalogue &catalogue, const std::vector<TimelineIs> &timelines,
                    std::vector<std::string> &files) {
    const std::vector<std::string> stems = file_stems(catalogue.component_names);
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        if (timelines[i] != TimelineIs::in_the_folder) continue;
        files.push_back(timeline_name_in(folder, stems[i]));
        if (const std::string words = words_for_other_name(files.back(), stems[i]); !words.empty()) tell(words);
    }
}

// An error here is printed and changes nothing else: all figures are in the other files.
void write_report(const CoupledRun &run, const ProcessRecord &record, const std::string &folder, const Budget &budget,
                  std::vector<std::string> &files, ProblemList &problems) {
    if (!record.settings.report) return;
    try {
        PageSources sources;
        for (const std::string &file : files)
            if (file.starts_with("timeline_")) sources.timelines.push_back(path_in(folder, file));
        if (!record.settings.timeline) sources.why_no_timeline = "timelines were switched off (ln_timeline)";
        sources.most_read = most_read_at_terminate;
        sources.most_held = static_cast<std::int64_t>(record.memory_bound_B / 64); // 16 bytes each: a quarter
        sources.longest_s = longest_at_terminate_s;
        sources.budget = budget.saying(fmt::format("the analysis had used up its {:g} s of processor time "
                                                   "(rn_analysis); cpl-lb report {} shows them",
                                                   record.settings.analysis_s, folder));
        write_page(path_in(folder, page_file_name), run, sources);
        files.emplace_back(page_file_name);
    } catch (const std::exception &e) {
        problems.note(error::io);
        tell(std::string("the page could not be written: ") + in_words(e));
    }
}

} // namespace

void assemble_and_write(CollectedComponents all, const GatheredMeters &meters, const std::vector<Problem> &of_all,
                        const ProcessRecord &record, const Agreed &agreed, ProblemList &problems) {
    const Budget budget = analysis_budget(record, agreed);
    CoupledRun run = assemble(live_parts(record, agreed, std::move(all.components), meters, of_all), budget);
    if (!record.settings.report || !shows_arrivals(run))
        for (Component &c : run.components)
            c.table = {}; // what follows needs the figures only
    write_results(std::move(run), record, agreed, all.timelines, problems, budget);
}

void write_results(CoupledRun run, const ProcessRecord &record, const Agreed &agreed,
                   const std::vector<TimelineIs> &timelines, ProblemList &problems, const Budget &budget) {
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
            if (write(folder, name, text ? text_summary(run) : info_json(run), patience_s, answers, run, problems))
                files.emplace_back(name);
        }
        if (answers) list_timelines(folder, agreed.catalogue, timelines, files);
        if (answers) write_report(run, record, folder, budget, files, problems);
    }
    if (record.settings.print) write_to_stream(STDOUT_FILENO, screen_summary(run, folder, files));
}

} // namespace cpl_lb
