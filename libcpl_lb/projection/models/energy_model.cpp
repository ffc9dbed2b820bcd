#include "projection/models/energy_model.hpp"

#include "projection/models/least_squares.hpp"

#include <functional>
#include <stdexcept>

namespace cpl_lb {
namespace {

using Rows = std::vector<std::vector<double>>;

double product(const std::vector<double> &row, const std::vector<double> &coefficients) {
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
        sum += row[i] * coefficients[i];
    return sum;
}

struct Fit {
    std::vector<double> coefficients, error, left_out_error;
};

Fit fit_and_leave_out(const Rows &rows, const std::vector<double> &values) {
    if (rows.empty()) throw std::invalid_argument("nothing measured to fit to");
    Fit fit;
    fit.coefficients = non_negative_least_squares(rows, values).coefficients;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        fit.error.push_back(product(rows[r], fit.coefficients) / values[r] - 1);
        Rows others = rows;
        std::vector<double> other_values = values;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(r));
        other_values.erase(other_values.begin() + static_cast<std::ptrdiff_t>(r));
        fit.left_out_error.push_back(
            others.empty()
                ? unknown
                : product(rows[r], non_negative_least_squares(others, other_values).coefficients) / values[r] - 1);
    }
    return fit;
}

} // namespace

double modelled_power_W(const PowerCoefficients &c, double full_W, double idle_W) {
    return c.full * full_W + c.idle * idle_W;
}

PowerFit fit_power(const std::vector<PowerPoint> &points, double idle_W) {
    Rows rows;
    std::vector<double> measured;
    for (const PowerPoint &p : points) {
        rows.push_back({p.full_W, idle_W});
        measured.push_back(p.measured_W);
    }
    Fit fit = fit_and_leave_out(rows, measured);
    return {{fit.coefficients[0], fit.coefficients[1]}, std::move(fit.error), std::move(fit.left_out_error)};
}

double work_energy_J(const WorkEnergy &e, const EnergyRun &run) {
    return e.J_per_flop * run.flop + e.J_per_B * run.moved_B + e.constant_W * run.seconds;
}

WorkEnergyFit fit_work_energy(const std::vector<EnergyRun> &runs) {
    Rows rows;
    std::vector<double> joules;
    for (const EnergyRun &run : runs) {
        rows.push_back({run.flop, run.moved_B, run.seconds});
        joules.push_back(run.joules);
    }
    Fit fit = fit_and_leave_out(rows, joules);
    return {{fit.coefficients[0], fit.coefficients[1], fit.coefficients[2]},
            std::move(fit.error),
            std::move(fit.left_out_error)};
}

double overlapped_energy_J(double compute_s, double move_s, const DomainPower &package, const DomainPower &dram) {
    const double work = package.full_W * compute_s + dram.full_W * move_s;
    return compute_s > move_s ? work + dram.idle_W * (compute_s - move_s)
                              : work + package.idle_W * (move_s - compute_s);
}

double gpu_node_power_W(double package_idle_W, double gpu_limit_W, double share) {
    return package_idle_W + share * gpu_limit_W;
}

} // namespace cpl_lb
