// Energy from time and modelled power (ESCAPE D3.5, section 5). What RAPL tools print as joules of one second is
// power [W] here.
#pragma once

#include "data/time.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {

// A domain's power while a code runs on n cores: full(n) U + idle S. The same for DRAM, where the paper writes X and
// Y.
struct PowerCoefficients {
    double full = unknown, idle = unknown;
};
[[nodiscard]] double modelled_power_W(const PowerCoefficients &c, double full_W, double idle_W);

// One number of cores: the domain's power under full load, and while the code runs.
struct PowerPoint {
    double full_W = unknown, measured_W = unknown;
};
// Coefficients by non-negative least squares.
template <class Coefficients>
struct EnergyFit {
    Coefficients coefficients;
    Coefficients half_width; // of the 95 % interval of each (loop_model.hpp); NaN: not known
    // For each point modelled / measured - 1, with the coefficients of all points and with those of all others. The
    // second is NaN if the others cannot tell the coefficients. If all are NaN, nothing checks the fit.
    std::vector<double> error, left_out_error;

    [[nodiscard]] bool is_checked() const { return std::ranges::any_of(left_out_error, is_known); }
};
using PowerFit = EnergyFit<PowerCoefficients>;
// Section 5.3. Points without one of the powers are left out, their errors are NaN. Throws ProjectionError if the
// others cannot tell both coefficients, std::invalid_argument if there are none.
[[nodiscard]] PowerFit fit_power(const std::vector<PowerPoint> &points, double idle_W);

// E = W e_flop + Q e_mop + T P_0 (section 5.2, first form).
// A coefficient is NaN if no run has any of what it is for.
struct WorkEnergy {
    double J_per_flop = unknown, J_per_B = unknown, constant_W = unknown;
};
struct EnergyRun {
    double flop = 0, moved_B = 0, seconds = unknown, joules = unknown;
};
[[nodiscard]] double work_energy_J(const WorkEnergy &e, const EnergyRun &run);
using WorkEnergyFit = EnergyFit<WorkEnergy>;
// Throws like fit_power.
[[nodiscard]] WorkEnergyFit fit_work_energy(const std::vector<EnergyRun> &runs);

// E_single of section 5.2: the package at work for `compute_s`, DRAM for `move_s`, and the one that is done first
// idle until the other is.
struct DomainPower {
    double full_W = unknown, idle_W = unknown;
};
[[nodiscard]] double overlapped_energy_J(double compute_s, double move_s, const DomainPower &package,
                                         const DomainPower &dram);

// Section 5.5: the node's package idles while the GPU draws a share S of its limit.
[[nodiscard]] double gpu_node_power_W(double package_idle_W, double gpu_limit_W, double share);

} // namespace cpl_lb
