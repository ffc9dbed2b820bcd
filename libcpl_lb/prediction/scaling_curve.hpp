// How a component's computing time goes with its processes, tau_i(p): two answers whose difference is the stated
// uncertainty (definitions, section 5).
#pragma once

#include <array>
#include <string>
#include <vector>

namespace cpl_lb {

struct ScalingSample {
    double processes = 0; // > 0
    double seconds = 0;   // > 0
};

// a / p + b p^c + k by unweighted least squares with a, b, k >= 0 and 0 <= c <= 1 (Alexeev et al. 2014, HSLB).
struct ScalingFit {
    double a = 0, b = 0, c = 0, k = 0;
    double rms_s = 0; // of the samples [s]
    [[nodiscard]] double seconds(double processes) const;
};

// c from a grid of step 0.01; for each the non-negative least squares over all subsets of terms, of equals the one
// with fewest terms. With one sample: a / p, ideal scaling.
[[nodiscard]] ScalingFit fit_curve(const std::vector<ScalingSample> &samples);

enum class CurveForm { fit, linear };

class ScalingCurve {
public:
    // At least one sample; several with equal processes are taken by their mean. Throws std::invalid_argument for
    // numbers that are not positive.
    explicit ScalingCurve(std::vector<ScalingSample> samples);

    // One sample of which a share, 0 to 1, is known to stay the same with any processes (serial, or done by each of
    // them): the rest scales ideally (Amdahl). Throws std::invalid_argument for a share beyond that.
    [[nodiscard]] static ScalingCurve with_serial_part(const ScalingSample &sample, double share);

    [[nodiscard]] const std::vector<ScalingSample> &samples() const { return samples_; } // ascending processes
    [[nodiscard]] const ScalingFit &fit() const { return fit_; }

    // The convex piecewise-linear interpolant: the lower convex hull of the samples. Beyond the samples: ideal
    // scaling towards fewer processes; the last sample's time towards more; with one sample the fit both ways.
    [[nodiscard]] double linear_s(double processes) const;
    [[nodiscard]] double seconds(double processes, CurveForm form) const {
        return form == CurveForm::fit ? fit_.seconds(processes) : linear_s(processes);
    }
    // |fit - linear| [s]; nothing is known of it with one sample (NaN).
    [[nodiscard]] double spread_s(double processes) const;
    [[nodiscard]] bool measured_range_holds(double processes) const {
        return processes >= samples_.front().processes && processes <= samples_.back().processes;
    }
    // The processes in [least, most] where one more run would narrow the spread most: where it is largest, relative
    // to the time. 0 where both answers agree to 0.1 %. With one sample: most or least, whichever is farther off.
    [[nodiscard]] double measure_next(double least, double most) const;

private:
    std::vector<ScalingSample> samples_, hull_;
    ScalingFit fit_;
};

} // namespace cpl_lb
