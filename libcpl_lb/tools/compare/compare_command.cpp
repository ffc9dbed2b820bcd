// cpl-lb compare: which parts became faster or slower between two runs, or two states with several runs each.
#include "io/files/result_file.hpp"
#include "run/loaded/load_run.hpp"
#include "tools/commands.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/run_options.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    std::string before, after, junit, html;
    std::vector<std::string> more_before, more_after;
    double fail_if_slower = unknown;
    TimelineHints hints;
    Renames renames;
    bool json = false;
};

bool has_results(const fs::path &folder) {
    std::error_code error;
    if (fs::exists(folder / "load_balancing_info.json", error)) return true;
    for (const auto &entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("timeline_") && entry.path().extension() == ".nc") return true;
    }
    return false;
}

// The folder itself, or the folders in it that hold results: repetitions.
std::vector<std::string> runs_in(const std::string &folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error) || has_results(folder)) return {folder};
    std::vector<std::string> runs;
    for (const auto &entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) && has_results(entry.path())) runs.push_back(entry.path().string());
    std::sort(runs.begin(), runs.end());
    return runs.empty() ? std::vector{folder} : runs;
}

std::vector<std::string> folders_of(const std::string &first, const std::vector<std::string> &more) {
    std::vector<std::string> all = runs_in(first);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<CoupledRun> load_all(const std::vector<std::string> &folders, const TimelineHints &hints,
                                 Renames renames) {
    std::vector<CoupledRun> runs;
    runs.reserve(folders.size());
    for (const std::string &folder : folders)
        renames.apply(runs.emplace_back(load_figures(folder, hints, progress_of)));
    renames.check_all_used();
    return runs;
}

// "b/results" of /a/b/results with two parts.
std::string last_parts(const fs::path &path, std::size_t count) {
    fs::path parts;
    fs::path rest = path;
    for (std::size_t i = 0; i < count && rest.has_relative_path(); ++i, rest = rest.parent_path())
        parts = parts.empty() ? rest.filename() : rest.filename() / parts;
    return parts.empty() ? path.string() : parts.string();
}

// Names of folders: the last part of each path, or as many parts as are needed to tell two of different states apart.
std::vector<std::string> names_of_folders(const std::vector<std::string> &folders) {
    std::vector<fs::path> paths;
    paths.reserve(folders.size());
    std::size_t most = 1;
    for (const std::string &folder : folders) {
        std::error_code error;
        fs::path whole = fs::absolute(folder, error).lexically_normal();
        if (error) whole = folder;
        if (!whole.has_filename()) whole = whole.parent_path(); // "results/"
        most = std::max(most, static_cast<std::size_t>(std::distance(whole.begin(), whole.end())));
        paths.push_back(std::move(whole));
    }
    std::vector<std::string> names;
    for (std::size_t parts = 1; parts <= most; ++parts) {
        names.clear();
        names.reserve(paths.size());
        for (const fs::path &path : paths)
            names.push_back(last_parts(path, parts));
        if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
    }
    return names;
}

// The first so many folders are of the state before.
ComparedStates states_of(const std::vector<std::string> &folders, const std::vector<CoupledRun> &runs,
                         std::size_t before, const std::string &page) {
    const std::vector<std::string> names = names_of_folders(folders);
    ComparedStates states;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        const RunInfo &run = runs[i].run;
        ComparedRun &shown = (i < before ? states.before : states.after)
                                 .emplace_back(ComparedRun{names[i], run.id, address_of_run(folders[i], page)});
        if (!run.started.empty()) shown.about += (run.id.empty() ? "" : ", ") + run.started;
    }
    return states;
}

void run_compare(const CompareOptions &options) {
    std::vector<std::string> folders = folders_of(options.before, options.more_before);
    const std::size_t before = folders.size();
    std::ranges::move(folders_of(options.after, options.more_after), std::back_inserter(folders));
    const std::vector<CoupledRun> runs = load_all(folders, options.hints, options.renames);
    refuse_runs_twice(runs, folders);
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(before);
    const Comparison comparison = compare_runs({runs.begin(), middle}, {middle, runs.end()});
    const double limit = is_known(options.fail_if_slower) ? options.fail_if_slower : 0;
    if (!options.junit.empty()) write_result_file(options.junit, comparison_as_junit(comparison, limit));
    if (!options.html.empty()) {
        const ComparedStates states = states_of(folders, runs, before, options.html);
        write_result_file(options.html, comparison_as_page(comparison, states));
    }
    print(options.json ? comparison_as_json(comparison) : comparison_as_text(comparison));
    if (is_known(options.fail_if_slower) && slower_by_more(comparison, limit)) throw ThresholdCrossed();
}

} // namespace

void add_compare_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("compare", "Shows what became faster or slower between two runs\nThe run, and each "
                                      "component's computing and waiting, with 95 % intervals.");
    const auto o = std::make_shared<CompareOptions>();
    command->add_option("BEFORE", o->before, "folder with results, or with folders of several runs of the same state")
        ->required();
    command->add_option("AFTER", o->after, "the same for the other state")->required();
    command->add_option("--also-before", o->more_before, "one more run of the state before")->again();
    command->add_option("--also-after", o->more_after, "one more run of the state after")->again();
    add_timeline_options(*command, o->hints);
    o->renames.add_option(*command);
    command
        ->add_option("--fail-if-slower", o->fail_if_slower,
                     "exit status 3 if the run is shown to be slower, by more than this [%]")
        ->check(cli::not_negative());
    command->add_option("--junit", o->junit, "write the answer into this file (JUnit), for CI");
    command->add_option("--html", o->html, "write the answer as a page, with bars and steps of both runs");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_compare(*o); });
}

} // namespace cpl_lb
