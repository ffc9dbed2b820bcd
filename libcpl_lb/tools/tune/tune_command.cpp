// cpl-lb tune: counts for a model that can restart with others, run by run: one step between batch jobs, or the whole
// loop inside of one job.
#include "io/files/result_file.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/commands.hpp"
#include "tools/tune/tune_decision.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

[[noreturn]] void fail(const std::string &what, int error) {
    throw std::runtime_error(what + ": " + std::generic_category().message(error));
}

// Standard output and standard error go to a file.
class ToFile {
public:
    explicit ToFile(const std::string &path) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                           0666);
        ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    }
    ~ToFile() { ::posix_spawn_file_actions_destroy(&actions_); }
    ToFile(const ToFile &) = delete;
    ToFile &operator=(const ToFile &) = delete;
    [[nodiscard]] const posix_spawn_file_actions_t *actions() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

std::vector<char *> pointers(std::vector<std::string> &words) {
    std::vector<char *> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::string &results) {
    std::vector<std::string> environment = {"CPL_LB_ENABLED=1", "CPL_LB_DIR=" + results};
    for (char **one = ::environ; *one != nullptr; ++one) {
        const std::string_view word = *one;
        if (!word.starts_with("CPL_LB_ENABLED=") && !word.starts_with("CPL_LB_DIR=")) environment.emplace_back(word);
    }
    return environment;
}

// Starts a command without a shell, with CPL_LB_ENABLED=1 and CPL_LB_DIR=results and its output in the file `output`,
// and waits for it. Returns in words how it ended: empty for exit status 0. Throws std::runtime_error if it cannot be
// started.
std::string run_and_wait(const std::vector<std::string> &words, const std::string &results,
                         const std::string &output) {
    std::vector<std::string> arguments = words, environment = environment_with(results);
    const ToFile to_file(output);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, arguments.front().c_str(), to_file.actions(), nullptr,
                                     pointers(arguments).data(), pointers(environment).data());
    if (error != 0) fail("cannot start " + words.front(), error);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("waiting for " + words.front(), errno);
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

namespace files = std::filesystem;

std::string whole_path(const std::string &path) {
    std::error_code error;
    const files::path whole = files::weakly_canonical(files::absolute(path, error), error);
    return error ? path : whole.string();
}

// Counts that were requested but not run are chosen again, with everything that is known by now.
TuneRow take_pending(std::vector<TuneRow> &rows) {
    TuneRow pending;
    while (!rows.empty() && !rows.back().was_run()) {
        if (rows.back().state == TuneState::asked) pending = rows.back();
        rows.pop_back();
    }
    return pending;
}

bool is_known_folder(const std::vector<TuneRow> &rows, const std::string &folder) {
    return std::ranges::any_of(
        rows, [&](const TuneRow &row) { return row.folder == folder && row.state == TuneState::taken; });
}

TuneRow row_of(const TuneDecision &decision) {
    return {decision.stop ? TuneState::stop : TuneState::asked,
            "",
            "",
            decision.processes,
            unknown,
            unknown,
            decision.step.expected_s,
            is_known(decision.best_cycle_s) ? decision.step.left : unknown,
            decision.words};
}

// The results of a folder in the log must be those that were read from it before.
void check_folders(const TuneOptions &options, const std::vector<TuneRow> &rows) {
    for (const TuneRow &row : rows) {
        if (row.state != TuneState::taken) continue;
        TuneRow again{TuneState::asked, row.folder, "", row.processes};
        take_results(again, options, {});
        if (again.state != TuneState::taken) throw std::runtime_error(row.folder + ": " + again.words);
        if (!same_run(again, row))
            throw std::runtime_error(row.folder + " now holds another run than the one in " + options.log +
                                     ": each run needs a folder of its own (CPL_LB_DIR)");
    }
}

void tell(const TuneOptions &options, const TuneDecision &decision, const std::vector<TuneRow> &rows) {
    if (!options.json && is_template_alone(options.balance.launch))
        print_exactly(decision.launch.text);
    else if (!options.pattern.empty())
        print_exactly(filled_in(options.pattern, decision.processes, "") + "\n");
    else
        print(options.json ? tune_as_json(decision, rows) : tune_as_text(decision, rows));
}

// Adds the forms that the user requested.
void add_launch(TuneDecision &decision, const TuneOptions &options) {
    if (options.balance.launch.asked()) decision.launch = launch_text(options.balance.launch, decision.plan);
}

void check_forms(const TuneOptions &options) {
    check(options.balance.launch);
    if (!options.pattern.empty() && options.balance.launch.asked())
        throw std::invalid_argument(
            "--print is for one text, and --launch or --template is another: give one of them");
}

