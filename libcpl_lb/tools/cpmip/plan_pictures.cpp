// The pictures of a production plan: core hours over time, and the model among published rows.
#include "io/files/file_error.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/plan_output.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double plan_picture_day_s = 86400;

double dearest_of(const ProductionPlan &plan) {
    double most = 0;
    for (const PlannedCount &count : plan.counts)
        most = std::max(most, count.core_hours);
    return most;
}

// A unit in which the numbers are short enough for the axis.
double hours_unit(const ProductionPlan &plan) {
    const double most = dearest_of(plan);
    return most >= 1e8 ? 1e6 : most >= 1e5 ? 1e3 : 1;
}

ChartPoint point_of_plan(const ProductionPlan &plan, const PlannedCount &count, bool labelled) {
    return {plan.length_s(count) / plan_picture_day_s, count.core_hours / hours_unit(plan),
            labelled ? plan_cores_text(count) + " cores" : ""};
}

bool is_offered(const PlannedCount &count) {
    return count.is_possible() && count.in_time != InTime::no;
}

// An earlier end costs more: the possible counts without those that take longer and cost more than another one.
ChartSeries best_of_their_time(const ProductionPlan &plan) {
    std::vector<ChartPoint> points;
    for (const PlannedCount &count : plan.counts)
        if (is_offered(count)) points.push_back(point_of_plan(plan, count, false));
    std::sort(points.begin(), points.end(),
              [](const ChartPoint &a, const ChartPoint &b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    ChartSeries line{"less time, more core hours", {}, true, false};
    line.colour = "#447777";
    for (const ChartPoint &point : points)
        if (line.points.empty() || point.y < line.points.back().y) line.points.push_back(point);
    return line;
}

ChartSeries ring_around(const ProductionPlan &plan, std::size_t i, const char *name, const char *colour,
                        double size) {
    const PlannedCount &count = plan.counts[i];
    ChartSeries ring{
        fmt::format("{}: {} cores", name, plan_cores_text(count)), {point_of_plan(plan, count, false)}, false};
    ring.shape = ChartShape::circle;
    ring.colour = colour;
    ring.size = size;
    ring.hollow = true;
    return ring;
}

// Limits far beyond all points are only in the legend, because the points would have no room.
void add_limits(SvgChart &chart, const ProductionPlan &plan) {
    constexpr double farthest = 1.5;
    double longest = 0;
    for (const PlannedCount &count : plan.counts)
        longest = std::max(longest, plan.length_s(count) / plan_picture_day_s);
    const double unit = hours_unit(plan), dearest = dearest_of(plan) / unit;
    const PlanWish &w = plan.wish;
    const auto limit = [&](const std::string &name, bool near, const char *colour, std::vector<ChartPoint> line) {
        if (!near) line.clear();
        ChartSeries series{near ? name : name + ", farther on", std::move(line), true, false, true};
        series.colour = colour;
        chart.series.push_back(series);
    };
    if (is_known(w.deadline_s)) {
        const double days = (w.deadline_s - w.start_s) / plan_picture_day_s;
        limit("deadline " + plan_day_text(w.deadline_s), days < farthest * longest, "#aa5500",
              {{days, 0}, {days, dearest}});
    }
    if (is_known(w.core_hours)) {
        limit(fmt::format("at most {:.6g} core hours", w.core_hours), w.core_hours / unit < farthest * dearest,
              "#5555aa", {{0, w.core_hours / unit}, {longest, w.core_hours / unit}});
    }
}

double cost_for_resolution(const ModelRow &row) {
    return row.chsy / (row.resolution / 1e6);
}

} // namespace

std::string plan_as_svg(const PlanAnswer &answer) {
    const ProductionPlan &plan = answer.plan;
    ChartSeries possible{"possible", {}, false}, not_possible{"not possible, or too late", {}, false};
    possible.shape = not_possible.shape = ChartShape::circle;
    not_possible.hollow = true;
    not_possible.colour = idle_colour;
    for (const PlannedCount &count : plan.counts) {
        ChartSeries &series = is_offered(count) ? possible : not_possible;
        series.points.push_back(point_of_plan(plan, count, true));
    }
    const double unit = hours_unit(plan);
    SvgChart chart{"Plan of " + short_name(answer.study.name, 30) + ": " + plan_wish_text(plan.wish),
                   {(plan.with_queue ? "days from " : "days of running from ") + plan_day_text(plan.wish.start_s) +
                    (plan.with_queue ? " to the end, with the queue" : ", without the queue")},
                   {unit > 1 ? fmt::format("cost ({:.0f} core hours)", unit) : "cost (core hours)"},
                   {best_of_their_time(plan)}};
    for (const ChartSeries &series : {possible, not_possible})
        if (!series.points.empty()) chart.series.push_back(series);
    if (plan.speed) chart.series.push_back(ring_around(plan, *plan.speed, "S, first to end", "#cc2222", 22));
    if (plan.throughput) {
        chart.series.push_back(ring_around(plan, *plan.throughput,
                                           is_known(plan.wish.deadline_s) ? "T, cheapest in time" : "T, cheapest",
                                           "#227733", 16));
    }
    add_limits(chart, plan);
    return svg_of(chart);
}

std::string published_as_svg(const PlanAnswer &answer) {
    const ScalingStudy &study = answer.study;
    if (!(study.model.resolution > 0))
        throw FileError(study.name, "--compare-svg needs the grid points: cpl_lb_set_grid, or --resolution");
    ChartSeries speed{"published, for speed (S)", {}, false}, throughput{"published, for throughput (T)", {}, false},
        not_said{"published, mode not said", {}, false}, own{"this model", {}, false};
    speed.colour = throughput.colour = not_said.colour = "#447777";
    speed.shape = throughput.shape = own.shape = ChartShape::square;
    speed.hollow = true;
    own.colour = "#cc2222";
    own.bold = true;
    for (const ModelRow &row : answer.published) {
        (row.mode == 'S'   ? speed
         : row.mode == 'T' ? throughput
                           : not_said)
            .points.push_back({cost_for_resolution(row), row.sypd, model_name(row)});
    }
    const std::size_t s = study.modes.speed, t = study.modes.cheapest;
    for (const auto &[point, mode] : {std::pair{s, 'S'}, {t, 'T'}}) {
        const ModelRow row = scaling_row(study, point, mode);
        own.points.push_back({cost_for_resolution(row), row.sypd,
                              s == t ? short_name(row.model, 30) : short_name(row.model, 28) + " " + mode});
        if (s == t) break;
    }
    SvgChart chart{short_name(study.name, 24) + " among " + counted(answer.published.size(), "row") + " of " +
                       answer.published_in,
                   {"core hours / year / million points: less is better", true},
                   {"simulated years / day: more is better", true},
                   {},
                   640,
                   420};
    for (const ChartSeries &series : {speed, throughput, not_said, own})
        if (!series.points.empty()) chart.series.push_back(series);
    return svg_of(chart);
}

} // namespace cpl_lb
