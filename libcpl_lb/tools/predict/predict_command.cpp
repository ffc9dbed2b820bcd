// cpl-lb predict: who waits for whom in a run, and the coupling loop with other processor counts.
#include "io/files/result_file.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/commands.hpp"
#include "tools/predict/change_options.hpp"
#include "tools/predict/predict_output.hpp"
#include "tools/predict/what_if.hpp"
#include "tools/processor_counts.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

// The options of balance that predict has, too.
struct PredictOptions : BalanceOptions {
    std::string pes;
    std::shared_ptr<ChangeOptions> changes = std::make_shared<ChangeOptions>();
};

// Uses all runs: the graph of the first is made again with what the others tell about its transfers.
SamplesByComponent samples_of(const PredictOptions &options, PredictOutput &output, MeasuredGraph &measured) {
    const CoupledPart &part = output.part;
    SamplesByComponent samples;
    SeenExchanges seen;
    add_samples(samples, measured);
    add_seen(seen, part.run, measured);
    for (std::size_t d = 1; d < options.directories.size(); ++d) {
        const CoupledPart other = coupled_part(options.directories[d], options.without, options.order);
        refuse_unknown_cores(options.directories[d], other.run);
        add_remarks(output.remarks, other.run);
        check_same_model(part, other, options.directories[d]);
        const MeasuredGraph graph = measured_graph(other.run);
        check_cycle(cycle_in_words(part.run, measured), other.run, graph);
        add_samples(samples, graph);
        add_seen(seen, other.run, graph);
    }
    if (options.directories.size() > 1) measured = measured_graph(part.run, seen);
    if (!options.curves.empty()) replace_samples(samples, options.curves, measured.graph->names());
    return samples;
}

// The curves of now, and those with the threads of the answer.
struct CurvesOfAnswer {
    CurvesOfThreads all;
    ChosenCurves then;
};

// --threads: whose processes are not counted keep their number, and have more cores or fewer.
CurvesOfAnswer with_threads(PredictOutput &output, const PredictOptions &options, const MeasuredGraph &measured,
                            const SamplesByComponent &samples) {
    const std::vector<std::string> &names = measured.graph->names();
    CurvesOfAnswer curves{curves_of_threads(samples, names, measured.threads, serial_parts(options.serial, names)),
                          {}};
    curves.then = chosen(curves.all.now);
    std::map<std::string, std::int64_t> counts, threads;
    if (!options.pes.empty()) counts = processor_counts("--pes", options.pes, names);
    if (!options.threads.empty()) threads = processor_counts("--threads", options.threads, names, "THREADS");
    const AllowedRules rules = allowed_rules(options.allowed, names);
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto count = counts.find(names[c]);
        if (count != counts.end()) output.processes[c] = count->second;
        const auto given = threads.find(names[c]);
        if (count != counts.end()) {
            check_allowed("--pes", names[c], count->second,
                          {given != threads.end() ? given->second : std::max<std::int64_t>(1, measured.threads[c])},
                          rules);
        }
        if (given == threads.end()) continue;
        if (measured.threads[c] == differing_threads)
            throw PredictionError("--threads: the processes of " + names[c] + " have different numbers of threads");
        if (curves.all.now[c].samples().front().seconds <= idle_s)
            throw PredictionError(names[c] + " computes nothing in the coupling loop");
        check_threads(names[c], given->second, measured.threads[c], curves.all.others[c]);
        if (count == counts.end()) output.processes[c] = measured.processes[c] / measured.threads[c] * given->second;
        if (output.processes[c] % given->second != 0) {
            throw PredictionError(fmt::format("{}: processes with {} do not fill {}", names[c],
                                              counted(given->second, "thread"),
                                              counted(output.processes[c], "core")));
        }
        for (const CurveOfThreads &other : curves.all.others[c]) {
            if (other.threads == given->second) curves.then[c] = &other.curve;
        }
    }
    return curves;
}

