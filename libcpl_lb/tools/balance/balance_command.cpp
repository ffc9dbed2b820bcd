// cpl-lb balance: the best processor counts from one or several runs. cpl-lb balance table: from a table of timings.
#include "io/files/result_file.hpp"
#include "support/counted.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/balance/balance_output.hpp"
#include "tools/balance/balance_page.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

void check(const BalanceOptions &o) {
    check_sources(o);
    if (o.node_memory_GB > 0 && o.directories.empty())
        throw std::invalid_argument("--cores-per-node: the memory of a node needs a run that measured its memory");
}

// The best of the runs that the answer's cores would have been enough for; of others the one with the fewest.
void enter_best_present(BalanceOutput &output, const Answering &a) {
    std::pair<std::int64_t, double> least;
    for (const PresentRun &run : a.run.present) {
        BalanceAnswer one;
        one.kind.resize(run.cores.size());
        one.counts = run.cores;
        one.threads = run.threads;
        one.seconds = a.run.length_s(run.computing_s);
        enter_costs(a.problem, run.computing_s, one);
        const std::int64_t too_many = std::max<std::int64_t>(0, one.cores() - a.problem.kinds.front().nodes);
        const std::pair rank(too_many, value_of(one, a.objective));
        if (!output.present.counts.empty() && rank >= least) continue;
        least = rank;
        output.present = std::move(one);
        if (a.run.present.size() > 1) output.measured_run = run.folder;
    }
}

// The measured counts; the answer, if nothing is better.
void enter_present(BalanceOutput &output, const Answering &a) {
    const BalanceModel &model = a.run;
    enter_best_present(output, a);
    if (!model.measured) return;
    BalanceAnswer &present = output.present;
    present.counts = model.measured->processes;
    present.kind.resize(present.counts.size());
    present.threads = model.threads;
    present.seconds = model.measured->measured_s();
    enter_costs(a.problem, model.computing_s(a.move_to(present), a.form), present);
    for (std::size_t c = 0; c < present.counts.size(); ++c)
        if (!model.may_have(c, present.counts[c], present.threads[c])) return;
    a.keep_what_is_better(output.answer, present);
}

// The cores of one run that measures all these counts, and the least of the others.
std::int64_t cores_to_measure(const KindsProblem &problem, const BalanceOutput &output) {
    BalanceAnswer all = output.answer;
    for (std::size_t c = 0; c < all.counts.size(); ++c)
        all.counts[c] =
            output.measure_next[c] > 0 ? output.measure_next[c] : problem.components[c].front().nodes.front();
    enter_costs(problem, output.computing_s, all);
    return all.cores() + output.kept_cores;
}

// If a curve was measured with one count, nothing is proven, even if the answer uses another curve. A component that
// keeps its cores needs no curve.
bool any_assumed(const BalanceModel &model, std::size_t c) {
    const auto one = [](const CurveOfThreads &other) { return other.curve.samples().size() < 2; };
    return model.held(c) == 0 && (std::ranges::any_of(model.other_threads[c], one) ||
                                  (model.keeps_threads(c) && model.curves[c].samples().size() < 2));
}

// What is told of the settled answer.
void describe(BalanceOutput &output, const BalanceOptions &options, const Answering &a) {
    const BalanceModel &model = a.run;
    const BalanceAnswer &answer = output.answer;
    enter_answer(output, a);
    std::ranges::move(not_allowed_now(options.allowed, model), std::back_inserter(output.remarks));
    output.shared = model.pool.shared_in_words(model.names);
    output.node_cores = a.problem.node_cores;
    output.kept_cores = model.kept_cores(output.node_cores);
    for (const KeptComponent &kept : model.kept)
        output.kept_in_words.push_back(counted(kept.cores, "core"));
    output.total = options.total;
    output.power_known = !model.power.empty();
    output.power_measured = output.power_known && options.power.empty();
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const std::int64_t threads = answer.threads[c], held = model.held(c);
        output.any_threads = output.any_threads || !model.other_threads[c].empty();
        output.assumed = output.assumed || any_assumed(model, c);
        output.curves.push_back(model.curve_with(c, threads));
        output.memory_floor.push_back(model.memory_floor(c, threads));
        output.idle.push_back(model.is_idle(c));
        output.held.push_back(held > 0 && held == answer.counts[c]);
        output.gaps.push_back(gap_around(output, c, output.curves[c], 1));
        output.measure_next.push_back(held > 0 ? 0
                                               : measure_next(output, a.problem, c, output.curves[c], 1, threads));
    }
    output.basis = answer_basis(output.names, output.curves, answer.counts);
    output.assumed = output.assumed || !output.basis.ideal.empty();
    output.cores_to_measure = cores_to_measure(a.problem, output);
}

