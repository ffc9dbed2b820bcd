// The best numbers of nodes if nodes are of several kinds: branch and bound over whole nodes and over the kind of
// each component, with the proof or the gap (docs/definitions.md, section 5).
#pragma once

#include "prediction/processor_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct KindOfNode {
    std::string name;
    std::int64_t nodes = 0;           // that exist
    std::int64_t gpus = 0, cores = 0; // of each node; no GPUs: 0
};

// The power of a node [W].
struct NodePower {
    double busy_W = 0; // while its component computes
    double idle_W = 0; // while it waits; not more than busy_W
};

// What a component may have on one kind of node.
struct OnKind {
    std::size_t kind = 0;            // place in KindsProblem::kinds
    std::vector<std::int64_t> nodes; // ascending
    std::vector<double> seconds;     // its computing time with each of these

    [[nodiscard]] std::optional<double> seconds_on(std::int64_t so_many_nodes) const {
        const auto at = std::ranges::lower_bound(nodes, so_many_nodes);
        if (at == nodes.end() || *at != so_many_nodes) return {};
        return seconds[static_cast<std::size_t>(at - nodes.begin())];
    }
};

using NodePairs = std::vector<std::pair<std::size_t, std::size_t>>;

struct KindsProblem {
    std::vector<KindOfNode> kinds;
    std::vector<std::vector<OnKind>> components; // by component: any one of these; each has one or more
    // Components on halves of the same nodes; each in one pair at most. Every other one that may have the pair's kind
    // is in turn with both, or with none.
    NodePairs shared;
    // As in BalanceProblem: it does not fall when a time rises, and is convex.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
    ProcessorPool pool{};           // without parts: each component on its own nodes; without `shared`
    std::vector<double> weights{};  // by kind, the price of a node; empty: 1 each
    std::vector<NodePower> power{}; // by kind; for KindsGoal::energy
    double most_seconds = std::numeric_limits<double>::infinity();
    bool long_loop = false; // as in BalanceProblem

    [[nodiscard]] double weight_of(std::size_t kind) const { return weights.empty() ? 1 : weights[kind]; }
};

// Seconds (if equal, the least weight), seconds x weight of the nodes taken, or joules.
enum class KindsGoal { time, price, energy };

struct KindsAnswer {
    std::vector<std::size_t> kind;   // by component
    std::vector<std::int64_t> nodes; // by component; those of a pair are the same nodes
    std::vector<std::int64_t> taken; // by kind
    double seconds = 0;
    double weight = 0;   // of the nodes taken
    double energy_J = 0; // 0 without power
    bool proven_optimal = false;
    double gap = 0;             // as in BalanceAnswer
    std::int64_t evaluated = 0; // boxes that were looked at
};

// The pool in which pairs are one after the other on the same nodes, so that their nodes count once.
[[nodiscard]] ProcessorPool pool_with_shared(const ProcessorPool &pool, std::size_t components,
                                             const NodePairs &shared);

// Nodes of each kind, their weight and the energy, if the components compute for these times.
void enter_costs(const KindsProblem &problem, const std::vector<double> &computing_s, KindsAnswer &answer);

// Throws PredictionError if the least counts do not fit. Ends after `most_boxes` with a gap.
[[nodiscard]] KindsAnswer balance_kinds(const KindsProblem &problem, KindsGoal goal,
                                        std::int64_t most_boxes = 100'000);
// The same as if problem.long_loop were false.
[[nodiscard]] KindsAnswer searched_kinds(const KindsProblem &problem, KindsGoal goal, std::int64_t most_boxes);

// Time against seconds x weight, from the cheapest to the fastest. About `points` times in between are tried as
// limits. Each answer is the cheapest within its limit, so no other one is better in both.
[[nodiscard]] std::vector<KindsAnswer> front_of_kinds(KindsProblem problem, std::int64_t most_boxes, int points = 20);

} // namespace cpl_lb
