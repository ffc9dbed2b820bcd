// cpl-lb predict: who waits for whom in a run, and the coupling loop with other processor counts.
#include "tools/commands.hpp"
#include "tools/curve_sources.hpp"
#include "tools/predict_output.hpp"
#include "tools/processor_counts.hpp"

#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct PredictOptions {
    std::vector<std::string> directories, without;
    std::string pes, curves, serial;
    bool json = false;
};

void run_predict(const PredictOptions &options) {
    const CoupledPart part = coupled_part(options.directories.front(), options.without);
    const MeasuredGraph measured = measured_graph(part.run);
    const std::vector<std::string> &names = measured.graph->names();
    PredictOutput output{part, measured, !options.pes.empty(), measured.processes, {}, {}, {}};
    std::vector<double> fit(names.size(), 1.0);
    std::vector<double> linear = fit;
    if (options.pes.empty() && !options.serial.empty())
        throw std::invalid_argument("--serial is of use with --pes only");
    if (output.other_counts) {
        SamplesByComponent samples;
        add_samples(samples, measured);
        for (std::size_t d = 1; d < options.directories.size(); ++d)
            add_samples(samples, measured_graph(coupled_part(options.directories[d], options.without).run));
        // A table says how a component scales, in whatever unit of time: it takes the place of the runs' samples.
        if (!options.curves.empty())
            for (auto &[name, list] : read_curves(options.curves))
                samples[name] = list;
        output.curves = curves_of(samples, names, serial_parts(options.serial, names));
        const auto counts = processor_counts("--pes", options.pes, names);
        for (std::size_t c = 0; c < names.size(); ++c) {
            if (const auto given = counts.find(names[c]); given != counts.end()) output.processes[c] = given->second;
            const auto from = static_cast<double>(measured.processes[c]);
            const auto to = static_cast<double>(output.processes[c]);
            fit[c] = output.curves[c].seconds(to, CurveForm::fit) / output.curves[c].seconds(from, CurveForm::fit);
            linear[c] = output.curves[c].linear_s(to) / output.curves[c].linear_s(from);
        }
    }
    output.fit = predict(measured, fit);
    output.linear = predict(measured, linear);
    print(options.json ? predict_as_json(output) : predict_as_text(output));
}

} // namespace

void add_predict_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "predict", "Who waits for whom, the critical path, and the coupling loop with other processor counts");
    const auto o = std::make_shared<PredictOptions>();
    command
        ->add_option("DIR", o->directories,
                     "folder with timelines; more of them: the same model with other counts, for the scaling curves")
        ->required();
    command->add_option("--pes", o->pes, "new processor counts, ocean=96,atmosphere=32; others keep theirs");
    command->add_option("--curves", o->curves, "table of scaling: component,processes,seconds");
    command->add_option("--serial", o->serial,
                        "share of the computing time that stays with any processes, for components measured with one "
                        "count: 0.1, or ocean=0.2,ice=0.05");
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    command->add_flag("--json", o->json, "for programs");
    command->callback([o] { run_predict(*o); });
}

} // namespace cpl_lb
