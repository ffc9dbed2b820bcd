// A component's computing time as a function of its processes, tau_i(p), in three forms, with its uncertainty
// (docs/definitions.md, section 5).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// The threads of a sample whose processes have different numbers of them.
inline constexpr std::int64_t differing_threads = -1;

// The form a / p + b p^c + k of a scaling curve, and its fit to measured times.
struct ScalingSample {
    double processes = 0;                                      // > 0
    double seconds = 0;                                        // > 0
    double error_s = std::numeric_limits<double>::quiet_NaN(); // standard error of the seconds; NaN: not known
    std::int64_t threads = 0;                                  // of each process; 0: not said; differing_threads
};

// a / p + b p^c + k with a, b, k >= 0 and 0 <= c <= 1 (Alexeev et al. 2014, HSLB).
struct ScalingFit {
    double a = 0, b = 0, c = 0, k = 0;
    double rms = 0; // of the samples' errors: [s], or relative
    [[nodiscard]] double seconds(double processes) const;
};

enum class FitErrors { absolute, relative };

// Tries each c of a grid of step 0.01, and for each c the non-negative least squares over all subsets of terms. Of
// equally good fits the one with the fewest terms is taken. With one sample: a / p, ideal scaling.
[[nodiscard]] ScalingFit fit_curve(const std::vector<ScalingSample> &samples, FitErrors errors = FitErrors::absolute);

// Between measured counts: a monotone cubic of the logarithm of the time over the logarithm of the count. With only
// two counts: the fit, if it passes through both, because a line does not bend as scaling does. Outside: the fit in
// relative errors, moved to meet the last measured time. Towards fewer processes the time rises at least by their
// square root, because measured times that no longer change tell nothing about the work that is divided.
class MeasuredCurve {
public:
    // Processes must ascend, each once.
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

// measured: through the measured times; used for every recommendation. hslb: the fit by unweighted least squares.
// linear: convex piecewise linear.
enum class CurveForm { measured, hslb, linear };
[[nodiscard]] std::string name_of(CurveForm form);
// "fit" is an old name for hslb. Throws std::invalid_argument for other words.
[[nodiscard]] CurveForm curve_form(const std::string &name);

// What a curve's time may be off by, as shares: the true one is from time / (1 + shorter) to time (1 + longer).
// NaN: not known.
struct TimeError {
    double shorter = 0, longer = 0;
    [[nodiscard]] double larger() const { return shorter > longer ? shorter : longer; }
};

// A count between two measured ones, where nothing shows that the law is smooth. Work in whole blocks goes in steps.
struct UnmeasuredGap {
    double fewer = 0, more = 0; // processes of the measured ones
    double least_s = 0, most_s = 0;
};

class ScalingCurve {
public:
    // Takes at least one sample. Samples with equal processes are averaged, weighted by their errors if all are
    // known. Throws std::invalid_argument for numbers that are not positive.
    explicit ScalingCurve(std::vector<ScalingSample> samples);

    // A curve from one sample and its serial share, 0 to 1, which stays the same with any processes (serial, or done
    // by each of them). The rest scales ideally (Amdahl). Throws std::invalid_argument for a share beyond that.
    [[nodiscard]] static ScalingCurve with_serial_part(const ScalingSample &sample, double share);

    // A curve from one sample with the shape of another curve: the ratio of their times is the same at all counts.
    [[nodiscard]] static ScalingCurve like(const ScalingSample &sample, const ScalingCurve &shape);

    [[nodiscard]] const std::vector<ScalingSample> &samples() const { return samples_; } // ascending processes
    [[nodiscard]] const ScalingFit &fit() const { return hslb_; }
    [[nodiscard]] bool has_serial_part() const { return serial_part_ || (shape_ && shape_->serial_part_); }
    [[nodiscard]] bool is_like_another() const { return shape_ != nullptr; }

    // The convex piecewise-linear interpolant, the lower convex hull of the samples, as in CIME's load balancing
    // tool. Towards fewer processes it is a line to ideal scaling at one process. Towards more, the part of the last
    // segment's time that still fell goes on falling as 1 / p, and no faster than ideally. With one sample: ideal
    // scaling.
    [[nodiscard]] double linear_s(double processes) const;
    [[nodiscard]] double seconds(double processes, CurveForm form) const;

    // The uncertainty of the measured form: from the scatter of the samples, from the change when each of them is
    // left out, between them from the steps that are possible, and outside of them from the difference between the
    // forms. Not known for other counts with one sample.
    [[nodiscard]] TimeError error(double processes) const;
    [[nodiscard]] double uncertainty(double processes) const { return error(processes).larger(); } // either way
    // Empty at a measured count, outside of them, and where the inner ones agree with the curve through the others.
    [[nodiscard]] std::optional<UnmeasuredGap> gap_at(double processes) const;
    [[nodiscard]] bool measured_range_holds(double processes) const {
        return processes >= samples_.front().processes && processes <= samples_.back().processes;
    }
    // The processes in [least, most] with which one more run would help most: where the curve may bend most, steps
    // apart, which may be anywhere. 0 if that is below 0.5 % everywhere. With one sample: most or least, whichever is
    // farther away.
    [[nodiscard]] double measure_next(double least, double most) const;

private:
    void leave_out_each();
    [[nodiscard]] TimeError error_of_logarithm(double processes) const;
    struct Between { // two measured counts
        std::size_t left = 0, right = 0;
        double t = 0; // from 0 at the left one to 1 at the right one
    };
    [[nodiscard]] Between between(double processes) const;
    [[nodiscard]] double bend_between(double processes) const;
    [[nodiscard]] double scatter_between(double processes) const;
    [[nodiscard]] double uncertain_beyond(double processes) const;

    std::vector<ScalingSample> samples_, hull_; // error_s: of the mean; NaN if there is no scatter to know it from
    ScalingFit hslb_;
    MeasuredCurve measured_;
    bool serial_part_ = false;
    std::shared_ptr<const ScalingCurve> shape_; // of like()
    std::vector<double> left_out_;              // by sample: the error there of the curve without it, as a logarithm
    double steps_ = std::numeric_limits<double>::infinity(); // how far off a step may be, as a logarithm
};

} // namespace cpl_lb
