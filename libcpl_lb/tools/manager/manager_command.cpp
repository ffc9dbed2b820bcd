// cpl-lb manager: simulates the run-time manager with a model, or with the benchmark of its paper.
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/managed_run.hpp"
#include "prediction/predictor.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "run/loaded/load_run.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/commands.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

// One run of a manager.
struct ManagedAnswer {
    std::vector<std::string> names;
    std::string search, start; // of the benchmark: INIT1; else empty
    ManagedRun run;
    std::string basis; // on which measurements it rests, a line; empty: none is extrapolated, or the benchmark's
};

// Table I: the paper's columns, and the means of the runs with each start.
struct TableColumn {
    kim::PrintedStart printed;
    double first_s = 0, final_s = 0, found_at = 0, reallocations = 0, undone_percent = 0, efficiency = 0;
};
struct TableOne {
    int scenario = 0;
    std::string search;
    double noise_percent = 0;
    std::int64_t seeds = 1;
    double best_s = 0; // of all counts, by the curves
    std::vector<TableColumn> columns;
};

using Json = JsonTree;

double cycle_of(std::size_t interval) {
    return 2 * static_cast<double>(interval); // the second of the interval is measured
}

bool moved(const ManagedRun &run, std::size_t i) {
    return i == 0 || run.intervals[i].counts != run.intervals[i - 1].counts;
}

std::string counts_in_words(const ProcessCounts &counts) {
    std::vector<std::string> words;
    for (const std::int64_t n : counts)
        words.push_back(std::to_string(n));
    return "(" + joined(words, ", ") + ")";
}

std::string without_newline(std::string line) {
    if (!line.empty()) line.pop_back();
    return line;
}

// The rows of Table I: the printed figure and ours.
struct TableRow {
    const char *label, *name; // in text, in json
    double kim::PrintedStart::*printed;
    double TableColumn::*ours;
};
constexpr std::array<TableRow, 6> table_rows = {{
    {"initial tau_G [s]", "first_s", &kim::PrintedStart::first_s, &TableColumn::first_s},
    {"final tau_G [s]", "final_s", &kim::PrintedStart::final_s, &TableColumn::final_s},
    {"found at cycle", "found_at", &kim::PrintedStart::found_at, &TableColumn::found_at},
    {"reallocations", "reallocations", &kim::PrintedStart::reallocations, &TableColumn::reallocations},
    {"undone [%]", "undone_percent", &kim::PrintedStart::undone_percent, &TableColumn::undone_percent},
    {"s / reallocation", "s_per_reallocation", &kim::PrintedStart::efficiency, &TableColumn::efficiency},
}};

std::string noise_in_words(const TableOne &table) {
    if (table.noise_percent == 0) return "without noise";
    return fmt::format("noise {:g} %, means over {}", table.noise_percent, counted(table.seeds, "seed"));
}

std::string managed_as_text(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    TextTable table;
    RowOfCells head = {"cycle"};
    for (const std::string &name : answer.names)
        head.emplace_back(short_name(name, 20));
    head.insert(head.end(), {"cycle [{s}]", "predicted [{s}]"});
    table.row(head);
    for (std::size_t i = 0; i < run.intervals.size(); ++i) {
        if (!moved(run, i)) continue;
        RowOfCells row = {decimal_text(cycle_of(i), 0)};
        for (const std::int64_t n : run.intervals[i].counts)
            row.emplace_back(count_text(n));
        row.emplace_back(InSeconds{run.intervals[i].cycle_s});
        row.emplace_back(InSeconds{run.intervals[i].predicted_s});
        table.row(row);
    }
    return answer.basis +
           fmt::format("{} with {}, undone: {}; found at coupling cycle {}; a cycle takes {} s in the end, {} s at "
                       "the start.\n\n",
                       counts_in_words(run.intervals.back().counts), counted(run.state.reallocations, "reallocation"),
                       run.state.undone, decimal_text(run.found_at(), 0), number_text(run.final_s()),
                       number_text(run.first_s())) +
           table.text();
}