void with_other_counts(PredictOutput &output, const PredictOptions &options, MeasuredGraph &measured) {
    const SamplesByComponent samples = samples_of(options, output, measured);
    const CurvesOfAnswer curves = with_threads(output, options, measured, samples);
    const ChosenCurves now = chosen(curves.all.now);
    const auto factors = [&](CurveForm form) {
        return factors_of(measured, now, curves.then, output.processes, form);
    };
    output.now = predict(measured, factors(output.form));
    output.range = predicted_range(measured, now, curves.then, output.processes, output.form);
    for (const CurveForm form : {CurveForm::measured, CurveForm::hslb, CurveForm::linear})
        output.by_form[form] = predict(measured, factors(form)).predicted_s;
    output.curves.reserve(curves.then.size());
    for (const ScalingCurve *curve : curves.then)
        output.curves.push_back(*curve);
}

std::vector<SingleChange> all_single_changes(const PredictOutput &output) {
    const RunBalance &b = output.part.run.balance;
    return single_changes(output.part.run, output.measured, b.best_s / b.loop_s);
}

// What each change of a usual size brings.
void tell_single_changes(const PredictOptions &options, const PredictOutput &output) {
    if (options.changes->any() || !options.threads.empty() || output.other_counts || options.directories.size() > 1)
        throw cli::WrongUsage(
            "--what-if tries changes by itself, on one run: no other changes, counts or runs with it");
    const CoupledPart &part = output.part;
    const auto all = all_single_changes(output);
    print(options.json ? single_changes_json(part, output.measured, all, output.remarks).dump(2) + "\n"
                       : single_changes_text(part, output.measured, all, output.remarks));
    if (!options.html.empty()) write_result_file(options.html, what_if_page(part, output.measured, all, nullptr, 1));
}

// One answer for all changes together.
void tell_changes(const PredictOptions &options, PredictOutput &output, MeasuredGraph &measured) {
    if (!output.other_counts && options.directories.size() > 1)
        throw cli::WrongUsage(
            "changes are predicted from one run: further runs are of use with --pes and --threads only");
    if (output.other_counts && options.changes->transfer != 1)
        throw cli::WrongUsage(
            "--transfer is about the measured counts and threads: what transfers take with others is not known");
    const CoupledRun &run = output.part.run;
    const Changes changes = changes_of(*options.changes, run);
    const bool other_cores = !changes.in_turn.empty() || !changes.side_by_side.empty();
    if (other_cores && (output.other_counts || !changes.mapping_at.empty()))
        throw cli::WrongUsage("--sequential and --concurrent are about the measured counts, and mappings that stay "
                              "where they are: not with --pes, --threads or --mapping-at");
    std::vector<double> factors;
    if (output.other_counts) {
        with_other_counts(output, options, measured);
        factors = output.now.factors;
    }
    const MeasuredGraph changed = changed_graph(run, measured, changes);
    const std::optional<MeasuredGraph> counted = with_transfers(run, measured, changes);
    const MeasuredGraph &before = counted ? *counted : measured;
    ChangedRun answer{output.part, before, changed, what_if(before, changed, factors), output.processes};
    answer.other_counts = output.other_counts;
    answer.range = output.range;
    answer.counts_s = output.now.predicted_s;
    answer.changes = options.changes->in_words();
    answer.remarks = output.remarks;
    if (!options.pes.empty()) answer.changes.push_back("--pes " + options.pes);
    if (!options.threads.empty()) answer.changes.push_back("--threads " + options.threads);
    if (output.other_counts)
        answer.basis = answer_basis(measured.graph->names(), output.curves, output.processes).text;
    print(options.json ? what_if_json(answer).dump(2) + "\n" : what_if_text(answer));
    if (!options.html.empty()) {
        write_result_file(options.html, what_if_page(output.part, measured, all_single_changes(output), &answer,
                                                     changes.longer_cycle()));
    }
}

// --kinds: balance answers for nodes that are given. Options that count cores or change the model do not go with it.
void predict_over_kinds(PredictOptions options) {
    std::vector<std::pair<bool, std::string>> others = {{!options.pes.empty(), "--pes"},
                                                        {!options.threads.empty(), "--threads"},
                                                        {!options.allowed.empty(), "--allowed"},
                                                        {!options.html.empty(), "--html"},
                                                        {options.changes->what_if, "--what-if"}};
    for (const std::string &change : options.changes->in_words())
        others.emplace_back(true, change);
    for (const auto &[is_given, option] : others) {
        if (is_given) {
            throw cli::WrongUsage(option + " does not go with --kinds, which predicts other nodes only (--nodes): "
                                           "leave one of the two out");
        }
    }
    if (options.directories.empty() && (options.curves.empty() || options.layout.empty()))
        throw cli::WrongUsage("predict --kinds needs the folder of a run, or --curves with --layout");
    options.as_given = true;
    balance_over_kinds(options);
}

