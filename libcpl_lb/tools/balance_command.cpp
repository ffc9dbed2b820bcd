// cpl-lb balance: the best processor counts from one or several runs, or from a table of timings.
#include "prediction/layout.hpp"
#include "prediction/predictor.hpp"
#include "tools/balance_output.hpp"
#include "tools/commands.hpp"
#include "tools/curve_sources.hpp"
#include "tools/load_run.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct BalanceOptions {
    std::vector<std::string> directories, without;
    std::string curves, layout, block, min, max, allowed, curve = "fit", objective = "time";
    std::int64_t total = 0;
    bool json = false;
};

// Either a measured graph or a layout in words; times in seconds of the coupling loop, or of the table.
struct Model {
    std::optional<MeasuredGraph> measured;
    std::optional<ProcessorLayout> layout;
    std::vector<std::string> names;
    std::vector<ScalingCurve> curves;
    double alpha = 1;

    [[nodiscard]] double computing_s(std::size_t c, double count, CurveForm form) const {
        if (!measured) return curves[c].seconds(count, form);
        const auto at = static_cast<double>(measured->processes[c]);
        return measured->graph->computing_s()[c] * curves[c].seconds(count, form) / curves[c].seconds(at, form);
    }
    [[nodiscard]] std::vector<double> factors(const std::vector<double> &seconds) const {
        std::vector<double> result(seconds);
        for (std::size_t c = 0; c < result.size(); ++c)
            result[c] /= measured->graph->computing_s()[c];
        return result;
    }
    [[nodiscard]] double length_s(const std::vector<double> &seconds) const {
        return measured ? alpha * measured->graph->length_s(factors(seconds)) : layout->length_s(seconds);
    }
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &seconds) const {
        if (!measured) return layout->path_shares(seconds);
        const std::vector<double> f = factors(seconds);
        std::vector<double> shares = measured->graph->critical_path(measured->graph->schedule(f), f).seconds;
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] *= alpha / seconds[c];
        return shares;
    }
};

Model model_of(const BalanceOptions &options) {
    Model model;
    SamplesByComponent samples;
    for (const std::string &directory : options.directories) {
        MeasuredGraph graph = measured_graph(leave_out(load_run(directory), options.without));
        add_samples(samples, graph);
        if (!model.measured) model.measured = std::move(graph);
    }
    if (!options.curves.empty())
        for (auto &[name, list] : read_curves(options.curves))
            samples[name] = list;
    if (model.measured) {
        model.names = model.measured->graph->names();
        model.alpha = predict(*model.measured, std::vector<double>(model.names.size(), 1.0)).alpha;
    } else {
        for (const auto &[name, list] : samples)
            model.names.push_back(name);
        model.layout.emplace(options.layout, model.names);
    }
    model.curves = curves_of(samples, model.names);
    return model;
}

// A number for all components, "8", or for some, "atm=8,ocn=16".
std::vector<std::int64_t> limits(const std::string &option, const std::string &text,
                                 const std::vector<std::string> &names, std::int64_t otherwise) {
    std::vector<std::int64_t> values(names.size(), otherwise);
    if (text.empty()) return values;
    std::string each = text;
    if (text.find('=') == std::string::npos) {
        each.clear();
        for (const std::string &name : names)
            each += (each.empty() ? "" : ",") + name + "=" + text;
    }
    const auto counts = processor_counts(option, each, names);
    for (std::size_t c = 0; c < names.size(); ++c)
        if (const auto given = counts.find(names[c]); given != counts.end()) values[c] = given->second;
    return values;
}

