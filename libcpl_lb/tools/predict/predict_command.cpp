// cpl-lb predict: who waits for whom in a run, and the coupling loop with other processor counts.
#include "tools/balance/curve_sources.hpp"
#include "tools/commands.hpp"
#include "tools/predict/predict_output.hpp"
#include "tools/processor_counts.hpp"
#include "tools/timeline_options.hpp"

#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct PredictOptions {
    std::vector<std::string> directories, without, order;
    std::string pes, curves, serial, curve = "measured";
    bool json = false;
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

void run_predict(const PredictOptions &options) {
    if (options.pes.empty() && !options.serial.empty())
        throw std::invalid_argument("--serial is of use with --pes only");
    const CoupledPart part = coupled_part(options.directories.front(), options.without, options.order);
    if (!options.pes.empty()) refuse_unknown_cores(options.directories.front(), part.run);
    MeasuredGraph measured = measured_graph(part.run);
    PredictOutput output{
        part, measured, !options.pes.empty(), curve_form(options.curve), measured.processes, {}, {}, {}, {}, {}};
    add_remarks(output.remarks, part.run);
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
    command->add_option("--curves", o->curves, "table of scaling: component,processes,seconds");
    command->add_option("--serial", o->serial,
                        "share of the computing time that more processes do not make shorter, for components "
                        "measured with one count: 0.1, or ocean=0.2,ice=0.05");
    command->add_option("--curve", o->curve, "form of the scaling curves, as for balance")
        ->check(cli::one_of({"measured", "hslb", "linear", "fit"}));
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    add_order_option(*command, o->order);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_predict(*o); });
}

} // namespace cpl_lb
