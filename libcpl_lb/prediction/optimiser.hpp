// The best processor counts: branch and bound over whole counts, with the proof or the gap.
#pragma once

#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <functional>
#include <string>
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

// The power of one core of a component [W].
struct CorePower {
    double busy_W = 0; // while the component computes
    double idle_W = 0; // while it waits, or has no process; not more than busy_W
};

// With so many exchanges a loop takes long to replay: 0.1 ms and more.
inline constexpr std::size_t long_loop_points = 10'000;

struct BalanceProblem {
    std::vector<AllowedCounts> allowed;
    std::int64_t total = 0; // cores; all components together may have at most these
    // tau_i(p) [s], the computing time of each component by its count.
    std::function<double(std::size_t component, std::int64_t count)> computing_s;
    // The coupled time from the computing times. It must not fall when one of them rises, and must be convex in them,
    // like every graph of sums and maxima.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    // For a lower bound: the share of each component's computing time on the critical path, d length / d tau.
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
    ProcessorPool pool{};           // without parts: each component has its own cores
    std::int64_t node_cores = 1;    // a component takes whole nodes of so many cores, of which it may leave some idle
    std::vector<CorePower> power{}; // by component; for Objective::energy
    bool long_loop = false;         // length_s takes long: it is called for some tens of counts, not for each box
};

// Seconds, cores x seconds, or joules: computing cores at busy_W, all other cores of the same nodes at idle_W.
enum class Objective { time, cost, energy };

struct BalanceAnswer {
    std::vector<std::int64_t> counts;  // of cores, by component
    std::vector<std::int64_t> threads; // of each process; filled by who knows how the counts were measured
    double seconds = 0;
    std::int64_t cores = 0; // taken by all components, whole nodes
    double energy_J = 0;    // 0 without BalanceProblem::power
    bool proven_optimal = false;
    double gap = 0;             // how much better the best possible may be, as a share; 0 if proven
    std::int64_t evaluated = 0; // boxes of counts that were examined
};

// By component: the fewest that are allowed, and the computing times with certain counts.
[[nodiscard]] std::vector<std::int64_t> least_counts(const BalanceProblem &problem);
[[nodiscard]] std::vector<double> computing_of(const BalanceProblem &problem,
                                               const std::vector<std::int64_t> &counts);
// The cores of the whole nodes that `count` cores of one component take.
[[nodiscard]] std::int64_t whole_nodes(const BalanceProblem &problem, std::int64_t count);
// The cores that these counts take, in whole nodes, and the energy of a loop of `seconds` with them; 0 without power.
[[nodiscard]] std::int64_t cores_taken(const BalanceProblem &problem, const std::vector<std::int64_t> &counts);
[[nodiscard]] double energy_J(const BalanceProblem &problem, const std::vector<std::int64_t> &counts, double seconds);
// The same if the components' computing times differ from those of the problem.
[[nodiscard]] double energy_J(const BalanceProblem &problem, const std::vector<std::int64_t> &counts,
                              const std::vector<double> &computing_s, double seconds);

// Throws PredictionError if the least counts do not fit into the total. Ends after `most_boxes` with a gap.
[[nodiscard]] BalanceAnswer balance(const BalanceProblem &problem, Objective objective,
                                    std::int64_t most_boxes = 200'000);

// Time against cores, in the order of the cores. About `points` totals between the least possible and problem.total
// are tried, each with at most `most_boxes`. Only answers faster than all with fewer cores are kept.
[[nodiscard]] std::vector<BalanceAnswer> pareto_front(BalanceProblem problem, std::int64_t most_boxes,
                                                      int points = 20);

} // namespace cpl_lb
