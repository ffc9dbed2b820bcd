// cpl-lb balance nodes: puts the answer together.

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"
#include "tools/balance/kinds.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <memory>

namespace cpl_lb {
namespace {

void check_kinds(const BalanceOptions &o) {
    check_sources(o);
    if (o.objective == "price" && o.kind.price.empty())
        throw cli::WrongUsage("--objective price needs --price, such as gpu=12,cpu=1");
    if (o.objective == "energy" && o.power.empty()) {
        throw PredictionError("least energy: what a node of each kind draws is not known; give --power "
                              "KIND=BUSY:IDLE watts of a node");
    }
}

// By kind, what a node counts for the objective: its price, its cores, or 1.
std::vector<double> weights_of(const BalanceOptions &options, const std::vector<KindOfNode> &kinds,
                               const std::vector<double> &prices) {
    std::vector<double> weights;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const bool by_cores = options.objective == "cost", by_price = options.objective != "node-hours";
        weights.push_back(by_cores                      ? static_cast<double>(kinds[k].cores)
                          : by_price && !prices.empty() ? prices[k]
                                                        : 1);
    }
    return weights;
}

// The search goes by the whole loop, with its two ends; the time to expect goes by cycles. Nodes that shorten an end
// only are not worth their price: each component gives back those without which the time to expect is the same.
void save_nodes(BalanceAnswer &answer, const KindsModel &model, const Answering &answering) {
    constexpr double same = 1e-6;
    if (!model.run.measured) return;
    for (std::size_t c = 0; c < answer.counts.size(); ++c) {
        std::vector<std::size_t> members = {c};
        for (const NodeHalves &pair : model.halves) {
            if (pair.first == c) members.push_back(pair.second);
            if (pair.second == c) members.clear();
        }
        if (members.empty()) continue;
        BalanceAnswer fewer = answer;
        const auto is_same = [&](std::int64_t nodes) {
            for (const std::size_t member : members)
                fewer.counts[member] = nodes;
            return is_possible(answering.problem, fewer) &&
                   model.run.expected_s(model.move_to(fewer), model.form) <= answer.seconds * (1 + same);
        };
        const std::vector<std::int64_t> &counts = answering.problem.on_kind(c, answer.kind[c])->nodes;
        const std::int64_t least = *std::partition_point(counts.begin(), std::ranges::find(counts, answer.counts[c]),
                                                         [&](std::int64_t nodes) { return !is_same(nodes); });
        if (is_same(least)) answer = fewer;
    }
    answering.settle(answer);
}

// Another kind or count might be better by a curve that one measured count cannot show.
bool any_assumed(const KindsModel &model) {
    for (std::size_t c = 0; c < model.curves.size(); ++c)
        for (const CurveOnKind &on : model.curves[c])
            if (on.may_have && on.curve.samples().size() < 2 && model.allowed_nodes[c].size() != 1) return true;
    return false;
}

// Each component has one kind and one number of nodes.
BalanceAnswer given_answer(const KindsModel &model, const Answering &answering) {
    BalanceAnswer answer;
    for (const std::vector<OnKind> &on : answering.problem.components) {
        answer.kind.push_back(on.front().kind);
        answer.counts.push_back(on.front().nodes.front());
    }
    answering.settle(answer);
    for (std::size_t k = 0; k < answer.taken.size(); ++k) {
        const std::int64_t taken = answer.taken[k] + model.kept_nodes[k], there_are = model.kinds[k].nodes;
        if (taken <= there_are) continue;
        throw PredictionError(fmt::format("the components take {} of {} together, and there {} {}: give fewer with "
                                          "--nodes, or more with --kinds",
                                          counted(taken, "node"), model.kinds[k].name,
                                          word_for(there_are, "is", "are"), there_are));
    }
    return answer;
}

// Runs from timers take as long as their layout says.
double measured_s(const BalanceModel &run) {
    if (run.measured) return run.measured->measured_s();
    return run.present.empty() ? unknown : run.length_s(run.present.front().computing_s);
}

std::string price_words(const std::vector<KindOfNode> &kinds, const std::vector<double> &prices) {
    std::string words;
    for (std::size_t k = 0; k < prices.size(); ++k)
        words += fmt::format("{}{:g} on {}", words.empty() ? "" : ", ", prices[k], safe_name(kinds[k].name));
    return words;
}

// What is told of the settled answer.
void describe(KindsOutput &output, const Answering &answering) {
    const KindsModel &model = output.source.model;
    BalanceAnswer &answer = output.answer;
    enter_answer(output, answering);
    output.basis = basis_of(model, answer);
    output.shared = model.in_turn_in_words(answer);
    output.assumed = output.source.all_given || any_assumed(model);
    if (output.source.all_given) answer.gap = unknown; // nothing was searched
    for (std::size_t c = 0; c < answer.counts.size(); ++c) {
        const CurveOnKind &on = model.curve_on(c, answer.kind[c]);
        output.idle.push_back(on.curve.samples().front().seconds <= idle_s);
        output.gaps.push_back(gap_around(output, c, on.curve, on.units));
        std::int64_t next = 0;
        if (model.allowed_nodes[c].size() > 1)
            next = measure_next(output, answering.problem, c, on.curve, on.units, on.units);
        const auto measured = static_cast<double>(next * on.units);
        if (std::ranges::count(on.curve.samples(), measured, &ScalingSample::processes) > 0) next = 0;
        output.measure_next.push_back(next);
    }
}

} // namespace

