// cpl-lb predict: who waits for whom in a run, and the coupling loop with other counts and changes.
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
    ChangeOptions changes;
};

// Uses all runs: the graph of the first is made again with what the others tell about its transfers.
SamplesByComponent samples_of(const PredictOptions &options, PredictOutput &output) {
    const CoupledPart &part = output.part;
    MeasuredGraph &measured = output.measured;
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
CurvesOfAnswer with_threads(PredictOutput &output, const PredictOptions &options, const SamplesByComponent &samples) {
    const MeasuredGraph &measured = output.measured;
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
        if (count != counts.end()) check_allowed("--pes", names[c], count->second, rules);
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

void with_other_counts(PredictOutput &output, const PredictOptions &options) {
    const SamplesByComponent samples = samples_of(options, output);
    const CurvesOfAnswer curves = with_threads(output, options, samples);
    const MeasuredGraph &measured = output.measured;
    const CurvesOfMove move{chosen(curves.all.now), curves.then, output.processes};
    const auto factors = [&](CurveForm form) { return factors_of(measured, move, form); };
    output.now = predict(measured, factors(output.form));
    output.range = predicted_range(measured, move, output.form);
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

// One answer for all changes together.
void tell_changes(const PredictOptions &options, PredictOutput &output) {
    if (!output.other_counts && options.directories.size() > 1)
        throw cli::WrongUsage(
            "changes are predicted from one run: further runs are of use with --pes and --threads only");
    if (output.other_counts && options.changes.transfer != 1)
        throw cli::WrongUsage(
            "--transfer is about the measured counts and threads: what transfers take with others is not known");
    const CoupledRun &run = output.part.run;
    const Changes changes = changes_of(options.changes, run);
    if (output.other_counts) with_other_counts(output, options);
    const MeasuredGraph changed = changed_graph(run, output.measured, changes);
    const std::optional<MeasuredGraph> counted = with_transfers(run, output.measured, changes);
    const MeasuredGraph &before = counted ? *counted : output.measured;
    ChangedRun answer{output, before, changed, what_if(before, changed, output.now.factors),
                      options.changes.in_words()};
    if (!options.pes.empty()) answer.changes.push_back("--pes " + options.pes);
    if (!options.threads.empty()) answer.changes.push_back("--threads " + options.threads);
    print(options.json ? what_if_json(answer).dump(2) + "\n" : what_if_text(answer));
    if (!options.html.empty())
        write_result_file(options.html,
                          what_if_page(output, all_single_changes(output), &answer, changes.longer_cycle()));
}

void check_counts(const PredictOptions &options) {
    if (options.pes.empty() && options.threads.empty() && !options.serial.empty())
        throw std::invalid_argument("--curves: a share is of use with --pes and --threads only");
    if (options.pes.empty() && !options.allowed.empty())
        throw std::invalid_argument("--allowed is of use with --pes only");
}

// What is known of the first run.
PredictOutput output_of(const PredictOptions &options) {
    check_counts(options);
    PredictOutput output{coupled_part(options.directories.front(), options.without, options.order)};
    output.other_counts = !options.pes.empty() || !options.threads.empty();
    if (output.other_counts) refuse_unknown_cores(options.directories.front(), output.part.run);
    output.measured = measured_graph(output.part.run);
    output.form = curve_form(options.curve);
    output.processes = output.measured.processes;
    add_remarks(output.remarks, output.part.run);
    return output;
}

void tell_counts(const PredictOptions &options) {
    PredictOutput output = output_of(options);
    if (!options.threads.empty()) return tell_changes(options, output);
    if (output.other_counts)
        with_other_counts(output, options);
    else
        output.now = predict(output.measured, std::vector<double>(output.processes.size(), 1.0));
    print(options.json ? predict_as_json(output) : predict_as_text(output));
}

// What each change of a usual size brings.
void tell_single_changes(const PredictOptions &options) {
    const PredictOutput output = output_of(options);
    const auto all = all_single_changes(output);
    print(options.json ? single_changes_json(output, all).dump(2) + "\n" : single_changes_text(output, all));
    if (!options.html.empty()) write_result_file(options.html, what_if_page(output, all, nullptr, 1));
}

void add_run(cli::App &command, PredictOptions &o) {
    o.directories.resize(1);
    command.add_option("DIR", o.directories.front(), "folder with timelines")->required();
}

void add_runs(cli::App &command, PredictOptions &o) {
    command
        .add_option("DIR", o.directories,
                    "folder with timelines; further folders are the same model with other counts, for the scaling "
                    "curves")
        ->required();
}

void add_count_options(cli::App &command, PredictOptions &o) {
    command.add_option("--pes", o.pes,
                       "new processor counts, such as ocean=96,atmosphere=32; the other components keep theirs");
    command.add_option("--threads", o.threads,
                       "threads of each process, such as ocean=4, that further folders or the table have; without "
                       "--pes as many processes as now");
    add_curves_option(command, o);
}

void add_page_options(cli::App &command, PredictOptions &o) {
    add_part_options(command, o);
    command.add_option("--html", o.html,
                       "write what changes bring as a page: the cycles before and after, each single change");
    command.add_flag("--json", o.json, "print JSON, for programs");
}

void run_changes(const PredictOptions &options) {
    if (!options.changes.any() && options.pes.empty() && options.threads.empty()) {
        throw cli::WrongUsage(options.html.empty()
                                  ? "a change is missing, such as --lag SST=1"
                                  : "a change is missing, such as --lag SST=1; a page of what each change of a usual "
                                    "size would bring: cpl-lb predict what-if DIR --html FILE");
    }
    PredictOutput output = output_of(options);
    tell_changes(options, output);
}

void add_changes(cli::App &predict) {
    cli::App *command = predict.add_subcommand("changes", "Predicts the loop of a changed model\nLags, faster parts, "
                                                          "less output; with other counts, too.");
    const auto o = std::make_shared<PredictOptions>();
    add_runs(*command, *o);
    add_change_options(*command, o->changes);
    add_mapping_option(*command, o->changes);
    add_count_options(*command, *o);
    add_page_options(*command, *o);
    command->callback([o] {
        read_words(*o);
        run_changes(*o);
    });
}

void add_layout(cli::App &predict) {
    cli::App *command = predict.add_subcommand(
        "layout",
        "Predicts the loop with components in turn or side by side\nOn the cores that they have, with other "
        "changes if you like.");
    const auto o = std::make_shared<PredictOptions>();
    add_run(*command, *o);
    add_turn_options(*command, o->changes);
    add_change_options(*command, o->changes);
    add_page_options(*command, *o);
    command->callback([o] {
        if (o->changes.in_turn.empty() && o->changes.side_by_side.empty()) {
            throw cli::WrongUsage(
                "--sequential or --concurrent is missing, such as --sequential ice,ocean; for other "
                "changes alone: cpl-lb predict changes");
        }
        run_changes(*o);
    });
}

void add_what_if(cli::App &predict) {
    cli::App *command = predict.add_subcommand(
        "what-if", "Shows what each change of a usual size would bring, the largest first\nOn one run.");
    const auto o = std::make_shared<PredictOptions>();
    add_run(*command, *o);
    add_page_options(*command, *o);
    command->callback([o] { tell_single_changes(*o); });
}

void add_nodes(cli::App &predict) {
    cli::App *command = predict.add_subcommand(
        "nodes", "Predicts the loop on given nodes of several kinds\nFrom a run, or from a table with a layout.");
    const auto o = std::make_shared<PredictOptions>();
    add_kind_options(*command, *o, "the others have those of the first run");
    command->callback([o] {
        read_words(*o);
        o->as_given = true;
        balance_over_kinds(*o);
    });
}

} // namespace

void add_predict_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("predict", "Predicts the coupling loop: other counts, other changes\nWithout --pes and "
                                      "--threads, shows who waits for whom and the critical path.");
    const auto o = std::make_shared<PredictOptions>();
    add_runs(*command, *o);
    add_count_options(*command, *o);
    command->add_option("--allowed", o->allowed,
                        "the only counts that --pes may name, as for balance: ocean=multiple-of-6,ice=64:128");
    add_part_options(*command, *o);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] {
        read_words(*o);
        tell_counts(*o);
    });
    add_changes(*command);
    add_layout(*command);
    add_what_if(*command);
    add_nodes(*command);
}

} // namespace cpl_lb
