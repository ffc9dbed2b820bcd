// The coefficients U, V, X, Y, Z of a loop from measurements at several clocks and numbers of threads.
#pragma once

#include "projection/models/loop_model.hpp"

namespace cpl_lb {

// One run of the loop: its work and how long it took.
struct LoopRun {
    MachineSetting at;
    double flop = unknown, moved_B = unknown; // W, Q; NaN: none, not known
    double seconds = unknown;
};

struct LoopFit {
    LoopCoefficients coefficients;
    // Half of the 95 % interval of each (least_squares.hpp), S left out; NaN: not known.
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

} // namespace cpl_lb
