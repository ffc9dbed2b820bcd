// The best counts of cores, or of nodes of several kinds: branch and bound over whole counts and over the kind of
// each component, with the proof or the gap (docs/definitions.md, section 5). Plain cores are nodes of one kind.
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

// The counts that a component may have, ascending.
struct AllowedCounts {
    std::string name;
    std::vector<std::int64_t> counts;
};

// The multiples of `block` from least to most. Throws PredictionError if there is none.
[[nodiscard]] AllowedCounts multiples(const std::string &name, std::int64_t least, std::int64_t most,
                                      std::int64_t block);

// The power of a core or of a node [W].
struct Power {
    double busy_W = 0; // while its component computes
    double idle_W = 0; // while it waits, or has no process; not more than busy_W
};

// With so many exchanges a loop takes long to replay: 0.1 ms and more.
inline constexpr std::size_t long_loop_points = 10'000;

struct KindOfNode {
    std::string name;
    std::int64_t nodes = 0;           // that exist
    std::int64_t gpus = 0, cores = 0; // of each node; no GPUs: 0
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
    // The coupled time from the computing times. It must not fall when one of them rises, and must be convex in them,
    // like every graph of sums and maxima.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    // For a lower bound: the share of each component's computing time on the critical path, d length / d tau.
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
    ProcessorPool pool{};          // without parts: each component on its own nodes; without `shared`
    std::vector<double> weights{}; // by kind, the price of a node; empty: 1 each
    std::vector<Power> power{};    // by kind, or with `as_cores` by component; for Objective::energy
    double most_seconds = std::numeric_limits<double>::infinity();
    bool long_loop = false;      // length_s takes long: it is called for some tens of counts, not for each box
    std::int64_t node_cores = 1; // as in BalanceProblem
    // Many components, and of equally fast answers any: else the one with the least weight is searched, and counts
    // are left out that are too small for a useful time, which takes a length_s for each component and halving.
    bool as_cores = false;

    // What a component may have on a kind; null: nothing.
    [[nodiscard]] const OnKind *on_kind(std::size_t component, std::size_t kind) const {
        const auto on = std::ranges::find(components[component], kind, &OnKind::kind);
        return on == components[component].end() ? nullptr : &*on;
    }
    [[nodiscard]] double weight_of(std::size_t kind) const { return weights.empty() ? 1 : weights[kind]; }
    [[nodiscard]] Power power_of(std::size_t component, std::size_t kind) const {
        return power.empty() ? Power() : power[as_cores ? component : kind];
    }
    // In whole nodes.
    [[nodiscard]] std::int64_t taken_by(std::int64_t count) const {
        return (count + node_cores - 1) / node_cores * node_cores;
    }
};

// Plain cores, all of one kind.
struct BalanceProblem {
    std::vector<AllowedCounts> allowed;
    std::int64_t total = 0; // cores; all components together may have at most these
    // tau_i(p) [s], the computing time of each component by its count.
    std::function<double(std::size_t component, std::int64_t count)> computing_s;
    // These two as in KindsProblem.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
    ProcessorPool pool{};        // without parts: each component has its own cores
    std::int64_t node_cores = 1; // a component takes whole nodes of so many cores, of which it may leave some idle
    std::vector<Power> power{};  // by component; for Objective::energy
    bool long_loop = false;      // as in KindsProblem
};

// Seconds, seconds x weight of what is taken (cores, or the price of nodes), or joules: computing cores at busy_W,
// all others of the same nodes at idle_W.
enum class Objective { time, cost, energy };

struct BalanceAnswer {
    std::vector<std::size_t> kind;     // by component
    std::vector<std::int64_t> counts;  // by component: cores or nodes; those of a pair are the same nodes
    std::vector<std::int64_t> threads; // of each process; filled by who knows how the counts were measured
    std::vector<std::int64_t> taken;   // by kind, by all components: cores of whole nodes, or nodes
    double seconds = 0;
    double weight = 0;   // of what is taken
    double energy_J = 0; // 0 without power
    bool proven_optimal = false;
    double gap = 0;             // how much better the best possible may be, as a share; 0 if proven
    std::int64_t evaluated = 0; // boxes of counts that were examined

    [[nodiscard]] std::int64_t cores() const { return taken.front(); } // of plain cores
};

// What the objective is to make least.
[[nodiscard]] double value_of(const BalanceAnswer &answer, Objective objective);

// By component: the fewest that are allowed, and the computing times with certain counts.
[[nodiscard]] std::vector<std::int64_t> least_counts(const BalanceProblem &problem);
[[nodiscard]] std::vector<double> computing_of(const BalanceProblem &problem,
                                               const std::vector<std::int64_t> &counts);
// The cores that these counts take, in whole nodes.
[[nodiscard]] std::int64_t cores_taken(const BalanceProblem &problem, const std::vector<std::int64_t> &counts);

// The pool in which pairs are one after the other on the same nodes, so that their nodes count once.
[[nodiscard]] ProcessorPool pool_with_shared(const ProcessorPool &pool, std::size_t components,
                                             const NodePairs &shared);

// The same with all counts and their times.
[[nodiscard]] KindsProblem on_one_kind(const BalanceProblem &problem);

// What is taken of each kind, its weight and the energy, if the components compute for these times.
void enter_costs(const KindsProblem &problem, const std::vector<double> &computing_s, BalanceAnswer &answer);

// Whether all have a count that they may have, of which there are enough. For an answer with its costs.
[[nodiscard]] bool is_possible(const KindsProblem &problem, const BalanceAnswer &answer);
// The largest count of a component, on its kind, with which the others still have their least.
[[nodiscard]] std::int64_t most_possible(const KindsProblem &problem, BalanceAnswer answer, std::size_t component);

// Throw PredictionError if the least counts do not fit. End after `most_boxes` with a gap.
[[nodiscard]] BalanceAnswer balance(const KindsProblem &problem, Objective objective,
                                    std::int64_t most_boxes = 100'000);
[[nodiscard]] BalanceAnswer balance(const BalanceProblem &problem, Objective objective,
                                    std::int64_t most_boxes = 200'000);

// About `points` answers, each with at most `most_boxes`. Of cores: time against cores, in the order of the cores,
// from totals between the least possible and all that there are; only answers faster than all with fewer cores are
// kept. Of nodes: time against seconds x weight, from the cheapest to the fastest, with times in between as limits.
// Each answer is the cheapest within its limit, so no other one is better in both.
[[nodiscard]] std::vector<BalanceAnswer> pareto_front(KindsProblem problem, std::int64_t most_boxes, int points = 20);

} // namespace cpl_lb
