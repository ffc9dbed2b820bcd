// The coefficients U, V, X, Y, Z of a loop from measurements at several clocks and numbers of threads, by least
// squares with coefficients that must not be negative.
#pragma once

#include "projection/models/loop_model.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {

// One run of the loop: its work and how long it took.
struct LoopRun {
    MachineSetting at;
    double flop = unknown, moved_B = unknown; // W, Q; NaN: none, not known
    double seconds = unknown;
};

struct LoopFit {
    LoopCoefficients coefficients;
    // Half of the 95 % interval of each, S left out; NaN: not known.
    LoopCoefficients half_width{unknown, unknown, unknown, unknown, unknown, unknown};
    // For each run, predicted / measured time - 1: with the coefficients of all runs, and with those of all others
    // (hold-out). NaN if a run cannot be left out: where all are, nothing checks the fit.
    std::vector<double> error, left_out_error;
};

// Least squares with non-negative coefficients of the rates that were reached, M = W / T and R = Q / T, against the
// machine's (ESCAPE D3.5, section 4.3): P U = M and L1 V + L2 X + L3 Y + DRAM Z = R. A level that the machine knows
// at no setting, or does not have, gets no coefficient. Throws ProjectionError if a rate is missing at some
// setting, and where the runs cannot tell the coefficients of the levels apart.
[[nodiscard]] LoopFit fit_loop(const std::string &name, const std::vector<LoopRun> &runs, const Machine &machine);

// Linear least squares with coefficients that must not be negative, for at most a handful of unknowns, and how well
// they are known.
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
