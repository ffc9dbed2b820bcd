// cpl-lb tune: starts a model again and again, each time with the counts that balance says by all runs so far, until
// no better ones are expected. The folders of the runs are its memory.
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/predictor.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/commands.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

namespace files = std::filesystem;

using NamedCounts = std::map<std::string, std::int64_t>; // processes of each component

struct TuneOptions : BalanceOptions { // total, limits, launch, json
    std::string log = "cpl_lb_tune.log", start;
    std::vector<std::string> command;
    double enough_percent = 2;
    std::int64_t most_runs = 8;
};

struct TuneRun {
    std::string folder;
    NamedCounts asked{};           // empty for a run of an earlier call
    double expected_s = unknown;   // a coupling cycle, before the run
    NamedCounts processes = asked; // as measured, if it was taken
    std::string why_not{};         // empty: it was taken
    double cycle_s = unknown;      // a coupling cycle, mean
};

// The next counts or, at the end, the best ones.
struct TuneStep {
    NamedCounts processes{};
    double expected_s = unknown;
    std::string stop{}; // why it ends, in words; empty: it goes on
    std::size_t best = 0;
    LaunchText launch{}; // of the best run
    std::vector<std::string> remarks{};
};

std::string in_words(const NamedCounts &counts) {
    std::vector<std::string> words;
    for (const auto &[name, count] : counts)
        words.push_back(name + "=" + std::to_string(count));
    return safe_name(joined(words, ","));
}

// Calls `value` with each name in braces, and puts its text there; with an empty text the braces stay.
template <class Value>
std::string filled_in(const std::string &pattern, const Value &value) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t close = pattern[at] == '{' ? pattern.find_first_of("{}", at + 1) : std::string::npos;
        const bool is_name = close != std::string::npos && pattern[close] == '}' && close > at + 1;
        const std::string filled = is_name ? value(pattern.substr(at + 1, close - at - 1)) : "";
        text += filled.empty() ? pattern.substr(at, 1) : filled;
        at = filled.empty() ? at + 1 : close + 1;
    }
    return text;
}

