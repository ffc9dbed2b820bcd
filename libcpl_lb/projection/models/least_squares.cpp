// Tries every set of coefficients that may be zero and keeps the best that is not negative.
#include "projection/models/least_squares.hpp"

#include "analysis/mean_error.hpp"
#include "data/time.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/QR>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::size_t most_unknowns = 8;
// As a share of the values' size: smaller differences of residuals are rounding.
constexpr double rounding = 1e-12;

struct Problem {
    Eigen::MatrixXd matrix; // columns of length 1, so that units do not matter
    Eigen::VectorXd values, lengths;
};

Problem problem_of(const std::vector<std::vector<double>> &rows, const std::vector<double> &values) {
    const std::size_t unknowns = rows.empty() ? 0 : rows.front().size();
    if (unknowns == 0 || unknowns > most_unknowns || rows.size() != values.size())
        throw std::invalid_argument("least squares: rows and values do not fit together");
    Problem p{{static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(unknowns)},
              Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size())),
              {}};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].size() != unknowns) throw std::invalid_argument("least squares: rows of different lengths");
        p.matrix.row(static_cast<Eigen::Index>(r)) =
            Eigen::RowVectorXd::Map(rows[r].data(), static_cast<Eigen::Index>(unknowns));
    }
    if (!p.matrix.allFinite() || !p.values.allFinite())
        throw std::invalid_argument("least squares: a value is not finite");
    p.lengths = p.matrix.colwise().norm();
    for (Eigen::Index c = 0; c < p.matrix.cols(); ++c)
        if (p.lengths[c] > 0) p.matrix.col(c) /= p.lengths[c];
    return p;
}

// The least squares on the columns in `support`; false if they are dependent or a coefficient is negative.
bool solve_on(const Problem &p, unsigned support, Eigen::VectorXd &coefficients) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index c = 0; c < p.matrix.cols(); ++c)
        if ((support >> static_cast<unsigned>(c) & 1U) != 0) used.push_back(c);
    Eigen::MatrixXd part(p.matrix.rows(), static_cast<Eigen::Index>(used.size()));
    for (std::size_t i = 0; i < used.size(); ++i)
        part.col(static_cast<Eigen::Index>(i)) = p.matrix.col(used[i]);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(part);
    if (qr.rank() < part.cols()) return false;
    const Eigen::VectorXd x = qr.solve(p.values);
    if (x.minCoeff() < 0) return false;
    coefficients = Eigen::VectorXd::Zero(p.matrix.cols());
    for (std::size_t i = 0; i < used.size(); ++i)
        coefficients[used[i]] = x[static_cast<Eigen::Index>(i)];
    return true;
}

// Half widths of the coefficients above 0, unknown for others; the columns have length 1, as in `p`.
Eigen::VectorXd half_widths(const Problem &p, const Eigen::VectorXd &coefficients, double residual) {
    Eigen::VectorXd widths = Eigen::VectorXd::Constant(coefficients.size(), unknown);
    std::vector<Eigen::Index> used;
    for (Eigen::Index c = 0; c < coefficients.size(); ++c)
        if (coefficients[c] > 0) used.push_back(c);
    const Eigen::Index freedom = p.matrix.rows() - static_cast<Eigen::Index>(used.size());
    if (used.empty() || freedom < 1) return widths;
    const Eigen::MatrixXd part = p.matrix(Eigen::all, used);
    const Eigen::VectorXd variances = (part.transpose() * part).inverse().diagonal();
    const double scatter = residual / std::sqrt(static_cast<double>(freedom));
    const double t = students_t(static_cast<double>(freedom));
    for (std::size_t i = 0; i < used.size(); ++i)
        widths[used[i]] = t * scatter * std::sqrt(variances[static_cast<Eigen::Index>(i)]);
    return widths;
}

} // namespace

NonNegativeFit non_negative_least_squares(const std::vector<std::vector<double>> &rows,
                                          const std::vector<double> &values) {
    const Problem p = problem_of(rows, values);
    Eigen::VectorXd best = Eigen::VectorXd::Zero(p.matrix.cols());
    double residual = p.values.norm();
    int size = 0;
    const double equal = rounding * residual;
    for (unsigned support = 1; support < 1U << static_cast<unsigned>(p.matrix.cols()); ++support) {
        Eigen::VectorXd x;
        if (!solve_on(p, support, x)) continue;
        const double left = (p.matrix * x - p.values).norm();
        const int its_size = std::popcount(support);
        if (left > residual + equal || (left > residual - equal && its_size >= size)) continue;
        best = x;
        residual = left;
        size = its_size;
    }
    NonNegativeFit fit;
    fit.residual = residual;
    const Eigen::VectorXd widths = half_widths(p, best, residual);
    for (Eigen::Index c = 0; c < best.size(); ++c) {
        fit.coefficients.push_back(p.lengths[c] > 0 ? best[c] / p.lengths[c] : 0.0);
        fit.half_width.push_back(widths[c] / p.lengths[c]);
    }
    return fit;
}

std::size_t independent_unknowns(const std::vector<std::vector<double>> &rows) {
    const Problem p = problem_of(rows, std::vector<double>(rows.size(), 0.0));
    return static_cast<std::size_t>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(p.matrix).rank());
}

} // namespace cpl_lb
