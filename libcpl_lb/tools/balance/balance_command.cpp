// cpl-lb balance: the best processor counts from one or several runs. cpl-lb balance table: from a table of timings.
#include "io/files/result_file.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/balance/balance_output.hpp"
#include "tools/balance/balance_page.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

void check(const BalanceOptions &o) {
    check_sources(o);
    if (o.node_memory_GB > 0 && o.directories.empty())
        throw std::invalid_argument("--cores-per-node: the memory of a node needs a run that measured its memory");
}

Objective objective_of(const BalanceOptions &options) {
    if (options.objective == "energy") return Objective::energy;
    return options.objective == "cost" ? Objective::cost : Objective::time;
}

std::vector<double> computing_of(const BalanceModel &model, const std::vector<std::int64_t> &counts,
                                 const std::vector<std::int64_t> &threads, CurveForm form) {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < counts.size(); ++c)
        seconds.push_back(model.computing_s(c, static_cast<double>(counts[c]), threads[c], form));
    return seconds;
}

double value_of(const BalanceAnswer &answer, Objective objective) {
    if (objective == Objective::energy) return answer.energy_J;
    return objective == Objective::cost ? answer.seconds * static_cast<double>(answer.cores) : answer.seconds;
}

// The best of the runs that the answer's cores would have been enough for; of others the one with the fewest.
const PresentRun &best_present(const BalanceModel &model, const BalanceProblem &problem, Objective objective) {
    const auto value = [&](const PresentRun &run) {
        BalanceAnswer as_answer;
        as_answer.seconds = model.length_s(run.computing_s);
        as_answer.cores = cores_taken(problem, run.cores);
        if (objective == Objective::energy)
            as_answer.energy_J = energy_J(problem, run.cores, run.computing_s, as_answer.seconds);
        const std::int64_t too_many = std::max<std::int64_t>(0, as_answer.cores - problem.total);
        return std::pair(too_many, value_of(as_answer, objective));
    };
    return *std::ranges::min_element(model.present, {}, value);
}

void add_measured(BalanceOutput &output, const BalanceModel &model, const BalanceProblem &problem,
                  Objective objective) {
    if (!model.present.empty()) {
        const PresentRun &best = best_present(model, problem, objective);
        if (model.present.size() > 1) output.measured_run = best.folder;
        output.threads_now = best.threads;
        output.measured_processes = best.cores;
        output.measured_s = model.length_s(best.computing_s);
        output.measured_cores = cores_taken(problem, best.cores);
        output.measured_J = energy_J(problem, best.cores, best.computing_s, output.measured_s);
    }
    if (!model.measured) return;
    output.measured_processes = model.measured->processes;
    output.measured_s = model.measured->measured_s();
    output.measured_cores = cores_taken(problem, output.measured_processes);
    output.measured_J =
        energy_J(problem, output.measured_processes,
                 computing_of(model, output.measured_processes, model.threads, output.form), output.measured_s);
}

// The largest count of a component with which the others still have their least.
std::int64_t most_possible(const BalanceProblem &problem, std::size_t c) {
    std::vector<std::int64_t> counts;
    for (const AllowedCounts &allowed : problem.allowed)
        counts.push_back(allowed.counts.front());
    for (const std::int64_t count : problem.allowed[c].counts) {
        const std::int64_t before = counts[c];
        counts[c] = count;
        if (cores_taken(problem, counts) > problem.total) return before;
    }
    return counts[c];
}

// The counts at which another run would help: within a factor of two of the answer. A component that hardly computes
// is left out, however uncertain it is.
double measure_next(const BalanceModel &model, const BalanceProblem &problem, const BalanceOutput &output,
                    std::size_t c) {
    const BalanceAnswer &answer = output.answer;
    if (model.held(c) > 0 || output.computing_s[c] < balanced_below * answer.seconds) return 0;
    const auto least = std::max(problem.allowed[c].counts.front(), (answer.counts[c] + 1) / 2);
    const auto most = std::min(most_possible(problem, c), 2 * answer.counts[c]);
    const ScalingCurve &curve = model.curve_with(c, answer.threads[c]);
    const double next = curve.measure_next(static_cast<double>(least), static_cast<double>(most));
    // Only whole processes. With fewer than requested, the count may be one that was measured already.
    const std::int64_t threads = answer.threads[c], asked = std::llround(next);
    std::int64_t filled = (asked + threads / 2) / threads * threads;
    if (filled > most) filled -= threads;
    const auto times_measured =
        std::ranges::count(curve.samples(), static_cast<double>(filled), &ScalingSample::processes);
    const bool is_new = filled == asked || times_measured == 0;
    return asked > 0 && filled >= least && is_new ? static_cast<double>(filled) : 0;
}

