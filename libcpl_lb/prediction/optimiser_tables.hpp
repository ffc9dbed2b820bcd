// Lookup tables for the optimiser's bounds, made once for each component.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
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

// A lower bound of the length: the longest of the known paths. It is cheap, however long the loop.
class KnownPaths {
public:
    void add(std::vector<double> shares) { paths_.push_back(std::move(shares)); }
    [[nodiscard]] double length_s(const std::vector<double> &seconds) const { return at(longest(seconds), seconds); }
    [[nodiscard]] const std::vector<double> &longest(const std::vector<double> &seconds) const {
        return *std::max_element(paths_.begin(), paths_.end(),
                                 [&](const auto &a, const auto &b) { return at(a, seconds) < at(b, seconds); });
    }

private:
    static double at(const std::vector<double> &shares, const std::vector<double> &seconds) {
        return std::inner_product(shares.begin(), shares.end(), seconds.begin(), 0.0);
    }
    std::vector<std::vector<double>> paths_;
};

} // namespace cpl_lb
