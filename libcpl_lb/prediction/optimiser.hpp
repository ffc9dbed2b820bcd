// The best processor counts: branch and bound over whole counts, with the proof or the gap.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

// Counts that a component may have, ascending.
struct AllowedCounts {
    std::string name;
    std::vector<std::int64_t> counts;
};

// least ... most in steps of `block`: multiples of block. Throws PredictionError where there is none.
[[nodiscard]] AllowedCounts multiples(const std::string &name, std::int64_t least, std::int64_t most,
                                      std::int64_t block);

struct BalanceProblem {
    std::vector<AllowedCounts> allowed;
    std::int64_t total = 0; // cores; all components together may have at most these
    // tau_i(p) [s]: of each component by its count.
    std::function<double(std::size_t component, std::int64_t count)> computing_s;
    // The coupled time from the computing times: must not fall when one of them rises, and be convex in them, as
    // every graph of sums and maxima is.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    // For a lower bound: how much of each component's computing time lies on the critical path, d length / d tau.
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
};

enum class Objective { time, cost }; // seconds; cores x seconds

struct BalanceAnswer {
    std::vector<std::int64_t> counts; // by component
    double seconds = 0;
    std::int64_t cores = 0; // of all components
    bool proven_optimal = false;
    double gap = 0;             // what the best possible may be better by, as a share; 0 where it is proven
    std::int64_t evaluated = 0; // boxes of counts that were looked at
};

// Throws PredictionError where the least counts do not fit into the total. Stops after `most_boxes` with a gap.
[[nodiscard]] BalanceAnswer balance(const BalanceProblem &problem, Objective objective,
                                    std::int64_t most_boxes = 200'000);

// Time against cores: one answer for each total of about `points` between the least possible and problem.total that
// is faster than all with fewer cores; each with at most `most_boxes`. By cores.
[[nodiscard]] std::vector<BalanceAnswer> pareto_front(BalanceProblem problem, std::int64_t most_boxes,
                                                      int points = 20);

} // namespace cpl_lb
