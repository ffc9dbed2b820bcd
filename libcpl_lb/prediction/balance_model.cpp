// Builds the model for the optimiser from measured runs.
#include "prediction/balance_model.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Memory for each core that the processes use, on the run's node with the least.
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

double alpha_of(const MeasuredGraph &graph) {
    return predict(graph, std::vector<double>(graph.graph->components(), 1.0)).alpha;
}

} // namespace

double BalanceModel::computing_s(std::size_t c, double count, CurveForm form) const {
    if (!measured) return curves[c].seconds(count, form);
    const auto at = static_cast<double>(measured->processes[c]);
    return measured->graph->computing_s()[c] * curves[c].seconds(count, form) / curves[c].seconds(at, form);
}

double BalanceModel::length_s(const std::vector<double> &computing_s) const {
    if (!measured) return layout->length_s(computing_s);
    return alpha * measured->graph->length_s(measured->graph->factors_of(computing_s));
}

std::vector<double> BalanceModel::path_shares(const std::vector<double> &computing_s) const {
    if (!measured) return layout->path_shares(computing_s);
    std::vector<double> shares = measured->graph->path_shares(computing_s);
    for (double &share : shares)
        share *= alpha;
    return shares;
}

std::int64_t BalanceModel::memory_floor(std::size_t c) const {
    if (memory[c].empty() || !is_known(core_memory_B)) return 1;
    const std::int64_t least = least_cores(memory[c], core_memory_B);
    if (least == 0)
        throw PredictionError(names[c] + ": each process alone needs more memory than a core of the node has");
    return least;
}

bool BalanceModel::is_idle(std::size_t c) const {
    return curves[c].samples().front().seconds <= idle_s;
}

std::int64_t BalanceModel::held(std::size_t c) const {
    const bool unknown_scaling = measured && io_server[c] && curves[c].samples().size() == 1;
    return measured && (is_idle(c) || unknown_scaling) ? measured->processes[c] : 0;
}

std::int64_t BalanceModel::kept_cores(std::int64_t node_cores) const {
    std::int64_t cores = 0;
    for (const KeptComponent &component : kept)
        cores += (component.own_cores + node_cores - 1) / node_cores * node_cores;
    return cores;
}

double BalanceModel::expected_s(const std::vector<std::int64_t> &counts, CurveForm form) const {
    if (measured) return predict(*measured, factors_of(*measured, curves, counts, form)).predicted_s;
    std::vector<double> seconds;
    for (std::size_t c = 0; c < counts.size(); ++c)
        seconds.push_back(computing_s(c, static_cast<double>(counts[c]), form));
    return length_s(seconds);
}

double BalanceModel::uncertainty(const std::vector<std::int64_t> &counts, CurveForm form) const {
    const double seconds = expected_s(counts, form);
    if (measured) return predicted_range(*measured, curves, counts, form).uncertainty_s(seconds) / seconds;
    std::vector<double> slower, faster;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const auto count = static_cast<double>(counts[c]);
        const double off = 1 + curves[c].uncertainty(count);
        if (!is_known(off)) return unknown;
        slower.push_back(computing_s(c, count, form) * off);
        faster.push_back(computing_s(c, count, form) / off);
    }
    return std::max(length_s(slower) / seconds - 1, 1 - length_s(faster) / seconds);
}

void add_run(BalanceModel &model, const CoupledPart &part, SamplesByComponent &samples) {
    const CoupledRun &run = part.run;
    MeasuredGraph graph = measured_graph(run);
    if (model.measured) check_cycle(model.cycle, run, graph);
    add_samples(samples, graph);
    add_seen(model.seen, run, graph);
    if (!model.measured) {
        model.names = graph.graph->names();
        model.memory.resize(model.names.size());
        for (const Component &component : run.components) {
            model.threads.push_back(component.threads);
            model.ids.push_back(component.id);
            model.io_server.push_back(component.properties.is_io_server);
        }
        model.core_memory_B = memory_of_core(run);
        model.pool = graph.pool;
        measured_power(model, run);
        model.alpha = alpha_of(graph);
        model.cycle = cycle_in_words(run, graph);
        model.measured = std::move(graph);
        model.io_servers = part.io_servers;
        model.kept = part.kept;
    }
    add_memory(model, run);
}

void settle_graph(BalanceModel &model, const CoupledPart &first) {
    const std::vector<MatchedExchange> &exchanges = model.measured->exchanges;
    const bool any = std::any_of(exchanges.begin(), exchanges.end(),
                                 [](const MatchedExchange &m) { return m.transfer == Transfer::not_seen; });
    if (!any) return;
    model.measured = measured_graph(first.run, model.seen);
    model.alpha = alpha_of(*model.measured);
}

std::int64_t least_cores(const std::vector<MemorySample> &samples, double memory_of_core_B) {
    if (samples.empty() || !(memory_of_core_B > 0)) return 1;
    double mean_cores = 0, mean_B = 0;
    for (const MemorySample &s : samples) {
        mean_cores += s.cores / static_cast<double>(samples.size());
        mean_B += s.high_B / static_cast<double>(samples.size());
    }
    double square = 0, product = 0;
    for (const MemorySample &s : samples) {
        square += (s.cores - mean_cores) * (s.cores - mean_cores);
        product += (s.cores - mean_cores) * (s.high_B - mean_B);
    }
    // Through the origin at most: a part that is divided cannot be negative.
    const double of_each = square > 0 ? std::clamp(product / square, 0.0, mean_B / mean_cores) : 0;
    const double divided = mean_B - of_each * mean_cores;
    if (of_each >= memory_of_core_B) return 0;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(divided / (memory_of_core_B - of_each))));
}

} // namespace cpl_lb