// Starts the command without a shell, with its output in a file, and waits for it. Returns in words how it ended;
// empty: with exit status 0.
std::string run_and_wait(std::vector<std::string> words, const std::string &output) {
    std::vector<char *> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t to_file;
    ::posix_spawn_file_actions_init(&to_file);
    ::posix_spawn_file_actions_addopen(&to_file, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::posix_spawn_file_actions_adddup2(&to_file, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, arguments[0], &to_file, nullptr, arguments.data(), ::environ);
    ::posix_spawn_file_actions_destroy(&to_file);
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start " + words[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for " + words[0]);
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

// A cycle with ten times the time of any other, and a quarter of all, is not due to the model.
std::string lone_long_cycle(std::vector<double> cycles) {
    if (cycles.size() < 3) return "";
    std::ranges::sort(cycles);
    const double longest = cycles.back(), second = cycles[cycles.size() - 2];
    if (longest < 10 * second || longest < mean(cycles) * static_cast<double>(cycles.size()) / 4) return "";
    return fmt::format("one coupling cycle takes {} s, the others at most {} s: the clock or the machine stood still",
                       number_text(longest), number_text(second));
}

// Reads the results in the folder of the run. Returns why they are not taken.
std::string measured_in(TuneRun &run, const BalanceOptions &options) {
    const CoupledRun whole = load_run(run.folder, {});
    const CoupledPart part = coupled_part(whole, options.without);
    if (std::string why = why_cores_not_known(part.run); !why.empty()) return why;
    const MeasuredGraph measured = measured_graph(part.run);
    if (!measured.why_no_cycle.empty()) return "no coupling cycle: " + measured.why_no_cycle;
    if (std::string why = lone_long_cycle(measured.cycle.measured_s); !why.empty()) return why;
    run.cycle_s = mean(measured.cycle.measured_s);
    if (!(run.cycle_s > 0)) return "its coupling cycles take no time: the clock went back";
    run.processes.clear();
    for (const Component &component : whole.components)
        run.processes[component.name] = static_cast<std::int64_t>(component.ranks.size());
    for (const auto &[name, count] : run.asked)
        if (run.processes.contains(name) && run.processes[name] != count) run.expected_s = unknown; // of other counts
    return "";
}

// In the folder of a run until its command has ended well: why it is not taken.
constexpr const char *mark_name = "not_taken.txt";

void take_results(TuneRun &run, const TuneOptions &options) {
    const std::string mark = path_in(run.folder, mark_name);
    try {
        run.why_not = files::exists(mark) ? read_text_file(mark) : measured_in(run, options);
    } catch (const std::runtime_error &error) { // no results, or half of them
        run.why_not = error.what();
    }
}

void run_one(TuneRun &run, const TuneOptions &options) {
    create_directory(run.folder);
    const std::string mark = path_in(run.folder, mark_name), output = path_in(run.folder, "output.txt");
    write_result_file(mark, "the command was interrupted");
    ::setenv("CPL_LB_ENABLED", "1", 1);
    ::setenv("CPL_LB_DIR", run.folder.c_str(), 1);
    std::vector<std::string> words;
    for (const std::string &word : options.command) {
        words.push_back(filled_in(word, [&](const std::string &name) {
            if (name == "dir") return run.folder;
            return run.asked.contains(name) ? std::to_string(run.asked.at(name)) : "";
        }));
    }
    const std::string ended = run_and_wait(words, output);
    if (ended.empty()) files::remove(mark);
    if (!ended.empty()) write_result_file(mark, "the command " + ended + " (its output: " + output + ")");
    take_results(run, options);
}

TuneStep first_step(const TuneOptions &options, const std::vector<std::string> &names) {
    TuneStep step;
    const std::int64_t node = std::max<std::int64_t>(1, options.cores_per_node);
    const std::int64_t each = std::max<std::int64_t>(1, options.total / std::ssize(names) / node * node);
    if (!options.start.empty()) step.processes = processor_counts("--start", options.start, names);
    std::int64_t all = 0;
    for (const std::string &name : names)
        all += step.processes.try_emplace(name, each).first->second;
    if (all <= options.total) return step;
    throw std::invalid_argument(
        fmt::format("the first run would take {} cores, and --total is {}", all, options.total));
}

std::string why_to_stop(const TuneOptions &options, const TuneStep &next, const std::vector<TuneRun> &runs) {
    std::int64_t taken = 0;
    for (const TuneRun &run : runs) {
        if (!run.why_not.empty()) continue;
        ++taken;
        if (run.processes == next.processes || run.asked == next.processes)
            return "the best counts by the runs so far were run: " + in_words(next.processes);
    }
    const double shorter = 1 - next.expected_s / runs[next.best].cycle_s;
    if (100 * shorter <= options.enough_percent)
        return fmt::format("by the runs so far no other counts make a cycle more than {:.3g} % shorter",
                           options.enough_percent);
    if (taken < options.most_runs) return "";
    return fmt::format("as many runs were made as --runs allows, {}; by these a cycle would be {} shorter with {}",
                       taken, share_in_words(shorter), in_words(next.processes));
}

TuneStep next_step(const TuneOptions &options, const std::vector<TuneRun> &runs,
                   const std::vector<std::string> &varied, CurveForm form) {
    std::vector<const TuneRun *> taken;
    for (const TuneRun &run : runs)
        if (run.why_not.empty()) taken.push_back(&run);
    if (taken.empty()) return first_step(options, varied);
    std::ranges::stable_sort(taken, {}, &TuneRun::cycle_s); // who waits for whom comes from the first
    TuneOptions of_all = options;
    for (const TuneRun *run : taken)
        of_all.directories.push_back(run->folder);
    const BalanceModel model = balance_model(of_all);
    BalanceProblem problem = problem_of(of_all, model, form);
    for (std::size_t c = 0; c < model.names.size(); ++c) // the command cannot change the others
        if (place_in(varied, model.names[c]) == varied.size())
            problem.allowed[c].counts = {model.measured->processes[c]};
    const std::vector<std::int64_t> counts = balance(problem, Objective::time, most_boxes(model)).counts;
    TuneStep step;
    const std::int64_t node = std::max<std::int64_t>(1, options.cores_per_node);
    for (const LaunchPart &part : launch_plan(model, counts, model.threads, node).parts)
        step.processes[part.name] = part.processes;
    for (const std::string &name : varied)
        if (!step.processes.contains(name))
            throw std::invalid_argument(no_such_component("{" + name + "}", name, model.names));
    step.best = static_cast<std::size_t>(taken.front() - runs.data());
    step.expected_s = taken.front()->cycle_s * model.expected_s(model.move_to(counts, model.threads), form) /
                      model.measured->measured_s();
    step.stop = why_to_stop(options, step, runs);
    if (options.launch.asked()) // also on the way: a mistake in a template shows early
        step.launch = launch_text(options.launch, launch_plan(model, model.measured->processes, model.threads, node));
    step.remarks = model.remarks;
    std::ranges::move(not_allowed_now(options.allowed, model), std::back_inserter(step.remarks));
    return step;
}

// What is printed about the runs stands in the log, too.
void tell(const TuneOptions &options, const std::string &text) {
    if (!options.json && !options.launch.is_template()) print(text);
    write_result_file(options.log, (files::exists(options.log) ? read_text_file(options.log) : "") + text);
}

std::string runs_as_text(const std::vector<TuneRun> &runs) {
    TextTable table({1, 4});
    table.row({"run", "processes", "cycle [{s}]", "expected", ""});
    for (const TuneRun &run : runs)
        table.row({std::to_string(&run - runs.data() + 1), in_words(run.processes), InSeconds{run.cycle_s},
                   InSeconds{run.expected_s}, run.why_not.empty() ? "" : "not taken: " + safe_name(run.why_not)});
    return table.text();
}

std::string as_json(const TuneStep &end, const std::vector<TuneRun> &runs) {
    const TuneRun &best = runs[end.best];
    JsonTree root = {{"processes", best.processes}, {"why", end.stop},        {"best_s", best.cycle_s},
                     {"best_run", end.best + 1},    {"remarks", end.remarks}, {"runs", JsonTree::array()}};
    for (const TuneRun &run : runs) {
        root["runs"].push_back({{"state", run.why_not.empty() ? "taken" : "refused"},
                                {"folder", run.folder},
                                {"processes", run.processes},
                                {"cycle_s", run.cycle_s},
                                {"expected_s", run.expected_s},
                                {"why", run.why_not}});
    }
    if (!end.launch.by_form.empty()) root["launch"] = launch_json(end.launch);
    return root.dump(2) + "\n";
}

void finish(const TuneOptions &options, const TuneStep &end, const std::vector<TuneRun> &runs) {
    const TuneRun &best = runs[end.best];
    const std::string text = fmt::format("{}\nStop: {}.\nThe best is run {} with {} s a coupling cycle.\n",
                                         in_words(best.processes), end.stop, end.best + 1, number_text(best.cycle_s));
    tell(options, text + remarks_in_words(end.remarks) + (end.launch.text.empty() ? "" : "\n" + end.launch.text) +
                      "\n" + runs_as_text(runs));
    if (options.json)
        print(as_json(end, runs));
    else if (options.launch.is_template())
        print_exactly(end.launch.text);
}

void run_all(const TuneOptions &options) {
    std::vector<std::string> varied;
    for (const std::string &word : options.command) {
        static_cast<void>(filled_in(word, [&](const std::string &name) {
            if (name != "dir" && place_in(varied, name) == varied.size()) varied.push_back(name);
            return "";
        }));
    }
    if (varied.empty()) throw std::invalid_argument("the command has no counts in it, such as {ocean}");
    const std::string stem = files::weakly_canonical(files::absolute(options.log)).replace_extension().string();
    const auto folder_of = [&](std::size_t run) { return stem + "_" + std::to_string(run); };
    std::vector<TuneRun> runs;
    for (TuneRun run{folder_of(1)}; files::exists(run.folder); run = {folder_of(runs.size() + 1)}) {
        take_results(run, options);
        runs.push_back(run);
    }
    for (int failed = 0;;) {
        TuneStep step = next_step(options, runs, varied, CurveForm::measured);
        const TuneStep end = step;
        if (!end.stop.empty()) step = next_step(options, runs, varied, CurveForm::hslb); // it may hope for more
        if (!step.stop.empty()) return finish(options, end, runs);
        TuneRun run{folder_of(runs.size() + 1), step.processes, step.expected_s};
        tell(options, fmt::format("Run {}: {}.\n", runs.size() + 1, in_words(run.asked)));
        run_one(run, options);
        runs.push_back(run);
        failed = run.why_not.empty() ? 0 : failed + 1;
        if (failed > 0) print_error(fmt::format("run {}: not taken: {}", runs.size(), run.why_not));
        if (failed == 2) throw PredictionError("two runs in a row gave no usable result; see " + run.folder);
    }
}

} // namespace

void add_tune_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "tune", "Finds the best processor counts by trying\nFor models that can restart with other counts: runs a "
                "command again and again, each time with the best counts by the runs so far.");
    const auto o = std::make_shared<TuneOptions>();
    command
        ->add_option("COMMAND", o->command,
                     "after --: runs the model; {ocean} is the ocean's processes, {dir} a folder for the run")
        ->required();
    command->add_option(
        "--log", o->log,
        "text of all runs; of tune.log, their folders are tune_1 and so on; default: cpl_lb_tune.log");
    command->add_option("--total", o->total, "cores for all components together, coupled or not")
        ->required()
        ->check(cli::count());
    command->add_option("--pes,--start", o->start, "processes of the first run: ocean=32,atmosphere=32");
    command->add_option("--enough", o->enough_percent, "stop if no more than this is to be gained [%]; default: 2")
        ->check(cli::in_range(0.0, 100.0));
    command->add_option("--runs", o->most_runs, "largest number of runs that can be taken; default: 8")
        ->check(cli::count(1000));
    add_limit_options(*command, *o);
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    add_launch_option(*command, o->launch);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] {
        read_words(*o);
        o->keep_threads = true;
        run_all(*o);
    });
}

} // namespace cpl_lb