std::string managed_as_json(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    Json root = {{"search", answer.search},
                 {"start", Json::text(answer.start)},
                 {"basis", Json::text(without_newline(answer.basis))},
                 {"components", answer.names},
                 {"first_s", run.first_s()},
                 {"final_s", run.final_s()},
                 {"found_at", run.found_at()},
                 {"reallocations", run.state.reallocations},
                 {"undone", run.state.undone},
                 {"intervals", Json::array()}};
    for (std::size_t i = 0; i < run.intervals.size(); ++i) {
        root["intervals"].push_back({{"cycle", cycle_of(i)},
                                     {"processes", run.intervals[i].counts},
                                     {"cycle_s", run.intervals[i].cycle_s},
                                     {"predicted_s", run.intervals[i].predicted_s}});
    }
    return root.dump(2) + "\n";
}

// Processes of each component, and the time of a cycle, over the coupling cycles: figures 5 to 7 of the paper.
std::string managed_as_svg(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    SvgChart chart{fmt::format("{}{}{}: {}, {} s", answer.search, answer.start.empty() ? "" : " from ", answer.start,
                               counts_in_words(run.intervals.back().counts), number_text(run.final_s())),
                   {"coupling cycle", false},
                   {"processes; time of a cycle [s], dashed", false},
                   {}};
    for (std::size_t c = 0; c <= answer.names.size(); ++c) {
        const bool is_time = c == answer.names.size();
        ChartSeries series{is_time ? "cycle [s]" : answer.names[c], {}, true, !is_time, is_time};
        for (std::size_t i = 0; i < run.intervals.size(); ++i) {
            const ManagedInterval &interval = run.intervals[i];
            series.points.push_back(
                {cycle_of(i), is_time ? interval.cycle_s : static_cast<double>(interval.counts[c])});
        }
        chart.series.push_back(std::move(series));
    }
    return svg_of(chart);
}

std::string table_as_text(const TableOne &table) {
    TextTable text;
    std::vector<std::string> head = {""};
    for (const TableColumn &column : table.columns)
        head.emplace_back(column.printed.name);
    text.row_of_words(head);
    for (const TableRow &row : table_rows) {
        std::vector<std::string> printed = {std::string(row.label) + ", printed"}, ours = {"  " + table.search};
        for (const TableColumn &column : table.columns) {
            printed.push_back(decimal_text(column.printed.*row.printed, 2));
            ours.push_back(decimal_text(column.*row.ours, 2));
        }
        text.row_of_words(printed);
        text.row_of_words(ours);
    }
    return fmt::format("Table I of Kim, Larson and Chiu 2012 (section VI), scenario {}: {}; the best of all counts "
                       "by the curves "
                       "takes {} s.\n\n",
                       table.scenario, noise_in_words(table), number_text(table.best_s)) +
           text.text() +
           "\nThe paper's own curves and noise are not published: the curves here are fitted to the points that it "
           "prints.\n"
           "Creating and ending processes (its PCMS) is left out: the model must be able to do that.\n";
}

std::string table_as_json(const TableOne &table) {
    Json root = {{"scenario", table.scenario}, {"search", table.search}, {"noise_percent", table.noise_percent},
                 {"seeds", table.seeds},       {"best_s", table.best_s}, {"starts", Json::array()}};
    const auto figures = [](const auto &from, auto member) {
        Json json = Json::object();
        for (const TableRow &row : table_rows)
            json[row.name] = from.*(row.*member);
        return json;
    };
    for (const TableColumn &column : table.columns) {
        root["starts"].push_back({{"name", column.printed.name},
                                  {"processes", column.printed.counts},
                                  {"printed", figures(column.printed, &TableRow::printed)},
                                  {"ours", figures(column, &TableRow::ours)}});
    }
    return root.dump(2) + "\n";
}

struct ManagerOptions {
    BalanceOptions balance;
    std::int64_t scenario = 0, seeds = 1, intervals = 70;
    std::string start, search, svg;
    double noise_percent = 0;
    bool json = false;
};

