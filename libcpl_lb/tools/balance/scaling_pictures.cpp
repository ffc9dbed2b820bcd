// Draws measured times with the ideal line, the curve that balance used, its band, and the recommended count.
#include "tools/balance/scaling_pictures.hpp"

#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace cpl_lb {
namespace {

constexpr const char *measured_colour = "#0072b2", *ideal_colour = "#777777", *recommended_colour = "#d55e00";
constexpr int points_of_curve = 60;
// A wider band would leave no room for the measured points, so it is cut here.
constexpr double most_above_curve = 4, most_efficiency_beyond = 1.4;
constexpr double hundred_per_cent = 100;

struct CountRange {
    double least = 0, most = 0;
};

// All counts that are drawn; the ideal line is seen as a line with one count, too.
CountRange counts_drawn(const ScalingPicture &picture) {
    const double first = picture.curve->samples().front().processes;
    CountRange range{first, picture.curve->samples().back().processes};
    const auto take = [&range](double cores) { range = {std::min(range.least, cores), std::max(range.most, cores)}; };
    for (const MeasuredTime &time : picture.times)
        if (time.seconds > 0) take(time.cores);
    if (picture.recommended > 0) take(static_cast<double>(picture.recommended));
    if (range.most <= range.least) range.most = 2 * first;
    return range;
}

// Measured counts often double again and again. If so, readers look for these.
std::vector<double> doubled_counts(const ScalingPicture &picture, const CountRange &range) {
    double first = range.most;
    for (const MeasuredTime &time : picture.times)
        first = std::min(first, time.cores);
    for (const MeasuredTime &time : picture.times) {
        const double doublings = std::log2(time.cores / first);
        if (std::abs(doublings - std::round(doublings)) > 1e-9) return {};
    }
    while (first / 2 >= range.least && std::fmod(first, 2) == 0)
        first /= 2;
    std::vector<double> ticks = {first};
    while (2 * ticks.back() <= range.most)
        ticks.push_back(2 * ticks.back());
    return ticks;
}

// In a small range round numbers would be few, or no whole ones. Empty if the counts are too close for their numbers.
std::vector<double> measured_counts(const ScalingPicture &picture) {
    constexpr double apart = 1.12;
    std::set<double> counts;
    for (const MeasuredTime &time : picture.times)
        counts.insert(time.cores);
    const auto close = [](double a, double b) { return b < apart * a; };
    if (std::ranges::adjacent_find(counts, close) != counts.end()) return {};
    return {counts.begin(), counts.end()};
}

ChartAxis axis_of_counts(const ScalingPicture &picture, const CountRange &range) {
    ChartAxis axis{"cores", true};
    axis.ticks = doubled_counts(picture, range);
    if (axis.ticks.empty() && range.most < 3 * range.least) axis.ticks = measured_counts(picture);
    for (const double tick : axis.ticks)
        axis.tick_labels.push_back(decimal_text(tick, 0));
    return axis;
}

// The counts at which the curve is drawn: evenly on the logarithmic axis, and at each measured count.
std::vector<double> counts_of_curve(const ScalingPicture &picture, const CountRange &range) {
    std::set<double> counts;
    for (const ScalingSample &sample : picture.curve->samples())
        counts.insert(sample.processes);
    const double step = std::log(range.most / range.least) / points_of_curve;
    for (int i = 0; i <= points_of_curve; ++i)
        counts.insert(range.least * std::exp(i * step));
    return {counts.begin(), counts.end()};
}

// With their names in the legend.
const ChartSeries measured_marks{
    .name = "measured", .points = {}, .line = false, .colour = measured_colour, .shape = ChartShape::circle};
const ChartSeries other_threads_marks{.name = "measured with other threads",
                                      .points = {},
                                      .line = false,
                                      .colour = measured_colour,
                                      .shape = ChartShape::circle,
                                      .hollow = true};
const ChartSeries ideal_line{.name = "ideal: twice the cores, half the time",
                             .points = {},
                             .marks = false,
                             .dashed = true,
                             .colour = ideal_colour};
const ChartSeries curve_line{
    .name = "the curve that balance used", .points = {}, .marks = false, .colour = measured_colour};
const ChartSeries uncertain_band{
    .name = "its uncertainty", .points = {}, .marks = false, .colour = measured_colour, .area = true};
const ChartSeries recommended_mark{.name = "recommended",
                                   .points = {},
                                   .line = false,
                                   .colour = recommended_colour,
                                   .shape = ChartShape::square,
                                   .size = 15,
                                   .hollow = true};

// Converts cores and seconds to the value on the second axis.
using ShownValue = std::function<double(double cores, double seconds)>;
// Cuts the band where it is far from the curve.
using CutValue = std::function<double(double value, double curve)>;

std::string time_title(const ScalingPicture &picture, const MeasuredTime &time) {
    std::string title = safe_name(time.run) + ": " + counted(std::llround(time.cores), "core");
    if (time.threads > 0) title += ", " + counted(time.threads, "thread") + " for each process";
    return title + fmt::format(", {} s, efficiency {} %", number_text(time.seconds),
                               per_cent_text(parallel_efficiency(*picture.curve, time.cores, time.seconds)));
}

std::string title_of_recommended(const ScalingPicture &picture, double seconds) {
    const auto cores = static_cast<double>(picture.recommended);
    const double uncertain = picture.curve->uncertainty(cores);
    return fmt::format("recommended: {}, {} s by the curve{}", counted(picture.recommended, "core"),
                       number_text(seconds),
                       std::isfinite(uncertain) ? ", uncertain by " + share_in_words(uncertain) : "");
}

void add_curve(SvgChart &chart, const ScalingPicture &picture, const CountRange &range, const ShownValue &shown,
               const CutValue &cut) {
    ChartSeries band = uncertain_band, curve = curve_line;
    std::vector<ChartPoint> below;
    for (const double cores : counts_of_curve(picture, range)) {
        const double seconds = picture.curve->seconds(cores, picture.form), value = shown(cores, seconds);
        curve.points.push_back({cores, value});
        const TimeError off = picture.curve->error(cores);
        if (!std::isfinite(off.larger())) continue;
        band.points.push_back({cores, cut(shown(cores, seconds * (1 + off.longer)), value)});
        below.push_back({cores, cut(shown(cores, seconds / (1 + off.shorter)), value)});
    }
    band.points.insert(band.points.end(), below.rbegin(), below.rend());
    if (below.size() > 1) chart.series.push_back(std::move(band));
    chart.series.push_back(std::move(curve));
}

void add_measured(SvgChart &chart, const ScalingPicture &picture, const ShownValue &shown, PictureSize size) {
    ChartSeries measured = measured_marks, others = other_threads_marks;
    for (const MeasuredTime &time : picture.times) {
        ChartSeries &series = is_of_curve(picture, time) ? measured : others;
        series.points.push_back({time.cores, shown(time.cores, time.seconds), "", time_title(picture, time)});
    }
    if (!others.points.empty()) chart.series.push_back(std::move(others));
    chart.series.push_back(std::move(measured));
    if (picture.recommended == 0) return;
    const auto cores = static_cast<double>(picture.recommended);
    const double seconds = picture.curve->seconds(cores, picture.form);
    ChartSeries recommended = recommended_mark;
    recommended.bold = true;
    recommended.points.push_back({cores, shown(cores, seconds),
                                  size == PictureSize::large ? std::to_string(picture.recommended) : "",
                                  title_of_recommended(picture, seconds)});
    chart.series.push_back(std::move(recommended));
}

void add_ideal(SvgChart &chart, const ScalingPicture &picture, const CountRange &range, const ShownValue &shown) {
    const ScalingSample &first = picture.curve->samples().front();
    ChartSeries ideal = ideal_line;
    for (const double cores : {first.processes, range.most})
        ideal.points.push_back({cores, shown(cores, first.seconds * first.processes / cores)});
    chart.series.push_back(std::move(ideal));
}

SvgChart chart_of(const ScalingPicture &picture, PictureSize size, const std::string &title, const ChartAxis &y,
                  const ShownValue &shown, const CutValue &cut) {
    const CountRange range = counts_drawn(picture);
    const bool large = size == PictureSize::large;
    SvgChart chart;
    chart.title = title;
    chart.width = large ? 330 : 210;
    chart.height = large ? 240 : 140;
    chart.x = axis_of_counts(picture, range);
    chart.y = y;
    if (has_curve(picture)) add_curve(chart, picture, range, shown, cut);
    add_ideal(chart, picture, range, shown);
    add_measured(chart, picture, shown, size);
    for (ChartSeries &series : chart.series)
        series.name.clear(); // one legend is for all charts
    return chart;
}

} // namespace

