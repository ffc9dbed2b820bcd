// The scaling of a component or of a region as two pictures: its time, and its parallel efficiency, over its cores.
#pragma once

#include "prediction/scaling_curve.hpp"
#include "report/plot.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct MeasuredTime {
    std::string run; // its folder, or the table that has it
    double cores = 0, seconds = 0;
    std::int64_t threads = 0; // of each process; 0: not said; differing_threads
};

struct ScalingPicture {
    std::string name;
    std::string seconds_of;            // "a coupling cycle"; empty: as in the user's table
    std::vector<MeasuredTime> times;   // ascending cores
    std::optional<ScalingCurve> curve; // of `times` with its threads; empty: no time is above 0
    CurveForm form = CurveForm::measured;
    std::int64_t threads = 0;     // of the curve; 0: any
    std::int64_t recommended = 0; // cores; 0: none
};

// Whether `time` is one that the picture's curve rests on.
[[nodiscard]] bool is_of_curve(const ScalingPicture &picture, const MeasuredTime &time);

// t0 c0 / (t c): 1 if the time shrinks as the cores grow, from the smallest count of the curve on. A fraction.
[[nodiscard]] double parallel_efficiency(const ScalingCurve &curve, double cores, double seconds);

// Whether there is more to draw than one point and the ideal line: a curve of several counts, or one that uses
// --curves or the curve of other threads.
[[nodiscard]] bool has_curve(const ScalingPicture &picture);

enum class PictureSize { large, small }; // small: one of many side by side

// Both over one range of cores, without a legend; the picture must have a curve, which may be of one count.
[[nodiscard]] SvgChart time_chart(const ScalingPicture &picture, PictureSize size);
[[nodiscard]] SvgChart efficiency_chart(const ScalingPicture &picture, PictureSize size);

// The meaning of the lines and marks of both pictures, for a legend. `curves`, `other_threads`: whether any picture
// has some.
[[nodiscard]] std::vector<ChartSeries> scaling_legend(CurveForm form, bool curves, bool other_threads);

} // namespace cpl_lb