// The cores of one run that measures all these counts, and the least of the others.
std::int64_t cores_to_measure(const BalanceProblem &problem, const BalanceOutput &output) {
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < problem.allowed.size(); ++c)
        counts.push_back(output.measure_next[c] > 0 ? std::llround(output.measure_next[c])
                                                    : problem.allowed[c].counts.front());
    return cores_taken(problem, counts) + output.kept_cores;
}

// Completes the answer: its threads if they are not given, the expected time, and its energy.
void settle(BalanceAnswer &answer, const BalanceModel &model, const BalanceProblem &problem, CurveForm form) {
    for (std::size_t c = answer.threads.size(); c < answer.counts.size(); ++c)
        answer.threads.push_back(model.best_threads(c, answer.counts[c], form));
    answer.seconds = model.expected_s(answer.counts, answer.threads, form);
    answer.energy_J =
        energy_J(problem, answer.counts, computing_of(model, answer.counts, answer.threads, form), answer.seconds);
}

bool may_have(const BalanceProblem &problem, const BalanceModel &model, const std::vector<std::int64_t> &counts) {
    for (std::size_t c = 0; c < counts.size(); ++c) {
        if (!model.may_have(c, counts[c], model.threads[c])) return false;
        const std::vector<std::int64_t> &allowed = problem.allowed[c].counts;
        if (!std::ranges::binary_search(allowed, counts[c])) return false;
    }
    return cores_taken(problem, counts) <= problem.total;
}

// The replay of all cycles decides: if the answer takes longer in it than the present counts, these are the answer.
void keep_what_is_better(BalanceAnswer &answer, const BalanceModel &model, const BalanceProblem &problem,
                         CurveForm form, Objective objective) {
    if (!model.measured || !may_have(problem, model, model.measured->processes)) return;
    BalanceAnswer present = answer;
    present.counts = model.measured->processes;
    present.threads = model.threads;
    present.cores = cores_taken(problem, present.counts);
    settle(present, model, problem, form);
    if (value_of(present, objective) <= value_of(answer, objective)) answer = std::move(present);
}

std::vector<BalanceAnswer> front_of(const BalanceProblem &problem, const BalanceModel &model, CurveForm form) {
    std::vector<BalanceAnswer> front = pareto_front(problem, most_boxes(model));
    for (BalanceAnswer &answer : front)
        settle(answer, model, problem, form);
    return front;
}

void describe(BalanceOutput &output, const BalanceOptions &options, const BalanceModel &model) {
    output.names = model.names;
    output.threads_now = model.threads;
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const std::vector<CurveOfThreads> &others = model.other_threads[c];
        output.any_threads = output.any_threads || !others.empty();
        // If a curve was measured with one count, nothing is proven, even if the answer uses another curve.
        const auto one = [](const CurveOfThreads &other) { return other.curve.samples().size() < 2; };
        output.assumed.push_back(
            model.held(c) == 0 &&
            (std::ranges::any_of(others, one) || (model.keeps_threads(c) && model.curves[c].samples().size() < 2)));
    }
    output.io_servers = model.io_servers;
    output.kept = model.kept;
    output.remarks = model.remarks;
    output.lengths_not_known = model.lengths_not_known;
    const std::vector<std::string> not_allowed = not_allowed_now(options.allowed, model);
    output.remarks.insert(output.remarks.end(), not_allowed.begin(), not_allowed.end());
    output.shared = model.pool.shared_in_words(model.names);
    output.node_cores = std::max<std::int64_t>(1, options.cores_per_node);
    output.kept_cores = model.kept_cores(output.node_cores);
    output.total = options.total;
    output.objective = options.objective;
    output.power_known = !model.power.empty();
    output.power_measured = output.power_known && options.power.empty();
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
    output.form = curve_form(options.curve);
    output.other = output.form == CurveForm::hslb ? CurveForm::measured : CurveForm::hslb;
    const BalanceProblem problem = problem_of(options, model, output.form);
    describe(output, options, model);
    output.answer = balance(problem, objective_of(options), most_boxes(model));
    settle(output.answer, model, problem, output.form);
    keep_what_is_better(output.answer, model, problem, output.form, objective_of(options));
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const auto count = static_cast<double>(output.answer.counts[c]);
        const std::int64_t threads = output.answer.threads[c];
        output.curves.push_back(model.curve_with(c, threads));
        output.computing_s.push_back(model.computing_s(c, count, threads, output.form));
        output.other_computing_s.push_back(model.computing_s(c, count, threads, output.other));
        output.memory_floor.push_back(model.memory_floor(c, threads));
        output.idle.push_back(model.is_idle(c));
        output.held.push_back(model.held(c));
        output.measure_next.push_back(measure_next(model, problem, output, c));
    }
    output.cores_to_measure = cores_to_measure(problem, output);
    output.other_form_s = model.expected_s(output.answer.counts, output.answer.threads, output.other);
    output.uncertainty = model.uncertainty(output.answer.counts, output.answer.threads, output.form);
    add_measured(output, model, problem, objective_of(options));
    if (options.objective == "pareto") output.front = front_of(problem, model, output.form);
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
