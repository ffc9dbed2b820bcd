// Linear least squares with coefficients that must not be negative, for at most a handful of unknowns, and how well
// they are known.
#pragma once

#include <cstddef>
#include <vector>

namespace cpl_lb {

struct NonNegativeFit {
    std::vector<double> coefficients;
    double residual = 0; // root of the sum of the squares of what is left
    // Half of the 95 % interval of each coefficient: Student's t x standard error, by the scatter around the fit, of
    // the ordinary least squares in the coefficients above 0. NaN for one that the bound holds at 0, and for all
    // where there are not more values than coefficients above 0.
    std::vector<double> half_width;
};

// The x >= 0 that makes |rows x - values| least. All supports are tried: the optimum is the unconstrained solution on
// its own support (Lawson and Hanson 1974, chapter 23), and among supports with equal residuals the smallest is
// taken. rows: one vector of unknowns for each value; 1 to 8 unknowns. Throws std::invalid_argument for other shapes
// and for values that are not finite.
[[nodiscard]] NonNegativeFit non_negative_least_squares(const std::vector<std::vector<double>> &rows,
                                                        const std::vector<double> &values);

// How many of the unknowns the rows can tell apart: their rank. If it is less than the number of unknowns, infinitely
// many coefficients fit equally well, and the ones found mean nothing. It throws like the fit.
[[nodiscard]] std::size_t independent_unknowns(const std::vector<std::vector<double>> &rows);

} // namespace cpl_lb