bool is_of_curve(const ScalingPicture &picture, const MeasuredTime &time) {
    return picture.threads == 0 || time.threads <= 0 || time.threads == picture.threads;
}

double parallel_efficiency(const ScalingCurve &curve, double cores, double seconds) {
    const ScalingSample &first = curve.samples().front();
    return first.seconds * first.processes / (seconds * cores);
}

bool has_curve(const ScalingPicture &picture) {
    return picture.curve && (picture.curve->samples().size() > 1 || picture.curve->has_serial_part() ||
                             picture.curve->is_like_another());
}

SvgChart time_chart(const ScalingPicture &picture, PictureSize size) {
    const bool large = size == PictureSize::large;
    const std::string of = large && !picture.seconds_of.empty() ? " of " + picture.seconds_of : "";
    return chart_of(
        picture, size, large ? "Computing time" : "Time", {"seconds" + of, true},
        [](double, double seconds) { return seconds; },
        [](double value, double curve) {
            return std::clamp(value, curve / most_above_curve, curve * most_above_curve);
        });
}

SvgChart efficiency_chart(const ScalingPicture &picture, PictureSize size) {
    const ShownValue shown = [&](double cores, double seconds) {
        return hundred_per_cent * parallel_efficiency(*picture.curve, cores, seconds);
    };
    double most = hundred_per_cent;
    for (const MeasuredTime &time : picture.times)
        if (time.seconds > 0) most = std::max(most, shown(time.cores, time.seconds));
    return chart_of(picture, size, "Parallel efficiency", {"% of ideal", false, {}, hundred_per_cent + 5}, shown,
                    [most](double value, double curve) {
                        return std::min(value, std::max(curve, most * most_efficiency_beyond));
                    });
}

std::vector<ChartSeries> scaling_legend(CurveForm form, bool curves, bool other_threads) {
    std::vector<ChartSeries> all = {measured_marks};
    if (other_threads) all.push_back(other_threads_marks);
    all.push_back(ideal_line);
    if (curves) {
        all.insert(all.end(), {curve_line, uncertain_band});
        if (form == CurveForm::measured) all.back().name += " (90 of 100 cases)";
    }
    all.push_back(recommended_mark);
    return all;
}

} // namespace cpl_lb
