// cpl-lb predict: who waits for whom in a run, and the coupling loop with other processor counts.
#include "io/files/result_file.hpp"
#include "report/format.hpp"
#include "support/sentences.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/commands.hpp"
#include "tools/predict/change_options.hpp"
#include "tools/predict/predict_output.hpp"
#include "tools/predict/threads_change.hpp"
#include "tools/predict/what_if.hpp"
#include "tools/processor_counts.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

struct PredictOptions {
    std::vector<std::string> directories, without, order;
    std::string pes, threads, curves, serial, html, curve = "measured";
    bool json = false;
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

void with_other_counts(PredictOutput &output, const PredictOptions &options, MeasuredGraph &measured) {
    const SamplesByComponent samples = samples_of(options, output, measured);
    const std::vector<std::string> &names = measured.graph->names();
    output.curves = curves_of(samples, names, serial_parts(options.serial, names));
    const auto counts = processor_counts("--pes", options.pes, names);
    for (std::size_t c = 0; c < names.size(); ++c)
        if (const auto given = counts.find(names[c]); given != counts.end()) output.processes[c] = given->second;
    output.now = predict(measured, factors_of(measured, output.curves, output.processes, output.form));
    output.range = predicted_range(measured, output.curves, output.processes, output.form);
    for (const CurveForm form : {CurveForm::measured, CurveForm::hslb, CurveForm::linear})
        output.by_form[form] =
            predict(measured, factors_of(measured, output.curves, output.processes, form)).predicted_s;
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

// What other threads change, from runs that have them.
struct ThreadsAnswer {
    std::vector<ThreadsChange> changes;
    std::string basis; // what is extrapolated
    double uncertainty = 0;
};
ThreadsAnswer other_threads(const PredictOptions &options, PredictOutput &output, const MeasuredGraph &measured) {
    ThreadsAnswer answer;
    if (options.threads.empty()) return answer;
    std::list<CoupledPart> parts; // references to these stay good
    std::list<MeasuredGraph> graphs;
    std::vector<MeasuredRun> runs = {{output.part.run, measured}};
    for (std::size_t d = 1; d < options.directories.size(); ++d) {
        parts.push_back(coupled_part(options.directories[d], options.without, options.order));
        add_remarks(output.remarks, parts.back().run);
        check_same_model(output.part, parts.back(), options.directories[d]);
        graphs.push_back(measured_graph(parts.back().run));
        check_cycle(cycle_in_words(output.part.run, measured), parts.back().run, graphs.back());
        runs.push_back({parts.back().run, graphs.back()});
    }
    answer.changes = threads_changes(options.threads, runs, output.form);
    std::string names;
    for (const ThreadsChange &change : answer.changes) {
        output.processes[change.component] = change.cores;
        // Not known where one of them is not.
        if (!is_known(change.uncertainty) || change.uncertainty > answer.uncertainty)
            answer.uncertainty = is_known(answer.uncertainty) ? change.uncertainty : unknown;
        if (change.extrapolated) names += (names.empty() ? "" : ", ") + safe_name(change.speed.component);
    }
    if (!names.empty()) answer.basis = say(Sentence::other_processes, {{"names", names}}) + "\n";
    return answer;
}

// One answer for all changes together.
void tell_changes(const PredictOptions &options, PredictOutput &output, MeasuredGraph &measured) {
    if (output.other_counts && !options.threads.empty())
        throw cli::WrongUsage("--threads or --pes: components with other threads keep their processes");
    if (!output.other_counts && options.threads.empty() && options.directories.size() > 1)
        throw cli::WrongUsage(
            "changes are predicted from one run: further runs are of use with --pes and --threads only");
    if (output.other_counts && options.changes->transfer != 1)
        throw cli::WrongUsage(
            "--transfer is about the measured counts: what transfers take with others is not known");
    const CoupledRun &run = output.part.run;
    Changes changes = changes_of(*options.changes, run);
    const bool other_cores = !changes.in_turn.empty() || !changes.side_by_side.empty();
    if (other_cores && !options.threads.empty())
        throw cli::WrongUsage("--threads: not with --sequential or --concurrent, which give other cores, too");
    if (other_cores && (output.other_counts || !changes.mapping_at.empty()))
        throw cli::WrongUsage("--sequential and --concurrent are about the measured counts, and mappings that stay "
                              "where they are: not with --pes or --mapping-at");
    const ThreadsAnswer threads = other_threads(options, output, measured);
    for (const ThreadsChange &change : threads.changes)
        changes.speeds.push_back(change.speed);
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
    if (output.other_counts) {
        answer.changes.push_back("--pes " + options.pes);
        answer.basis = answer_basis(measured.graph->names(), output.curves, output.processes).text;
    }
    if (!options.threads.empty()) {
        answer.changes.push_back("--threads " + options.threads);
        answer.basis = threads.basis;
        answer.of_threads = threads.uncertainty;
    }
    print(options.json ? what_if_json(answer).dump(2) + "\n" : what_if_text(answer));
    if (!options.html.empty()) {
        write_result_file(options.html, what_if_page(output.part, measured, all_single_changes(output), &answer,
                                                     changes.longer_cycle()));
    }
}

void run_predict(const PredictOptions &options) {
    if (options.pes.empty() && !options.serial.empty())
        throw std::invalid_argument("--serial is of use with --pes only");
    const CoupledPart part = coupled_part(options.directories.front(), options.without, options.order);
    if (!options.pes.empty()) refuse_unknown_cores(options.directories.front(), part.run);
    MeasuredGraph measured = measured_graph(part.run);
    PredictOutput output{
        part, measured, !options.pes.empty(), curve_form(options.curve), measured.processes, {}, {}, {}, {}, {}};
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
    cli::App *command = app.add_subcommand(
        "predict",
        "Shows who waits for whom and the critical path, and predicts the coupling loop with other processor counts");
    const auto o = std::make_shared<PredictOptions>();
    command
        ->add_option(
            "DIR", o->directories,
            "folder with timelines; further folders are the same model with other counts, for the scaling curves")
        ->required();
    command->add_option("--pes", o->pes,
                        "new processor counts, such as ocean=96,atmosphere=32; the other components keep theirs");
    command->add_option("--threads", o->threads,
                        "threads of each process, such as ocean=4: from further folders, of runs that had them");
    command->add_option("--curves", o->curves, "table of scaling: component,processes,seconds");
    command->add_option("--serial", o->serial,
                        "share of the computing time that more processes do not make shorter, for components "
                        "measured with one count: 0.1, or ocean=0.2,ice=0.05");
    command->add_option("--curve", o->curve, "form of the scaling curves, as for balance")
        ->check(cli::one_of({"measured", "hslb", "linear", "fit"}));
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    add_order_option(*command, o->order);
    add_change_options(*command, o->changes);
    command->add_option("--html", o->html,
                        "write what changes bring as a page: the cycles before and after, each single change");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_predict(*o); });
}

} // namespace cpl_lb
