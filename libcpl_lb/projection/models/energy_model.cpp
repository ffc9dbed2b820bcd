// Fits the coefficients of power and gives the joules of a run.
#include "projection/models/energy_model.hpp"

#include "projection/models/loop_model.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
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

double left_out_error(const Rows &rows, const std::vector<double> &values, std::size_t out) {
    Rows others = rows;
    std::vector<double> other_values = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    other_values.erase(other_values.begin() + static_cast<std::ptrdiff_t>(out));
    if (others.empty() || independent_unknowns(others) < rows.front().size()) return unknown;
    return product(rows[out], non_negative_least_squares(others, other_values).coefficients) / values[out] - 1;
}

EnergyFit<std::vector<double>> fit_and_leave_out(const Rows &rows, const std::vector<double> &values,
                                                 const char *coefficients) {
    if (rows.empty()) throw std::invalid_argument("nothing measured to fit to");
    const std::size_t unknowns = rows.front().size(), told = independent_unknowns(rows);
    if (told < unknowns) {
        throw ProjectionError(
            fmt::format("{} measured {} cannot tell {}: it takes at least {} with different shares of each",
                        rows.size(), word_for(rows.size(), "row"), coefficients, unknowns));
    }
    NonNegativeFit found = non_negative_least_squares(rows, values);
    EnergyFit<std::vector<double>> fit{std::move(found.coefficients), std::move(found.half_width), {}, {}};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        fit.error.push_back(product(rows[r], fit.coefficients) / values[r] - 1);
        fit.left_out_error.push_back(left_out_error(rows, values, r));
    }
    return fit;
}

// A kind of work that no run has is no unknown of the fit.
double part(double coefficient, double amount) {
    return amount == 0 ? 0 : coefficient * amount;
}

} // namespace

double modelled_power_W(const PowerCoefficients &c, double full_W, double idle_W) {
    return c.full * full_W + c.idle * idle_W;
}

PowerFit fit_power(const std::vector<PowerPoint> &points, double idle_W) {
    Rows rows;
    std::vector<double> measured;
    std::vector<std::size_t> places; // of the rows among the points
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!is_known(points[p].full_W) || !is_known(points[p].measured_W)) continue;
        rows.push_back({points[p].full_W, idle_W});
        measured.push_back(points[p].measured_W);
        places.push_back(p);
    }
    const auto found = fit_and_leave_out(rows, measured, "the part of full load and the part of idle power");
    PowerFit fit{{found.coefficients[0], found.coefficients[1]}, {found.half_width[0], found.half_width[1]}, {}, {}};
    fit.error = fit.left_out_error = std::vector<double>(points.size(), unknown);
    for (std::size_t r = 0; r < places.size(); ++r) {
        fit.error[places[r]] = found.error[r];
        fit.left_out_error[places[r]] = found.left_out_error[r];
    }
    return fit;
}

double work_energy_J(const WorkEnergy &e, const EnergyRun &run) {
    return part(e.J_per_flop, run.flop) + part(e.J_per_B, run.moved_B) + e.constant_W * run.seconds;
}

WorkEnergyFit fit_work_energy(const std::vector<EnergyRun> &runs) {
    const bool computes = std::ranges::any_of(runs, [](const EnergyRun &r) { return r.flop > 0; });
    const bool moves = std::ranges::any_of(runs, [](const EnergyRun &r) { return r.moved_B > 0; });
    Rows rows;
    std::vector<double> joules;
    for (const EnergyRun &run : runs) {
        rows.push_back({run.seconds});
        if (computes) rows.back().push_back(run.flop);
        if (moves) rows.back().push_back(run.moved_B);
        joules.push_back(run.joules);
    }
    auto fit = fit_and_leave_out(rows, joules, "joules of an operation, of a byte, and constant power apart");
    const auto in_order = [&](const std::vector<double> &found) {
        return WorkEnergy{computes ? found[1] : unknown, moves ? found.back() : unknown, found[0]};
    };
    return {in_order(fit.coefficients), in_order(fit.half_width), std::move(fit.error),
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
