// A component's computing time as a function of its processes, tau_i(p), in three forms, with its uncertainty
// (docs/definitions.md, section 5).
#pragma once

#include "prediction/curve_fit.hpp"

#include <array>
#include <string>
#include <vector>

namespace cpl_lb {

// Between measured counts: a monotone cubic of the logarithm of the time over the logarithm of the count. With two
// counts only: the fit, if it goes through both, because a line never bends as scaling does. Outside: the fit in
// relative errors, moved to meet the last measured time. Towards fewer processes the time rises at least by their
// square root, because measured times that do not change any more say nothing about the work that is divided.
class MeasuredCurve {
public:
    // Ascending processes, each once.
    explicit MeasuredCurve(const std::vector<ScalingSample> &samples);

    [[nodiscard]] double seconds(double processes) const;
    // d log seconds / d log processes at the first and the last measured count.
    [[nodiscard]] double first_slope() const { return slope_.front(); }
    [[nodiscard]] double last_slope() const { return slope_.back(); }

private:
    [[nodiscard]] double between(double x) const; // log of the time

    ScalingFit fit_; // in relative errors
    bool two_fitted_ = false;
    std::vector<double> x_, y_, slope_; // by sample: log p, log of the time, its derivative
};

// measured: through the measured times, for every recommendation. hslb: the fit by unweighted least squares.
// linear: convex piecewise linear.
enum class CurveForm { measured, hslb, linear };
[[nodiscard]] std::string name_of(CurveForm form);
// "fit" is an old name of hslb. Throws std::invalid_argument for other words.
[[nodiscard]] CurveForm curve_form(const std::string &name);

class ScalingCurve {
public:
    // Takes at least one sample. Samples with equal processes are averaged, weighted by their errors if all are
    // known. Throws std::invalid_argument for numbers that are not positive.
    explicit ScalingCurve(std::vector<ScalingSample> samples);

    // A curve from one sample and its serial share, 0 to 1, which stays the same with any processes (serial, or done
    // by each of them). The rest scales ideally (Amdahl). Throws std::invalid_argument for a share beyond that.
    [[nodiscard]] static ScalingCurve with_serial_part(const ScalingSample &sample, double share);

    [[nodiscard]] const std::vector<ScalingSample> &samples() const { return samples_; } // ascending processes
    [[nodiscard]] const ScalingFit &fit() const { return hslb_; }
    [[nodiscard]] bool has_serial_part() const { return serial_part_; }

    // The convex piecewise-linear interpolant, the lower convex hull of the samples, as CIME's load balancing tool
    // has it: towards fewer processes a line to ideal scaling at one process; towards more the part of the last
    // segment's time that still fell goes on falling as 1 / p, and no faster than ideally. With one sample ideal
    // scaling.
    [[nodiscard]] double linear_s(double processes) const;
    [[nodiscard]] double seconds(double processes, CurveForm form) const;

    // The uncertainty of the measured form, as a share: from the scatter of the samples, from the change when each of
    // them is left out, and outside of them from the difference of the forms. NaN: not known, as with one sample at
    // other counts.
    [[nodiscard]] double uncertainty(double processes) const;
    [[nodiscard]] bool measured_range_holds(double processes) const {
        return processes >= samples_.front().processes && processes <= samples_.back().processes;
    }
    // The processes in [least, most] where one more run would help most: where the uncertainty is largest. 0 if it
    // is below 0.5 % everywhere. With one sample: most or least, whichever is farther off.
    [[nodiscard]] double measure_next(double least, double most) const;

private:
    void leave_out_each();
    [[nodiscard]] double uncertain_between(double processes) const;
    [[nodiscard]] double uncertain_beyond(double processes) const;

    std::vector<ScalingSample> samples_, hull_; // error_s: of the mean; NaN if there is no scatter to know it from
    ScalingFit hslb_;
    MeasuredCurve measured_;
    bool serial_part_ = false;
    std::vector<double> left_out_; // by sample: the error of the curve without it there, as a logarithm
};

} // namespace cpl_lb
