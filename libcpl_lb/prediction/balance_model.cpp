// Builds the model for the optimiser from measured runs.
#include "prediction/balance_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

// Memory for each core that the processes use, on the node of the run that has least of it.
double memory_of_core(const CoupledRun &run) {
    double least = unknown;
    for (const NodeMeters &node : run.meters.nodes)
        if (is_known(node.memory_B) && node.cores > 0 && !(node.memory_B / node.cores >= least))
            least = node.memory_B / node.cores;
    return least;
}

void add_memory(BalanceModel &model, const CoupledRun &run) {
    for (const Component &component : run.components) {
        const auto at = std::ranges::find(model.names, component.name);
        const Spread &high = component.meters.hwm_B;
        if (at == model.names.end() || high.count != static_cast<std::int64_t>(component.ranks.size())) continue;
        const auto c = static_cast<std::size_t>(at - model.names.begin());
        const bool alike = component.cores() == static_cast<std::int64_t>(component.ranks.size()) * component.threads;
        model.memory[c].push_back(
            {static_cast<double>(component.cores()), high.sum, alike ? component.threads : differing_threads});
    }
}

// Watts of a core, from the energy of the whole run: computing and waiting were not measured apart.
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

double BalanceModel::computing_s(std::size_t c, const ScalingCurve &now, const ScalingCurve &then, std::int64_t count,
                                 CurveForm form) const {
    const double seconds = then.seconds(static_cast<double>(count), form);
    if (!measured) return seconds;
    const auto at = static_cast<double>(measured->processes[c]);
    return measured->graph->computing_s()[c] * seconds / now.seconds(at, form);
}

std::vector<double> BalanceModel::computing_s(const CurvesOfMove &move, CurveForm form) const {
    std::vector<double> seconds;
    for (std::size_t c = 0; c < move.counts.size(); ++c)
        seconds.push_back(computing_s(c, *move.now[c], *move.then[c], move.counts[c], form));
    return seconds;
}

const ScalingCurve &BalanceModel::curve_with(std::size_t c, std::int64_t with_threads) const {
    if (with_threads == threads[c]) return curves[c];
    const std::span<const CurveOfThreads> others = others_of(c);
    const auto other = std::ranges::find(others, with_threads, &CurveOfThreads::threads);
    return other == others.end() ? curves[c] : other->curve;
}

CurvesOfMove BalanceModel::move_to(const std::vector<std::int64_t> &counts,
                                   const std::vector<std::int64_t> &with_threads) const {
    CurvesOfMove move{chosen(curves), {}, counts};
    for (std::size_t c = 0; c < curves.size(); ++c)
        move.then.push_back(&curve_with(c, with_threads[c]));
    return move;
}

bool BalanceModel::keeps_threads(std::size_t c) const {
    return c >= not_as_now.size() || !not_as_now[c];
}

bool BalanceModel::may_have(std::size_t c, std::int64_t cores, std::int64_t with_threads) const {
    if (with_threads == threads[c] && !keeps_threads(c)) return false;
    return cores % with_threads == 0 && cores >= memory_floor(c, with_threads);
}

bool BalanceModel::can_fill(std::size_t c, std::int64_t cores) const {
    return may_have(c, cores, threads[c]) || std::ranges::any_of(others_of(c), [&](const CurveOfThreads &other) {
               return may_have(c, cores, other.threads);
           });
}

std::int64_t BalanceModel::best_threads(std::size_t c, std::int64_t cores, CurveForm form) const {
    std::int64_t best = threads[c];
    if (others_of(c).empty()) return best;
    double least_s = std::numeric_limits<double>::infinity();
    const auto count = static_cast<double>(cores);
    if (may_have(c, cores, best)) least_s = curves[c].seconds(count, form);
    for (const CurveOfThreads &other : others_of(c)) {
        const double seconds = other.curve.seconds(count, form);
        if (!(seconds < least_s) || !may_have(c, cores, other.threads)) continue;
        least_s = seconds;
        best = other.threads;
    }
    return best;
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

std::int64_t BalanceModel::memory_floor(std::size_t c, std::int64_t with_threads) const {
    std::vector<MemorySample> samples;
    for (const MemorySample &s : memory[c])
        if (s.threads == with_threads || (s.threads == 0 && with_threads == threads[c])) samples.push_back(s);
    // The memory that is divided among the processes does not depend on their threads.
    if (samples.empty()) samples = memory[c];
    if (samples.empty() || !is_known(core_memory_B)) return 1;
    const std::int64_t least = least_cores(samples, core_memory_B);
    return least > 0 ? least : std::numeric_limits<std::int64_t>::max();
}

std::int64_t BalanceModel::memory_floor(std::size_t c) const {
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::int64_t least = keeps_threads(c) ? memory_floor(c, threads[c]) : none;
    for (const CurveOfThreads &other : others_of(c))
        least = std::min(least, memory_floor(c, other.threads));
    if (least == none)
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

double BalanceModel::expected_s(const CurvesOfMove &move, CurveForm form) const {
    if (!measured) return length_s(computing_s(move, form));
    return predict(*measured, factors_of(*measured, move, form)).predicted_s;
}

double BalanceModel::uncertainty(const CurvesOfMove &move, CurveForm form) const {
    const double seconds = expected_s(move, form);
    if (measured) return predicted_range(*measured, move, form).uncertainty_s(seconds) / seconds;
    std::vector<double> slower = computing_s(move, form), faster = slower;
    for (std::size_t c = 0; c < slower.size(); ++c) {
        const TimeError off = move.then[c]->error(static_cast<double>(move.counts[c]));
        if (!is_known(off.larger())) return unknown;
        slower[c] *= 1 + off.longer;
        faster[c] /= 1 + off.shorter;
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
            model.mpi_recorded.push_back(component.inside.recorded());
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
    if (std::ranges::find(exchanges, Transfer::not_seen, &MatchedExchange::transfer) == exchanges.end()) return;
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
    // At most through the origin: the part that is divided cannot be negative.
    const double of_each = square > 0 ? std::clamp(product / square, 0.0, mean_B / mean_cores) : 0;
    const double divided = mean_B - of_each * mean_cores;
    if (of_each >= memory_of_core_B) return 0;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(divided / (memory_of_core_B - of_each))));
}

} // namespace cpl_lb
