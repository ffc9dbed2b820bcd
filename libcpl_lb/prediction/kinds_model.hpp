// The model of balance over kinds of nodes: a curve for each component on each kind, over the graph of a run or a
// layout in words (docs/definitions.md, section 5).
#pragma once

#include "prediction/balance_model.hpp"
#include "prediction/optimiser.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// A measured time of a component on nodes of one kind.
struct NodeSample {
    std::size_t component = 0, kind = 0;
    double nodes = 0;     // not whole if it had a part of a node
    bool sharing = false; // while its partner had the other halves of these nodes
    bool first = false;   // of the first run, whose graph is used
    ScalingSample time;   // its processes are not used
};

// Two components on halves of the same nodes: the first has the GPUs, and host_cores cores for each of them; the
// second has the other cores.
struct NodeHalves {
    std::size_t first = 0, second = 0;
    double factor = unknown; // for the times of both if they were measured apart; NaN: not given
};

struct CurveOnKind {
    std::size_t kind = 0;
    std::int64_t units = 1;   // of a node that belong to the component: GPUs or cores
    bool counts_gpus = false; // which of them
    bool may_have = true;     // false: only the first run had it there, or so
    bool of_sharing = false;  // measured while its partner had the other halves
    ScalingCurve curve;       // over the units
    [[nodiscard]] double nodes(double of_units) const { return of_units / static_cast<double>(units); }
};

struct KindsModel {
    BalanceModel run;                     // the graph or the layout, names, remarks; without curves
    std::vector<KindOfNode> kinds;        // as given
    std::vector<std::int64_t> kept_nodes; // by kind, of components outside of the coupling
    std::vector<NodeHalves> halves;
    std::int64_t host_cores = 1;
    std::vector<std::vector<CurveOnKind>> curves;         // by component
    std::vector<std::size_t> now;                         // by component, place in its curves; empty without a graph
    std::vector<std::vector<std::int64_t>> allowed_nodes; // by component; empty: any
    CurveForm form = CurveForm::measured;

    [[nodiscard]] const CurveOnKind &curve_on(std::size_t c, std::size_t kind) const; // that it may have
    [[nodiscard]] bool may_run_on(std::size_t c, std::size_t kind) const;
    [[nodiscard]] double computing_s(std::size_t c, std::size_t kind, std::int64_t nodes, CurveForm by) const;
    [[nodiscard]] CurvesOfMove move_to(const BalanceAnswer &answer) const; // for the times that `run` tells
    // Nodes of the first run, a part of a node counted as a whole one, if each component may have its kind there;
    // else without components.
    [[nodiscard]] BalanceAnswer present() const;
    // Who computes in turn on the same cores: on nodes of one kind, and not on halves of them. Empty: nobody.
    [[nodiscard]] std::string in_turn_in_words(const BalanceAnswer &answer) const;
    // `weights`: price of a node by kind. The model must outlive the problem. Throws PredictionError if a component
    // has nothing to choose from, or is in turn with one of a pair on halves of the same nodes and beside the other
    // one.
    [[nodiscard]] KindsProblem problem(std::vector<double> weights, std::vector<Power> power) const;

private:
    [[nodiscard]] const ScalingCurve &curve_now(std::size_t c) const; // without a graph any
};

// The part of a node that belongs to the component, and whether it counts GPUs. It does if the kind has GPUs, else it
// counts cores; the second of a pair on halves of the same nodes has the cores beside those of the GPUs.
[[nodiscard]] std::pair<std::int64_t, bool> units_on(const KindsModel &model, std::size_t c, std::size_t kind);

// Enters, by component and kind, the curve that it may have there, and that of the first run. `may_run`: by
// component, the kinds that it may have. A curve with one sample scales ideally except for `serial`, its serial share
// (NaN: not given). Kinds without a sample are left out and listed in `not_measured` by component and kind. Throws
// PredictionError for a component without any kind left.
void enter_curves(KindsModel &model, const std::vector<NodeSample> &samples,
                  const std::vector<std::vector<std::size_t>> &may_run, const std::vector<double> &serial,
                  NodePairs &not_measured);

} // namespace cpl_lb