void check_without_kinds(const PredictOptions &options) {
    if (options.kind.any() || !options.layout.empty() || !options.power.empty()) {
        throw cli::WrongUsage(
            "--on, --share, --host-cores, --nodes, --price, --power and --layout need --kinds, such "
            "as --kinds gpu=100:4x18,cpu=200:128");
    }
    if (options.directories.empty())
        throw cli::WrongUsage("predict needs the folder of a run; only with --kinds is a table enough");
    if (options.pes.empty() && options.threads.empty() && !options.serial.empty())
        throw std::invalid_argument("--serial is of use with --pes and --threads only");
    if (options.pes.empty() && !options.allowed.empty())
        throw std::invalid_argument("--allowed is of use with --pes only");
}

void run_predict(const PredictOptions &options) {
    if (!options.kind.kinds.empty()) return predict_over_kinds(options);
    check_without_kinds(options);
    const CoupledPart part = coupled_part(options.directories.front(), options.without, options.order);
    const bool other_counts = !options.pes.empty() || !options.threads.empty();
    if (other_counts) refuse_unknown_cores(options.directories.front(), part.run);
    MeasuredGraph measured = measured_graph(part.run);
    PredictOutput output{part, measured, other_counts, curve_form(options.curve), measured.processes, {}, {}, {},
                         {},   {}};
    add_remarks(output.remarks, part.run);
    if (options.changes->what_if) return tell_single_changes(options, output);
    if (options.changes->any() || !options.threads.empty()) return tell_changes(options, output, measured);
    if (!options.html.empty())
        throw cli::WrongUsage("--html shows what changes bring: it goes with --what-if or with changes");
    if (output.other_counts)
        with_other_counts(output, options, measured);
    else
        output.now = predict(measured, std::vector<double>(measured.processes.size(), 1.0));
    print(options.json ? predict_as_json(output) : predict_as_text(output));
}

} // namespace

void add_predict_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("predict", "Predicts the coupling loop: other counts, other changes\nWithout any, shows "
                                      "who waits for whom and the critical path.");
    const auto o = std::make_shared<PredictOptions>();
    command->add_option(
        "DIR", o->directories,
        "folder with timelines; further folders are the same model with other counts, for the scaling curves");
    command->add_option("--pes", o->pes,
                        "new processor counts, such as ocean=96,atmosphere=32; the other components keep theirs");
    command->add_option(
        "--allowed", o->allowed,
        "the only counts that --pes may name, as for balance: ocean=multiple-of-6,ice=tiles-to-40x25");
    command->add_option("--threads", o->threads,
                        "threads of each process, such as ocean=4, that further folders or the table have; without "
                        "--pes as many processes as now");
    command->add_option(
        "--curves", o->curves,
        "table of scaling: component,processes,seconds, where processes are cores; with a column threads they are "
        "processes with so many threads each");
    command->add_option("--serial", o->serial,
                        "share of the computing time that more processes do not make shorter, for components "
                        "measured with one count: 0.1, or ocean=0.2,ice=0.05");
    command->add_option("--curve", o->curve, "form of the scaling curves, as for balance")
        ->check(cli::one_of({"measured", "hslb", "linear", "fit"}));
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    add_order_option(*command, o->order);
    add_kind_options(*command, o->kind, "the others have those of the first run");
    command->add_option("--power", o->power,
                        "with --kinds: watts of a node, BUSY:IDLE, for the energy: gpu=2000:800,cpu=700:300");
    command->add_option("--layout", o->layout,
                        "with --kinds, for tables and runs from timers: who computes beside whom, as for balance: "
                        "'max(ice+atm,ocn)'");
    add_change_options(*command, o->changes);
    command->add_option("--html", o->html,
                        "write what changes bring as a page: the cycles before and after, each single change");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_predict(*o); });
}

} // namespace cpl_lb
