// Builds curves over GPUs or cores of whole nodes, and the problem for the optimiser.
#include "prediction/kinds_model.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

const NodeHalves *halves_of(const KindsModel &model, std::size_t c) {
    for (const NodeHalves &pair : model.halves)
        if (pair.first == c || pair.second == c) return &pair;
    return nullptr;
}

std::vector<ScalingSample> over_units(const std::vector<const NodeSample *> &samples, std::int64_t units,
                                      double factor) {
    std::vector<ScalingSample> all;
    for (const NodeSample *sample : samples) {
        ScalingSample s = sample->time;
        s.processes = sample->nodes * static_cast<double>(units);
        s.seconds *= factor;
        s.error_s *= factor;
        all.push_back(s);
    }
    return all;
}

// Such a component would have one half of the nodes of a pair, while the other half computes: its times are of whole
// nodes. On another kind it has nodes of its own.
void refuse_in_turn_with_one_half(const KindsModel &model) {
    const std::size_t components = model.curves.size();
    for (const NodeHalves &pair : model.halves) {
        for (std::size_t c = 0; c < components; ++c) {
            if (c == pair.first || c == pair.second) continue;
            const bool with_first = model.run.pool.in_turn(c, pair.first, components);
            if (with_first == model.run.pool.in_turn(c, pair.second, components)) continue;
            for (std::size_t k = 0; k < model.kinds.size(); ++k) {
                if (!model.may_run_on(c, k) || !model.may_run_on(pair.first, k)) continue;
                const std::vector<std::string> &names = model.run.names;
                throw PredictionError(fmt::format(
                    "--share: {0} is in turn with {1} on the same cores, but not with {2}, which has the other "
                    "halves of these nodes: how long {0} takes on one half is not known. Let --on give {0} another "
                    "kind of node than {3}, or give it nodes of its own: > for + in --layout",
                    names[c], names[with_first ? pair.first : pair.second],
                    names[with_first ? pair.second : pair.first], model.kinds[k].name));
            }
        }
    }
}

} // namespace

std::pair<std::int64_t, bool> units_on(const KindsModel &model, std::size_t c, std::size_t kind) {
    const KindOfNode &node = model.kinds[kind];
    if (node.gpus == 0) return {node.cores, false};
    const NodeHalves *pair = halves_of(model, c);
    if (pair == nullptr || pair->second != c) return {node.gpus, true};
    return {std::max<std::int64_t>(1, node.cores - model.host_cores * node.gpus), false};
}

void enter_curves(KindsModel &model, const std::vector<NodeSample> &samples,
                  const std::vector<std::vector<std::size_t>> &may_run, const std::vector<double> &serial,
                  NodePairs &not_measured) {
    const std::vector<std::string> &names = model.run.names;
    model.curves.assign(names.size(), {});
    for (std::size_t c = 0; c < names.size(); ++c) {
        const NodeHalves *pair = halves_of(model, c);
        const auto add = [&](std::size_t k, bool sharing, double factor, bool may_have) {
            std::vector<const NodeSample *> some;
            bool has_first = false;
            for (const NodeSample &s : samples) {
                if (s.component != c || s.kind != k || s.sharing != sharing) continue;
                some.push_back(&s);
                has_first = has_first || s.first;
            }
            if (some.empty()) return false;
            const auto [units, counts_gpus] = units_on(model, c, k);
            const SamplesByComponent of_one = {{names[c], over_units(some, units, factor)}};
            const std::vector<double> share =
                c < serial.size() ? std::vector<double>{serial[c]} : std::vector<double>{};
            if (has_first && factor == 1 && model.run.measured) model.now[c] = model.curves[c].size();
            model.curves[c].push_back(
                {k, units, counts_gpus, may_have, sharing, curves_of(of_one, {names[c]}, share).front()});
            return true;
        };
        if (model.run.measured && model.now.size() < names.size()) model.now.resize(names.size());
        for (std::size_t k = 0; k < model.kinds.size(); ++k) {
            const bool may = std::ranges::find(may_run[c], k) != may_run[c].end();
            const bool measured_so = add(k, pair != nullptr, 1, may) && may;
            if (pair == nullptr) {
                if (may && !measured_so) not_measured.emplace_back(c, k);
                continue;
            }
            // Measured apart: with the cost of sharing, and as in the first run.
            const double factor = is_known(pair->factor) ? pair->factor : 1;
            const bool as_apart = may && !measured_so;
            const bool any = add(k, false, as_apart ? factor : 1, as_apart);
            if (any && as_apart && factor != 1) add(k, false, 1, false);
            if (may && !measured_so && !any) not_measured.emplace_back(c, k);
        }
        const std::vector<CurveOnKind> &all = model.curves[c];
        if (std::ranges::none_of(all, &CurveOnKind::may_have)) {
            std::vector<std::string> kinds;
            for (const std::size_t k : may_run[c])
                kinds.push_back(model.kinds[k].name);
            throw PredictionError(names[c] + ": no measured time on any kind of node that it may have (" +
                                  joined(kinds, ", ") + ")");
        }
    }
}

