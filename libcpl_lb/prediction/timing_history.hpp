// The measured computing times of a component with each processor count, while its load may change.
#pragma once

#include "prediction/curve_fit.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace cpl_lb {

// The scatter of timings of the same thing, learned from repetitions.
class TimingNoise {
public:
    // The deviation of a timing from the mean of `earlier` ones of the same thing, as a share.
    void add(double deviation, int earlier);
    [[nodiscard]] double share() const; // standard deviation / mean

private:
    // The first assumption: 0.5 %, with the weight of two repetitions.
    double squares_ = 2 * 0.005 * 0.005;
    double weight_ = 2;
};

// tau(p) through all samples: the fit, times the samples' ratio to it, interpolated in log p and held beyond them.
class LocalCurve {
public:
    // Each count once.
    explicit LocalCurve(std::vector<ScalingSample> samples);
    [[nodiscard]] double seconds(double processes) const;

private:
    std::vector<ScalingSample> samples_; // ascending processes
    ScalingFit fit_;
};

class TimingHistory {
public:
    enum class News { usual, perhaps_changed, changed };

    // A timing is an outlier if it is off by more than 5 % and 5 times the noise from others with the same count. If
    // the next interval shows the same, the load has changed.
    News add(std::int64_t count, double seconds, TimingNoise &noise);

    [[nodiscard]] bool has(std::int64_t count) const { return find(count) != nullptr; }
    [[nodiscard]] LocalCurve curve() const;

private:
    struct Entry {
        std::int64_t count = 0;
        double mean_s = 0;
        int timings = 0;
        bool before_change = false; // measured with another load, and brought to the new one
    };
    [[nodiscard]] const Entry *find(std::int64_t count) const;
    void change_by(double ratio);
    void measured(std::int64_t count, double seconds);

    std::vector<Entry> entries_;
    std::optional<double> doubtful_; // the last timing, if it was an outlier, as a share of what was expected
};

} // namespace cpl_lb