std::vector<AllowedCounts> allowed_counts(const BalanceOptions &o, const std::vector<std::string> &names) {
    const auto least = limits("--min", o.min, names, 1);
    const auto most = limits("--max", o.max, names, o.total);
    const auto block = limits("--block", o.block, names, 1);
    std::map<std::string, std::vector<std::int64_t>> lists;
    if (!o.allowed.empty()) lists = processor_lists("--allowed", o.allowed, names);
    std::vector<AllowedCounts> allowed;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::int64_t largest = std::min(most[c], o.total);
        const auto list = lists.find(names[c]);
        if (list == lists.end()) {
            allowed.push_back(multiples(names[c], least[c], largest, block[c]));
            continue;
        }
        AllowedCounts counts{names[c], {}};
        for (const std::int64_t n : list->second)
            if (n >= least[c] && n <= largest && n % block[c] == 0) counts.counts.push_back(n);
        std::sort(counts.counts.begin(), counts.counts.end());
        counts.counts.erase(std::unique(counts.counts.begin(), counts.counts.end()), counts.counts.end());
        if (counts.counts.empty())
            throw PredictionError(names[c] + ": none of the allowed counts fits --min, --max, --block and --total");
        allowed.push_back(std::move(counts));
    }
    return allowed;
}

// Looking at more would take longer than some seconds.
std::int64_t most_boxes(const Model &model) {
    constexpr std::int64_t points_in_some_seconds = 50'000'000;
    const std::int64_t points = model.measured ? static_cast<std::int64_t>(model.measured->graph->points()) : 100;
    return std::clamp<std::int64_t>(points_in_some_seconds / points, 100, 100'000);
}

void run_balance(const BalanceOptions &options) {
    if (options.directories.empty() && (options.curves.empty() || options.layout.empty()))
        throw std::invalid_argument("balance needs folders of runs, or --curves with --layout");
    if (!options.directories.empty() && !options.layout.empty())
        throw std::invalid_argument("--layout is for tables without a run: with a run its measured dependency holds");
    const Model model = model_of(options);
    BalanceOutput output;
    output.form = options.curve == "linear" ? CurveForm::linear : CurveForm::fit;
    const CurveForm other = output.form == CurveForm::fit ? CurveForm::linear : CurveForm::fit;
    BalanceProblem problem{
        allowed_counts(options, model.names), options.total,
        [&](std::size_t c, std::int64_t n) { return model.computing_s(c, static_cast<double>(n), output.form); },
        [&](const std::vector<double> &s) { return model.length_s(s); },
        [&](const std::vector<double> &s) { return model.path_shares(s); }};
    output.names = model.names;
    output.curves = model.curves;
    output.total = options.total;
    output.answer =
        balance(problem, options.objective == "cost" ? Objective::cost : Objective::time, most_boxes(model));
    std::vector<double> seconds;
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        seconds.push_back(model.computing_s(c, static_cast<double>(output.answer.counts[c]), other));
        output.measure_next.push_back(
            model.curves[c].measure_next(static_cast<double>(problem.allowed[c].counts.front()),
                                         static_cast<double>(problem.allowed[c].counts.back())));
    }
    output.other_form_s = model.length_s(seconds);
    if (model.measured) {
        output.measured_processes = model.measured->processes;
        output.measured_s = model.measured->measured_s();
    }
    if (options.objective == "pareto") output.front = pareto_front(problem, most_boxes(model));
    print(options.json ? balance_as_json(output) : balance_as_text(output));
}

} // namespace

void add_balance_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("balance", "The best processor counts from runs, or from a table of timings");
    const auto o = std::make_shared<BalanceOptions>();
    command->add_option("DIR", o->directories,
                        "folders with timelines: the first gives the dependency, all the scaling");
    command->add_option("--total", o->total, "cores for all components together")
        ->required()
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    command->add_option("--curves", o->curves, "table of scaling: component,processes,seconds");
    command->add_option("--layout", o->layout, "max(max(ice,lnd)+atm,ocn): + one after the other, max side by side");
    command->add_option("--block", o->block, "counts are multiples of this: 8, or atm=8,ocn=16");
    command->add_option("--min", o->min, "least counts, likewise");
    command->add_option("--max", o->max, "largest counts, likewise");
    command->add_option("--allowed", o->allowed, "the only counts: atm=64:128:192");
    command->add_option("--without", o->without, "components that take no part in the coupling")->delimiter(',');
    command->add_option("--curve", o->curve, "form of the scaling curves")->check(cli::one_of({"fit", "linear"}));
    command->add_option("--objective", o->objective, "least time, least core hours, or time against cores")
        ->check(cli::one_of({"time", "cost", "pareto"}));
    command->add_flag("--json", o->json, "for programs");
    command->callback([o] { run_balance(*o); });
}

} // namespace cpl_lb
