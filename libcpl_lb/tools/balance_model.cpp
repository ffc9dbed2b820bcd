#include "tools/balance_model.hpp"

#include "prediction/predictor.hpp"
#include "tools/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <stdexcept>

namespace cpl_lb {
namespace {

// Of the run's nodes the one with least memory for each core that its processes use.
double memory_of_core(const CoupledRun &run) {
    double least = unknown;
    for (const NodeMeters &node : run.meters.nodes)
        if (is_known(node.memory_B) && node.cores > 0 && !(node.memory_B / node.cores >= least))
            least = node.memory_B / node.cores;
    return least;
}

void add_memory(BalanceModel &model, const CoupledRun &run) {
    for (const Component &component : run.components) {
        const auto at = std::find(model.names.begin(), model.names.end(), component.name);
        const Spread &high = component.meters.hwm_B;
        if (at == model.names.end() || high.count != static_cast<std::int64_t>(component.ranks.size())) continue;
        model.memory[static_cast<std::size_t>(at - model.names.begin())].push_back(
            {static_cast<double>(component.cores()), high.sum});
    }
}

// Watts of a core from the energy of the whole run: computing and waiting were not told apart.
void measured_power(BalanceModel &model, const CoupledRun &run) {
    for (const Component &component : run.components) {
        const double watts =
            component.meters.energy_J / (component.wall_s() * static_cast<double>(component.cores()));
        if (!(watts > 0)) {
            const std::string &why = component.meters.why_no_energy;
            model.why_no_power =
                "the energy of " + component.name + " was not measured" + (why.empty() ? "" : " (" + why + ")");
            model.power.clear();
            return;
        }
        model.power.push_back({watts, watts});
    }
}

void given_power(BalanceModel &model, const std::string &text) {
    model.power.clear();
    const auto given = component_numbers("--power", text, model.names);
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const std::vector<double> &watts = given[c];
        if (watts.empty() || watts.size() > 2 || !(watts[0] > 0) || watts.back() > watts[0])
            throw std::invalid_argument("--power: " + model.names[c] +
                                        " needs BUSY or BUSY:IDLE watts of a core, idle not above busy");
        model.power.push_back({watts.front(), watts.back()});
    }
}

void read_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples) {
    for (const std::string &directory : options.directories) {
        CoupledPart part = coupled_part(directory, options.without);
        const CoupledRun &run = part.run;
        MeasuredGraph graph = measured_graph(run);
        add_samples(samples, graph);
        if (!model.measured) {
            model.names = graph.graph->names();
            model.memory.resize(model.names.size());
            for (const Component &component : run.components)
                model.threads.push_back(component.threads);
            model.core_memory_B = memory_of_core(run);
            model.pool = graph.pool;
            measured_power(model, run);
            model.measured = std::move(graph);
            model.io_servers = std::move(part.io_servers);
        }
        add_memory(model, run);
    }
}

} // namespace

double BalanceModel::computing_s(std::size_t c, double count, CurveForm form) const {
    if (!measured) return curves[c].seconds(count, form);
    const auto at = static_cast<double>(measured->processes[c]);
    return measured->graph->computing_s()[c] * curves[c].seconds(count, form) / curves[c].seconds(at, form);
}

namespace {

std::vector<double> factors(const CouplingGraph &graph, const std::vector<double> &seconds) {
    std::vector<double> result(seconds);
    for (std::size_t c = 0; c < result.size(); ++c)
        result[c] /= graph.computing_s()[c];
    return result;
}

} // namespace

double BalanceModel::length_s(const std::vector<double> &computing_s) const {
    if (!measured) return layout->length_s(computing_s);
    return alpha * measured->graph->length_s(factors(*measured->graph, computing_s));
}

std::vector<double> BalanceModel::path_shares(const std::vector<double> &computing_s) const {
    if (!measured) return layout->path_shares(computing_s);
    const std::vector<double> f = factors(*measured->graph, computing_s);
    std::vector<double> shares = measured->graph->critical_path(measured->graph->schedule(f), f).seconds;
    for (std::size_t c = 0; c < shares.size(); ++c)
        shares[c] *= alpha / computing_s[c];
    return shares;
}

std::int64_t BalanceModel::memory_floor(std::size_t c) const {
    if (memory[c].empty() || !is_known(core_memory_B)) return 1;
    const std::int64_t least = least_cores(memory[c], core_memory_B);
    if (least == 0)
        throw PredictionError(names[c] + ": each process alone needs more memory than a core of the node has");
    return least;
}

BalanceModel balance_model(const BalanceOptions &options) {
    BalanceModel model;
    SamplesByComponent samples;
    read_runs(model, options, samples);
    if (!options.curves.empty())
        for (auto &[name, list] : read_curves(options.curves))
            samples[name] = list;
    if (model.measured) {
        model.alpha = predict(*model.measured, std::vector<double>(model.names.size(), 1.0)).alpha;
    } else {
        for (const auto &[name, list] : samples)
            model.names.push_back(name);
        model.layout.emplace(options.layout, model.names);
        model.pool = model.layout->pool();
        model.memory.resize(model.names.size());
        model.threads.assign(model.names.size(), 1);
        model.why_no_power = "a table of times says nothing of energy";
    }
    if (options.no_sharing) model.pool = cores_of_their_own(model.names.size());
    model.curves = curves_of(samples, model.names, serial_parts(options.serial, model.names));
    if (options.node_memory_GB > 0)
        model.core_memory_B = options.node_memory_GB * 1e9 / static_cast<double>(options.cores_per_node);
    if (!options.power.empty()) given_power(model, options.power);
    return model;
}

} // namespace cpl_lb