void say_next(const TuneOptions &options) {
    check_forms(options);
    std::vector<TuneRow> rows = read_tune_log(options.log);
    check_folders(options, rows);
    TuneRow pending = take_pending(rows);
    for (const std::string &folder : options.folders) {
        const std::string whole = whole_path(folder);
        if (is_known_folder(rows, whole)) continue;
        TuneRow row = pending;
        pending = {};
        row.folder = whole;
        take_results(row, options, rows);
        if (row.state == TuneState::refused)
            std::fprintf(stderr, "cpl-lb: %s: %s\n", safe_name(folder).c_str(), safe_name(row.words).c_str());
        rows.push_back(std::move(row));
    }
    if (!rows.empty()) write_tune_log(options.log, rows);
    if (!options.folders.empty()) check_failures(rows);
    TuneDecision decision = decide(options, rows, placeholders(options.pattern));
    add_launch(decision, options);
    std::vector<TuneRow> with_next = rows;
    with_next.push_back(row_of(decision));
    write_tune_log(options.log, with_next);
    tell(options, decision, rows);
    if (decision.stop) throw ThresholdCrossed();
}

// A folder beside the log that does not exist yet: run.csv, run_1, run_2, ...
std::string new_folder(const std::string &log, std::size_t run) {
    const files::path stem = files::path(whole_path(log)).replace_extension();
    for (std::size_t n = run;; ++n) {
        std::string folder = stem.string() + "_" + std::to_string(n);
        if (!files::exists(folder)) return folder;
    }
}

void run_one(const TuneOptions &options, TuneRow &row) {
    create_directory(row.folder);
    std::vector<std::string> words;
    for (const std::string &word : options.command)
        words.push_back(filled_in(word, row.processes, row.folder));
    const std::string ended = run_and_wait(words, row.folder, path_in(row.folder, "output.txt"));
    if (ended.empty()) return;
    row.state = TuneState::refused;
    row.words = "not taken: the command " + ended + " (its output: " + path_in(row.folder, "output.txt") + ")";
}

void run_all(const TuneOptions &options) {
    check_forms(options);
    std::string all;
    for (const std::string &word : options.command)
        all += word + "\n";
    const std::vector<std::string> varied = placeholders(all);
    if (varied.empty())
        throw std::invalid_argument("the command has no counts in it: write {ocean} where the processes of the "
                                    "ocean stand");
    std::vector<TuneRow> rows = read_tune_log(options.log);
    check_folders(options, rows);
    static_cast<void>(take_pending(rows));
    const std::size_t before = rows.size();
    for (;;) {
        TuneDecision decision = decide(options, rows, varied);
        std::vector<TuneRow> with_next = rows;
        with_next.push_back(row_of(decision));
        write_tune_log(options.log, with_next);
        if (is_known(decision.best_cycle_s)) add_launch(decision, options); // mistakes in a template show early
        if (decision.stop) {
            tell(options, decision, rows);
            return;
        }
        TuneRow row = with_next.back();
        row.folder = new_folder(options.log, rows.size() + 1);
        if (!options.json && !is_template_alone(options.balance.launch))
            print(fmt::format("Run {}: {}; {}.\n", rows.size() + 1, safe_name(in_words(row.processes)),
                              safe_name(row.words)));
        run_one(options, row);
        if (row.state != TuneState::refused) take_results(row, options, rows);
        if (row.state == TuneState::refused)
            std::fprintf(stderr, "cpl-lb: run %zu: %s\n", rows.size() + 1, safe_name(row.words).c_str());
        rows.push_back(std::move(row));
        write_tune_log(options.log, rows);
        if (rows.size() > before + 1) check_failures(rows);
    }
}

void add_tune_options(cli::App &command, TuneOptions &o) {
    command.add_option("--log", o.log, "table of the runs so far, made if it is missing; default: cpl_lb_tune.csv");
    command
        .add_option("--total", o.balance.total,
                    "cores for all components together, also for the ones outside of the coupling")
        ->required()
        ->check(cli::count());
    command.add_option("--pes,--start", o.start, "processes of the first run: ocean=32,atmosphere=32");
    command.add_option("--enough", o.enough_percent, "stop if less than this is left to gain [%]; default: 2")
        ->check(cli::in_range(0.0, 100.0));
    command.add_option("--runs", o.most_runs, "largest number of runs; default: 8")->check(cli::count(1000));
    add_limit_options(command, o.balance);
    add_launch_options(command, o.balance.launch);
    command.add_flag("--json", o.json, "print JSON, for programs");
}

} // namespace

void add_tune_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("tune", "Finds the best processor counts by trying\nFor models that can restart with "
                                   "other counts: gives the next counts, and says when to stop.");
    command->require_subcommand();
    const auto o = std::make_shared<TuneOptions>();
    cli::App *step =
        command->add_subcommand("next", "Does one step, between batch jobs: reads the results of the last run and "
                                        "prints the counts of the next run; exit status 3 means stop");
    step->add_option("DIR", o->folders, "folders with results that are not in the log yet");
    step->add_option("--print", o->pattern,
                     "print only this, with the counts filled in: '-np {ocean} ./ocean : -np {atmosphere} ./atm'");
    add_tune_options(*step, *o);
    step->callback([o] { say_next(*o); });
    cli::App *loop = command->add_subcommand(
        "run", "Does all steps: runs a command again and again with other counts, until nothing is left to gain");
    loop->add_option("COMMAND", o->command,
                     "after --: the command that runs the model, with {ocean} in place of the ocean's processes, and "
                     "{dir} in place of a folder for the run")
        ->required();
    add_tune_options(*loop, *o);
    loop->callback([o] { run_all(*o); });
}

} // namespace cpl_lb
