// cpl-lb history: many runs in one file, over time.
#include "history/history_file.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"
#include "tools/commands.hpp"
#include "tools/history/history_output.hpp"
#include "tools/run_options.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace cpl_lb {
namespace {

constexpr const char *usual_file = "cpl_lb_history.sqlite";

struct HistoryOptions {
    std::string file = usual_file, output = "cpl_lb_history.html", run, members;
    std::vector<std::string> directories;
    std::int64_t last = 20;
    TimelineHints hints;
    Renames renames;
    bool json = false;
};

void add(const HistoryOptions &options) {
    std::vector<RunRecord> runs;
    runs.reserve(options.directories.size());
    for (const std::string &directory : options.directories) {
        std::error_code error;
        const auto whole = std::filesystem::absolute(directory, error);
        runs.push_back(
            record_of(load_figures(directory, options.hints, progress_of), error ? directory : whole.string()));
    }
    const AddedRuns added = add_to_history(options.file, runs);
    if (!added.damaged.empty())
        std::fprintf(stderr, "cpl-lb: %s was damaged: it is kept as %s, and a new history begins\n",
                     safe_name(options.file).c_str(), safe_name(added.damaged).c_str());
    print(fmt::format("{}: {} added, {} known before\n", options.file, added.added, added.known_before));
}

HistoryView view(const HistoryOptions &options) {
    std::vector<RunRecord> runs = read_history(options.file);
    if (!options.run.empty() &&
        std::erase_if(runs, [&](const RunRecord &run) { return run.name != options.run; }) > 0 && runs.empty())
        throw FileError(options.file, "holds no run of the name '" + options.run + "'");
    Renames renames = options.renames;
    for (RunRecord &run : runs)
        renames.apply(run);
    renames.check_all_used();
    return view_of(std::move(runs));
}

void show_members(const HistoryOptions &options) {
    const RunMembers members = run_members(read_history(options.file), options.members);
    if (members.of.size() < 2)
        throw FileError(options.file, "holds fewer than two jobs whose names are like '" + options.members + "'");
    print(options.json ? members_as_json(members) : members_as_text(members));
}

void show(const HistoryOptions &options) {
    if (!options.members.empty()) return show_members(options);
    const HistoryView shown = view(options);
    print(options.json ? history_as_json(shown) : history_as_text(shown, static_cast<std::size_t>(options.last)));
}

void write_page(const HistoryOptions &options) {
    write_result_file(options.output, history_as_page(view(options), options.output));
    print_exactly(options.output + "\n");
}

} // namespace

void add_history_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "history", "Keeps many runs, and shows when speed or cost changed\nAnd waiting; all runs are in one file.");
    command->require_subcommand();
    const auto o = std::make_shared<HistoryOptions>();
    const auto file = [&](cli::App &one) {
        one.add_option("--file", o->file, fmt::format("file of the history (SQLite); default: {}", usual_file));
    };
    cli::App *adds = command->add_subcommand("add", "Adds runs. A run that is already in the file changes nothing");
    adds->add_option("DIR", o->directories, "folders with results")->required();
    file(*adds);
    add_timeline_options(*adds, o->hints);
    adds->callback([o] { add(*o); });
    cli::App *shows = command->add_subcommand("show", "Shows what changed, and a table of the last runs");
    file(*shows);
    const auto name = [&](cli::App &one) { one.add_option("--run", o->run, "only the runs of this name (cn_run)"); };
    name(*shows);
    o->renames.add_option(*shows);
    shows->add_option("--last", o->last, "number of runs in the table; default: 20")->check(cli::count());
    shows
        ->add_option("--members", o->members,
                     "jobs of one ensemble, by their names (cn_run), such as 'ens_*': the slowest, the fastest, and "
                     "all of them")
        ->check([](const std::string &text) {
            return text.find('*') == std::string::npos ? "'" + text + "' has no *, as in ens_*" : std::string();
        });
    shows->add_flag("--json", o->json, "print all runs and changes as JSON, for programs");
    shows->callback([o] { show(*o); });
    cli::App *page =
        command->add_subcommand("html", "Makes a page with the figures over time, and a table of all runs");
    file(*page);
    name(*page);
    o->renames.add_option(*page);
    page->add_option("-o,--output", o->output, "file to write; default: cpl_lb_history.html");
    page->callback([o] { write_page(*o); });
}

} // namespace cpl_lb