ManagerSearch search_of(const std::string &word) {
    if (word == "manual") return ManagerSearch::manual;
    if (word == "nearest") return ManagerSearch::nearest;
    return word == "stepwise" ? ManagerSearch::stepwise : ManagerSearch::direct;
}

void answer(const ManagerOptions &options, const ManagedAnswer &one) {
    if (!options.svg.empty()) write_result_file(options.svg, managed_as_svg(one));
    print(options.json ? managed_as_json(one) : managed_as_text(one));
}

ManagedModel benchmark_of(std::int64_t total) {
    ManagedModel model;
    for (const char *name : kim::names)
        model.allowed.push_back(multiples(name, 1, total, 1));
    model.total = total;
    model.computing_s = [](std::size_t c, std::int64_t n) { return kim::day_seconds(c, static_cast<double>(n)); };
    model.cycle = iteration_model(kim::day());
    return model;
}

double best_of(const ManagedModel &model) {
    BalanceProblem problem;
    problem.allowed = model.allowed;
    problem.total = model.total;
    problem.computing_s = model.computing_s;
    problem.length_s = model.cycle.length_s;
    problem.path_shares = model.cycle.path_shares;
    return balance(problem, Objective::time).seconds;
}

ProcessCounts counts_of(const kim::PrintedStart &start) {
    return {start.counts.begin(), start.counts.end()};
}

TableColumn mean_column(const ManagerOptions &options, const ManagedModel &model, const kim::PrintedStart &printed,
                        ManagerSearch search) {
    TableColumn column;
    column.printed = printed;
    const std::int64_t seeds = options.noise_percent > 0 ? options.seeds : 1;
    const double share = 1 / static_cast<double>(seeds);
    for (std::int64_t seed = 1; seed <= seeds; ++seed) {
        const ManagedRun run = managed_run(model, search, counts_of(printed), options.noise_percent / 100,
                                           static_cast<std::uint32_t>(seed), static_cast<int>(options.intervals));
        column.first_s = run.first_s();
        column.final_s += run.final_s() * share;
        column.found_at += run.found_at() * share;
        column.reallocations += run.state.reallocations * share;
        column.undone_percent += 100 * run.undone_share() * share;
        column.efficiency += run.gain_of_move_s() * share;
    }
    return column;
}

void run_benchmark(const ManagerOptions &options) {
    const auto scenario = static_cast<int>(options.scenario);
    const std::string search = !options.search.empty() ? options.search
                               : scenario == 3         ? "manual"
                                                       : "stepwise"; // as in the paper
    const ManagedModel model = benchmark_of(scenario == 1 ? 208 : 124);
    const auto &starts = kim::table_1(scenario);
    if (!options.start.empty()) {
        const auto *const start = std::ranges::find(starts, options.start, &kim::PrintedStart::name);
        if (start == starts.end())
            throw std::invalid_argument("--start: the benchmark has INIT1, INIT2, INIT3, INIT4, INIT5");
        return answer(options, {{kim::names.begin(), kim::names.end()},
                                search,
                                options.start,
                                managed_run(model, search_of(search), counts_of(*start), options.noise_percent / 100,
                                            1, static_cast<int>(options.intervals)),
                                ""});
    }
    if (!options.svg.empty()) throw cli::WrongUsage("--svg is a picture of one run: give --pes INIT1 to INIT5");
    TableOne table{scenario, search, options.noise_percent, options.seeds, best_of(model), {}};
    for (const kim::PrintedStart &printed : starts)
        table.columns.push_back(mean_column(options, model, printed, search_of(search)));
    print(options.json ? table_as_json(table) : table_as_text(table));
}