void balance_over_kinds(const BalanceOptions &options) {
    check_kinds(options);
    KindsOutput output;
    output.source = kinds_source(options);
    output.kept_in_words = output.source.kept;
    output.held = output.source.held;
    const KindsModel &model = output.source.model;
    output.objective = options.objective;
    if (!options.kind.price.empty()) output.prices = node_prices(options.kind.price, model.kinds);
    output.price_words = price_words(model.kinds, output.prices);
    std::vector<Power> power;
    if (!options.power.empty()) power = node_power(options.power, model.kinds);
    output.power_known = !power.empty();
    if (!model.halves.empty() && std::ranges::any_of(power, [](const Power &p) { return p.busy_W != p.idle_W; })) {
        throw cli::WrongUsage(
            "--power: with --share give one number for each kind: when both halves of a node compute "
            "is not known");
    }
    const KindsProblem problem = model.problem(weights_of(options, model.kinds, output.prices), std::move(power));
    const Answering answering{model.run, problem, objective_of(options), model.form,
                              [&](BalanceAnswer &answer) { return model.move_to(answer); }};
    if (options.as_given) {
        output.answer = given_answer(model, answering);
    } else {
        output.answer = balance(problem, answering.objective, most_boxes(model.run));
        answering.settle(output.answer);
        if (answering.objective == Objective::time) save_nodes(output.answer, model, answering);
    }
    output.measured_s = measured_s(model.run);
    output.present = model.present();
    if (!output.source.all_given && !output.present.counts.empty()) {
        enter_costs(problem, model.run.computing_s(model.move_to(output.present), model.form), output.present);
        answering.keep_what_is_better(output.answer, output.present);
    }
    describe(output, answering);
    print(options.json ? kinds_as_json(output) : kinds_as_text(output));
}

void add_kind_options(cli::App &command, BalanceOptions &o, const std::string &of_nodes) {
    command.add_option("DIR", o.directories, "folders of runs; a table with its layout needs none");
    command
        .add_option("--kinds", o.kind.kinds,
                    "kinds of nodes, and how many there are: gpu=100:4x18 (100 nodes of 4 GPUs with 18 cores each), "
                    "cpu=200:128 (200 nodes of 128 cores); components take whole nodes of them")
        ->required();
    command
        .add_option("--on", o.kind.on,
                    "who may run where: atmosphere=gpu, or ocean,ioserver=cpu, or ocean=cpu:gpu for either")
        ->again();
    command
        .add_option("--share", o.kind.share,
                    "two components on halves of the same nodes, atmosphere+ocean: the first has the GPUs and a core "
                    "for each of them (atmosphere:2+ocean: two cores), the second the other cores; "
                    "atmosphere+ocean:1.08 if each then takes 1.08 times as long")
        ->again();
    command.add_option("--nodes", o.kind.nodes,
                       "nodes that a component has in any case: atmosphere=84, or ocean=cpu:63; " + of_nodes);
    command.add_option("--price", o.kind.price,
                       "price of a GPU hour and of a core hour, gpu=12,cpu=1, or of a node hour of a kind, "
                       "gpu-node=40,cpu-node=9");
    command.add_option("--power", o.power, "watts of a node, BUSY:IDLE, for the energy: gpu=2000:800,cpu=700:300");
    command.add_option("--layout", o.layout, help_of_layout);
    add_curves_option(command, o);
    add_part_options(command, o);
    command.add_flag("--json", o.json, "print JSON, for programs");
}

void add_balance_nodes(cli::App &balance) {
    cli::App *command = balance.add_subcommand(
        "nodes",
        "Finds the best numbers of nodes of several kinds\nGPU nodes beside CPU nodes, and who runs on which.");
    const auto o = std::make_shared<BalanceOptions>();
    add_kind_options(*command, *o, "with all components, the time to expect with these");
    command->add_option("--min", o->min, "smallest numbers of nodes: 8, or atm=8,ocn=16");
    command->add_option("--max", o->max, "largest numbers of nodes: 8, or atm=8,ocn=16");
    command
        ->add_option(
            "--objective", o->objective,
            "what is best: least time (the default), cost (core hours), node-hours, price or energy; pareto: "
            "time against price")
        ->check(cli::one_of({"time", "cost", "energy", "pareto", "node-hours", "price"}));
    command->callback([o] {
        read_words(*o);
        balance_over_kinds(*o);
    });
}

} // namespace cpl_lb
