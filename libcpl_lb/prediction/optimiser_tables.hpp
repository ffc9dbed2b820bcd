// Lookup tables for the optimiser's bounds, made once for each component.
#pragma once

#include <cstddef>
#include <vector>

namespace cpl_lb {

// The lower convex hull of computing times over the cores taken. A fit with b p^c is not convex, and its hull is a
// lower bound. Counts that take the same cores (whole nodes) give one corner, the fastest of them.
class HullOfTimes {
public:
    // Both by place; cores ascend.
    HullOfTimes(const std::vector<double> &taken, const std::vector<double> &seconds);

    struct Chosen {
        double taken = 0, seconds = 0;
    };
    // The point of least share x seconds + price x taken on the hull between two places (or beside, on their nodes).
    [[nodiscard]] Chosen cheapest(std::size_t low, std::size_t high, double share, double price) const;
    // Seconds that one more core saves at a place; at the end what the last core saved.
    [[nodiscard]] double gain(std::size_t place) const;

private:
    std::vector<std::size_t> step_of_;             // by place: the index of its number of nodes
    std::vector<double> taken_, seconds_, slopes_; // by number of nodes; slope to the next [s for a core]
};

// Gives the least value of any range in constant time.
class RangeMinimum {
public:
    explicit RangeMinimum(std::vector<double> values);
    [[nodiscard]] double least(std::size_t first, std::size_t last) const; // both included

private:
    std::vector<std::vector<double>> levels_; // level k: least of 2^k values from each place
};

// What a component chooses from in a box.
struct PricedChoice {
    std::size_t component = 0;
    const HullOfTimes *hull = nullptr;
    std::size_t low = 0, high = 0; // places
    double slowest_s = 0;          // with the least count
};

// A lower bound of the least sum of shares x seconds if the choices, each times its component's weight, add up to at
// most `total`: with a price for a core or node each chooses for itself. The price is halved in so many times.
// `at`: receives the chosen seconds, by component.
[[nodiscard]] double least_sum(const std::vector<PricedChoice> &choices, const std::vector<double> &shares,
                               const std::vector<double> &weights, double total, int halvings,
                               std::vector<double> &at);

} // namespace cpl_lb