// Uses the curves and the dependencies of runs, in seconds of a coupling cycle.
void run_on_runs(const ManagerOptions &options) {
    BalanceOptions balance = options.balance;
    for (const std::string &directory : balance.directories)
        refuse_timers(directory); // with a layout they would make a problem of balance, without a coupling cycle
    balance.keep_threads = true;
    const BalanceModel measured = balance_model(balance);
    const BalanceProblem problem = problem_of(balance, measured, CurveForm::measured);
    const std::vector<double> &cycles = measured.measured->cycle.measured_s;
    const double cycle = cycles.empty() ? 1 : mean(cycles) / measured.measured->measured_s();
    ManagedModel model;
    model.allowed = problem.allowed;
    model.total = problem.total;
    model.computing_s = [&](std::size_t c, std::int64_t n) { return cycle * problem.computing_s(c, n); };
    model.cycle.length_s = [&](std::vector<double> s) {
        for (double &one : s)
            one /= cycle;
        return cycle * problem.length_s(s);
    };
    model.cycle.path_shares = problem.path_shares; // shares of the length: the same in any unit
    ProcessCounts start = measured.measured->processes;
    if (!options.start.empty()) {
        const auto given = processor_counts("--start", options.start, measured.names);
        for (std::size_t c = 0; c < measured.names.size(); ++c)
            if (const auto one = given.find(measured.names[c]); one != given.end()) start[c] = one->second;
    }
    if (const std::int64_t cores = cores_taken(problem, start); cores > problem.total)
        throw std::invalid_argument(fmt::format("the start takes {} for all components, and --total {} leaves {}",
                                                counted(cores, "core"), options.balance.total, problem.total));
    ManagedAnswer managed{measured.names, "direct", "",
                          managed_run(model, ManagerSearch::direct, start, options.noise_percent / 100, 1,
                                      static_cast<int>(options.intervals)),
                          ""};
    managed.basis = answer_basis(measured.names, measured.curves, managed.run.intervals.back().counts).text;
    answer(options, managed);
}

void add_common_options(cli::App &command, ManagerOptions &o) {
    command.add_option("--noise", o.noise_percent, "noise of the measured times, standard deviation [%]; default: 0")
        ->check(cli::in_range(0.0, 50.0));
    command.add_option("--intervals", o.intervals, "number of intervals of two coupling cycles; default: 70")
        ->check(cli::count(10'000));
    command.add_option("--svg", o.svg, "write a picture: processes and time of a cycle over the cycles");
    command.add_flag("--json", o.json, "print JSON, for programs");
}

void add_benchmark(cli::App &manager) {
    cli::App *command = manager.add_subcommand(
        "benchmark",
        "Simulates the benchmark of Kim, Larson and Chiu\nThe paper that the manager follows: its Table I.");
    const auto o = std::make_shared<ManagerOptions>();
    command->add_option("SCENARIO", o->scenario, "1 (208 processes), 2 (124) or 3 (124 with equation 12)")
        ->required()
        ->check(cli::count(3));
    command->add_option("--pes,--start", o->start, "first counts: INIT1 to INIT5; default: all");
    command
        ->add_option("--search", o->search,
                     "direct (cpl_lb's own), stepwise (the paper's AUTO), manual or nearest (its equation 12: the "
                     "largest sum, or the one nearest to the measured cycle)")
        ->check(cli::one_of({"direct", "stepwise", "manual", "nearest"}));
    command->add_option("--seeds", o->seeds, "number of runs with different noise, for the means of Table I")
        ->check(cli::count(1000));
    add_common_options(*command, *o);
    command->callback([o] { run_benchmark(*o); });
}

} // namespace

void add_manager_command(cli::App &app) {
    cli::App *command = app.add_subcommand("manager", "Simulates the run-time manager with your model");
    const auto o = std::make_shared<ManagerOptions>();
    command->add_option("DIR", o->balance.directories, "folders with timelines, as for balance")->required();
    command
        ->add_option("--total", o->balance.total,
                     "processes for all components together, also for the ones outside of the coupling")
        ->required()
        ->check(cli::count());
    command->add_option("--pes,--start", o->start,
                        "first counts, such as ocean=96,atmosphere=32; default: those of the first run");
    add_common_options(*command, *o);
    add_limit_options(*command, o->balance);
    add_part_options(*command, o->balance);
    command->callback([o] {
        read_words(o->balance);
        run_on_runs(*o);
    });
    add_benchmark(*command);
}

} // namespace cpl_lb