// Without --total there are as many cores as the first run has.
std::int64_t cores_of_run(const BalanceOptions &options, const BalanceModel &model) {
    BalanceProblem as_now;
    as_now.pool = model.pool;
    as_now.node_cores = std::max<std::int64_t>(1, options.cores_per_node);
    const std::int64_t kept = model.kept_cores(as_now.node_cores);
    if (model.measured) return cores_taken(as_now, model.measured->processes) + kept;
    if (!model.present.empty()) return cores_taken(as_now, model.present.front().cores) + kept;
    throw cli::WrongUsage("--total says how many cores there are: a table of times does not");
}

void run_balance(BalanceOptions options) {
    check(options);
    ScalingSources sources;
    const BalanceModel model = balance_model(options, options.html.empty() ? nullptr : &sources);
    if (options.total == 0) options.total = cores_of_run(options, model);
    if (options.objective == "energy" && model.power.empty())
        throw PredictionError("least energy: " + model.why_no_power + "; give --power BUSY:IDLE watts of a core");
    BalanceOutput output;
    output.objective = options.objective;
    const CurveForm form = curve_form(options.curve);
    const KindsProblem problem = on_one_kind(problem_of(options, model, form));
    const Answering answering{model, problem, objective_of(options), form, [&](BalanceAnswer &answer) {
                                  for (std::size_t c = answer.threads.size(); c < answer.counts.size(); ++c)
                                      answer.threads.push_back(model.best_threads(c, answer.counts[c], form));
                                  return model.move_to(answer.counts, answer.threads);
                              }};
    output.answer = balance(problem, answering.objective, most_boxes(model));
    answering.settle(output.answer);
    enter_present(output, answering);
    describe(output, options, answering);
    output.launch = launch_text(options.launch,
                                launch_plan(model, output.answer.counts, output.answer.threads, output.node_cores));
    output.launch_asked = options.launch.asked();
    if (!options.html.empty()) write_result_file(options.html, balance_as_page(output, sources, options.html));
    if (!options.json && options.launch.is_template())
        print_exactly(output.launch.text);
    else
        print(options.json ? balance_as_json(output) : balance_as_text(output));
}

// What a run and a table have in common.
void add_options(cli::App &command, BalanceOptions &o) {
    command
        .add_option("--total", o.total,
                    "cores for all components together, also for the ones outside of the coupling; default: those of "
                    "the first run")
        ->check(cli::count());
    add_limit_options(command, o);
    command.add_option("--threads", o.threads,
                       "the only threads of each process, such as ocean=1:4; default: those of now, and of any run "
                       "or table that has others");
    add_curves_option(command, o);
    command
        .add_option("--objective", o.objective,
                    "what is best: least time (the default), cost (core hours) or energy; pareto: time against cores")
        ->check(cli::one_of({"time", "cost", "energy", "pareto"}));
    command.add_option("--power", o.power,
                       "power of a core [W], BUSY:IDLE, instead of the measured one: 9:4, or atm=9:4,ocn=8:4");
    add_launch_option(command, o.launch);
    command.add_option("--html", o.html,
                       "write the answer as a page, with the scaling of components and regions as pictures");
    command.add_flag("--json", o.json, "print JSON, for programs");
}

void add_table(cli::App &balance) {
    cli::App *command = balance.add_subcommand(
        "table",
        "Finds the best counts where you tell who computes beside whom\nFor a table of times (--curves), and "
        "for runs from timers that do not tell it.");
    const auto o = std::make_shared<BalanceOptions>();
    command->add_option("DIR", o->directories, "folders of runs from timers; a table needs none");
    command->add_option("--layout", o->layout, help_of_layout)->required();
    add_options(*command, *o);
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    command->callback([o] {
        read_words(*o);
        run_balance(*o);
    });
}

} // namespace

void add_balance_command(cli::App &app) {
    cli::App *command = app.add_subcommand("balance", "Finds the best processor counts from measured runs");
    const auto o = std::make_shared<BalanceOptions>();
    command
        ->add_option("DIR", o->directories,
                     "folders with timelines; who waits for whom comes from the first, the scaling from all")
        ->required();
    add_options(*command, *o);
    add_part_options(*command, *o);
    command->callback([o] {
        read_words(*o);
        run_balance(*o);
    });
    add_table(*command);
    add_balance_nodes(*command);
}

} // namespace cpl_lb