bool KindsModel::may_run_on(std::size_t c, std::size_t kind) const {
    return std::ranges::any_of(curves[c], [&](const CurveOnKind &on) { return on.may_have && on.kind == kind; });
}

const CurveOnKind &KindsModel::curve_on(std::size_t c, std::size_t kind) const {
    return *std::ranges::find_if(curves[c], [&](const CurveOnKind &on) { return on.may_have && on.kind == kind; });
}

const ScalingCurve &KindsModel::curve_now(std::size_t c) const {
    return curves[c][run.measured ? now[c] : 0].curve;
}

double KindsModel::computing_s(std::size_t c, std::size_t kind, std::int64_t nodes, CurveForm by) const {
    const CurveOnKind &on = curve_on(c, kind);
    return run.computing_s(c, curve_now(c), on.curve, nodes * on.units, by);
}

CurvesOfMove KindsModel::move_to(const BalanceAnswer &answer) const {
    CurvesOfMove move;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const CurveOnKind &on = curve_on(c, answer.kind[c]);
        move.now.push_back(&curve_now(c));
        move.then.push_back(&on.curve);
        move.counts.push_back(answer.counts[c] * on.units);
    }
    return move;
}

BalanceAnswer KindsModel::present() const {
    BalanceAnswer answer;
    if (!run.measured) return answer;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const CurveOnKind &on = curves[c][now[c]];
        if (!may_run_on(c, on.kind)) return {};
        answer.kind.push_back(on.kind);
        answer.counts.push_back(
            static_cast<std::int64_t>(std::ceil(on.nodes(static_cast<double>(run.measured->processes[c])) - 1e-9)));
    }
    answer.seconds = run.measured->measured_s();
    return answer;
}

std::string KindsModel::in_turn_in_words(const BalanceAnswer &answer) const {
    Sharing shares(curves.size());
    for (std::size_t c = 0; c < shares.size(); ++c) {
        const NodeHalves *pair = halves_of(*this, c);
        for (std::size_t other = 0; other < shares.size(); ++other) {
            if (other == c || answer.kind[other] != answer.kind[c]) continue;
            const bool on_halves = pair != nullptr && (pair->first == other || pair->second == other);
            if (!on_halves && run.pool.in_turn(c, other, shares.size())) shares[c].push_back(other);
        }
    }
    return pool_of(shares).shared_in_words(run.names);
}

KindsProblem KindsModel::problem(std::vector<double> weights, std::vector<Power> power) const {
    refuse_in_turn_with_one_half(*this);
    KindsProblem problem;
    problem.kinds = kinds;
    for (std::size_t k = 0; k < kinds.size(); ++k)
        problem.kinds[k].nodes -= kept_nodes[k];
    for (std::size_t c = 0; c < curves.size(); ++c) {
        std::vector<OnKind> component;
        for (const CurveOnKind &on : curves[c]) {
            if (!on.may_have) continue;
            OnKind one{on.kind, {}, {}};
            const std::vector<std::int64_t> &allowed = allowed_nodes[c];
            for (std::int64_t n = 1; n <= problem.kinds[on.kind].nodes; ++n) {
                if (!allowed.empty() && !std::ranges::binary_search(allowed, n)) continue;
                one.nodes.push_back(n);
                one.seconds.push_back(computing_s(c, on.kind, n, form));
            }
            if (!one.nodes.empty()) component.push_back(std::move(one));
        }
        if (component.empty())
            throw PredictionError(run.names[c] + ": no number of nodes is possible on the kinds that it may have");
        problem.components.push_back(std::move(component));
    }
    for (const NodeHalves &pair : halves)
        problem.shared.emplace_back(pair.first, pair.second);
    problem.length_s = [this](const std::vector<double> &s) { return run.length_s(s); };
    problem.path_shares = [this](const std::vector<double> &s) { return run.path_shares(s); };
    problem.pool = run.pool;
    problem.weights = std::move(weights);
    problem.power = std::move(power);
    problem.long_loop = run.measured && run.measured->graph->points() > long_loop_points;
    return problem;
}

} // namespace cpl_lb
