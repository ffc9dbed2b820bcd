// A production plan from the options, in words, as json and as two pictures: core hours over time, and the model
// among published rows.
#include "io/files/file_error.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/command_line.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/reasons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

namespace cpl_lb {
namespace {

using Json = JsonTree;

constexpr double plan_day_s = 86400, plan_kWh_J = 3.6e6;

// Times beyond a calendar's years are no dates.
std::string utc_in_words(double unix_s) {
    constexpr double most_s = 2.5e11; // the year 9892
    return std::abs(unix_s) < most_s ? utc_text(static_cast<std::int64_t>(std::floor(unix_s))) : "";
}

std::string short_number(double value) {
    return figure_text(value, 4);
}

// "2027-03-01", or n/a if the calendar has no such year.
std::string day_text(double unix_s) {
    const std::string text = utc_in_words(unix_s);
    return text.empty() ? "n/a" : text.substr(0, text.find('T'));
}

// "~1365": not measured.
std::string cores_text(const PlannedCount &count) {
    return fmt::format("{}{}", count.between ? "~" : "", decimal_text(count.point.cores, 0));
}

// "165 years x 3 members"
std::string wish_text(const PlanWish &w) {
    const std::string text = fmt::format("{:g} {}", w.years, word_for(w.years, "year"));
    return w.members > 1 ? text + fmt::format(" x {} members", w.members) : text;
}

bool knows_queue(const PlannedCount &count) {
    return is_known(count.queued_s);
}

// Without the queue it ends later than that.
double end_s(const ProductionPlan &plan, const PlannedCount &count) {
    return plan.wish.start_s + count.run_s + (knows_queue(count) ? count.queued_s : 0);
}

std::string end_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    return (knows_queue(count) ? "" : "after ") + day_text(end_s(plan, count));
}

// In the order of InTime.
const char *word_of(InTime in_time) {
    constexpr std::array words = {"", "in time", "close", "open", "too late"};
    return words.at(static_cast<std::size_t>(in_time));
}

std::string plan_marks(const ProductionPlan &plan, std::size_t i) {
    const PlannedCount &count = plan.counts[i];
    std::vector<std::string> marks;
    if (plan.speed == i) marks.emplace_back("S");
    if (plan.throughput == i) marks.emplace_back("T");
    if (count.too_many_cores) marks.emplace_back("too many cores");
    if (count.too_costly) marks.emplace_back("too costly");
    const bool told = count.in_time == InTime::no || (count.is_possible() && count.in_time != InTime::yes);
    if (told && count.in_time != InTime::not_asked) marks.emplace_back(word_of(count.in_time));
    return joined(marks, ", ");
}

std::string members_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    const std::int64_t members = plan.wish.members;
    if (members == 1) return "";
    const double cores = static_cast<double>(count.side_by_side) * count.point.cores;
    if (count.turns == 1)
        return fmt::format(" the {} members side by side on {} cores,", members, decimal_text(cores, 0));
    if (count.side_by_side == 1) return fmt::format(" the {} members in turn,", members);
    return fmt::format(" {} members side by side on {} cores, in {} turns,", count.side_by_side,
                       decimal_text(cores, 0), count.turns);
}

std::string choice_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    const std::string split = count.point.name.empty() ? "" : " (" + safe_name(count.point.name) + ")";
    std::string text = fmt::format("{} cores{}:{} {} days of running", cores_text(count), split,
                                   members_in_words(plan, count), short_number(count.run_s / plan_day_s));
    if (count.between) text += fmt::format(" (+- {} % by the curve)", figure_text(100 * count.uncertainty, 2));
    if (knows_queue(count)) {
        text +=
            fmt::format(" and {} +- {} in the queue ({} for each member)", short_number(count.queued_s / plan_day_s),
                        figure_text(count.queued_error_s / plan_day_s, 2), counted(count.jobs, "job"));
    }
    return text + fmt::format(", ends {}, {:.6g} core hours.", end_in_words(plan, count), count.core_hours);
}

std::string in_time_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    switch (count.in_time) {
    case InTime::close:
        return " That is so close to the deadline that the scatter decides.";
    case InTime::open:
        return " Whether that is in time is open: the queue is not known.";
    case InTime::no:
        return " The deadline is " + utc_in_words(plan.wish.deadline_s) + ": too late.";
    default:
        return "";
    }
}

std::string choices(const ProductionPlan &plan) {
    const auto line = [&](const char *what, const std::optional<std::size_t> &i, const std::string &why) {
        return wrapped(i ? fmt::format("{}: {}{}", what, choice_in_words(plan, plan.counts[*i]),
                                       in_time_in_words(plan, plan.counts[*i]))
                         : fmt::format("{}: n/a ({}).", what, why),
                       80);
    };
    const char *cheapest =
        is_known(plan.wish.deadline_s) ? "T, the fewest core hours in time" : "T, the fewest core hours";
    return line("S, the first to end", plan.speed, plan.why_no_speed) +
           line(cheapest, plan.throughput, plan.why_no_throughput);
}

std::string what_is_missing(const ProductionPlan &plan) {
    ReasonsBelow queues(", ", "the time in the queue on ", " cores"), energies(", ", "the energy on ", " cores");
    for (const PlannedCount &count : plan.counts) {
        if (!count.why_no_queue.empty()) queues.add_once(count.why_no_queue, cores_text(count));
        if (!is_known(count.energy_J)) energies.add_once("AJPSY was not measured", cores_text(count));
    }
    std::string text = queues.text() + energies.text();
    if (plan.wish.members > 1 && plan.wish.most_cores == 0)
        text += "Note: no --cores is given, so all members run side by side\n";
    if (plan.speed && !plan.with_queue && std::ranges::any_of(plan.counts, knows_queue))
        text += wrapped("Note: S is chosen by the time of running alone, because not all queues are known", 80);
    return text + notes_text(plan.remarks);
}

std::string limits_in_words(const PlanWish &w) {
    std::string text = "Start " + utc_in_words(w.start_s);
    if (is_known(w.deadline_s)) text += ", deadline " + utc_in_words(w.deadline_s);
    if (is_known(w.core_hours)) text += fmt::format(", at most {:.6g} core hours", w.core_hours);
    if (w.most_cores > 0) text += fmt::format(", at most {}", counted(w.most_cores, "core"));
    return text + "\n";
}

Json count_json(const ProductionPlan &plan, const PlannedCount &c) {
    const auto date = [](double s) { return Json::text(is_known(s) ? utc_in_words(s) : ""); };
    return {{"cores", c.point.cores},
            {"counts", Json::text(c.point.name)},
            {"measured", !c.between},
            {"uncertainty", c.uncertainty},
            {"sypd", c.point.sypd},
            {"chsy", c.point.chsy},
            {"side_by_side", c.side_by_side},
            {"turns", c.turns},
            {"run_s", c.run_s},
            {"jobs_of_a_member", c.jobs > 0 ? Json(c.jobs) : Json()},
            {"queued_s", c.queued_s},
            {"queued_error_s", c.queued_error_s},
            {"why_no_queue", Json::text(c.why_no_queue)},
            {"not_before", date(plan.wish.start_s + c.run_s)},
            {"end", date(plan.wish.start_s + c.run_s + c.queued_s)},
            {"core_hours", c.core_hours},
            {"energy_J", c.energy_J},
            {"too_many_cores", c.too_many_cores},
            {"too_costly", c.too_costly},
            {"deadline", Json::text(word_of(c.in_time))}};
}

Json choice_json(const ProductionPlan &plan, const std::optional<std::size_t> &i) {
    return i ? count_json(plan, plan.counts[*i]) : Json();
}

// A day or a time; a day begins at 00:00 UTC. Throws cli::WrongUsage for other words.
double plan_date(const std::string &option, const std::string &text) {
    const std::optional<double> time = unix_seconds_of_iso8601(text);
    const std::optional<double> day = time ? time : unix_seconds_of_iso8601(text + "T00:00:00Z");
    if (!day) throw cli::WrongUsage(fmt::format("{}: not a date like 2027-03-01: {}", option, text));
    return *day;
}

double dearest_of(const ProductionPlan &plan) {
    return std::ranges::max_element(plan.counts, {}, &PlannedCount::core_hours)->core_hours;
}

// A unit in which the numbers are short enough for the axis.
double hours_unit(const ProductionPlan &plan) {
    const double most = dearest_of(plan);
    return most >= 1e8 ? 1e6 : most >= 1e5 ? 1e3 : 1;
}

ChartPoint point_of_plan(const ProductionPlan &plan, const PlannedCount &count, bool labelled) {
    return {plan.length_s(count) / plan_day_s, count.core_hours / hours_unit(plan),
            labelled ? cores_text(count) + " cores" : ""};
}

bool is_offered(const PlannedCount &count) {
    return count.is_possible() && count.in_time != InTime::no;
}

// An earlier end costs more: the possible counts without those that take longer and cost more than another one.
ChartSeries best_of_their_time(const ProductionPlan &plan) {
    std::vector<ChartPoint> points;
    for (const PlannedCount &count : plan.counts)
        if (is_offered(count)) points.push_back(point_of_plan(plan, count, false));
    std::ranges::sort(points, {}, [](const ChartPoint &point) { return std::pair(point.x, point.y); });
    ChartSeries line{"less time, more core hours", {}, true, false, false, "#447777"};
    for (const ChartPoint &point : points)
        if (line.points.empty() || point.y < line.points.back().y) line.points.push_back(point);
    return line;
}

ChartSeries ring_around(const ProductionPlan &plan, std::size_t i, const char *name, const char *colour,
                        double size) {
    const PlannedCount &count = plan.counts[i];
    return {.name = fmt::format("{}: {} cores", name, cores_text(count)),
            .points = {point_of_plan(plan, count, false)},
            .line = false,
            .colour = colour,
            .shape = ChartShape::circle,
            .size = size,
            .hollow = true};
}

// Limits far beyond all points are only in the legend, because the points would have no room.
void add_limits(SvgChart &chart, const ProductionPlan &plan) {
    constexpr double farthest = 1.5;
    double longest = 0;
    for (const PlannedCount &count : plan.counts)
        longest = std::max(longest, plan.length_s(count) / plan_day_s);
    const double unit = hours_unit(plan), dearest = dearest_of(plan) / unit;
    const PlanWish &w = plan.wish;
    const auto limit = [&](const std::string &name, bool near, const char *colour, std::vector<ChartPoint> line) {
        if (!near) line.clear();
        chart.series.push_back({near ? name : name + ", farther on", std::move(line), true, false, true, colour});
    };
    if (is_known(w.deadline_s)) {
        const double days = (w.deadline_s - w.start_s) / plan_day_s;
        limit("deadline " + day_text(w.deadline_s), days < farthest * longest, "#aa5500",
              {{days, 0}, {days, dearest}});
    }
    if (is_known(w.core_hours)) {
        limit(fmt::format("at most {:.6g} core hours", w.core_hours), w.core_hours / unit < farthest * dearest,
              "#5555aa", {{0, w.core_hours / unit}, {longest, w.core_hours / unit}});
    }
}

void add_those_with_points(SvgChart &chart, const std::vector<ChartSeries> &series) {
    std::ranges::copy_if(series, std::back_inserter(chart.series), [](const auto &s) { return !s.points.empty(); });
}

double cost_for_resolution(const ModelRow &row) {
    return row.chsy / (row.resolution / 1e6);
}

} // namespace

ProductionPlan plan_of(const ScalingStudy &study, const CpmipOptions &o) {
    PlanWish wish = o.wish;
    wish.start_s =
        o.plan_start.empty() ? static_cast<double>(std::time(nullptr)) : plan_date("--start", o.plan_start);
    if (!o.plan_deadline.empty()) wish.deadline_s = plan_date("--deadline", o.plan_deadline);
    if (wish.deadline_s <= wish.start_s) {
        throw cli::WrongUsage(fmt::format("--deadline: {} has passed at the start, {}", utc_in_words(wish.deadline_s),
                                          utc_in_words(wish.start_s)));
    }
    if (o.log_path.empty()) return production_plan(study.points, wish, nullptr, false);
    const JobLog log = jobs_in_log(o, true);
    const std::optional<Overlap> overlap = first_overlap(log.jobs);
    ProductionPlan plan = production_plan(study.points, wish, &log.jobs, overlap.has_value());
    if (overlap) {
        const LoggedJob &a = log.jobs[overlap->earlier], &b = log.jobs[overlap->later];
        plan.remarks.push_back(
            fmt::format("jobs of the log ran side by side, such as {} and {} (lines {} and {}), as "
                        "members of an ensemble do: each waited from its own submission",
                        a.id, b.id, a.line, b.line));
    }
    return plan;
}

std::string plan_as_text(const ScalingStudy &study, const ProductionPlan &plan) {
    const bool energy = std::ranges::any_of(plan.counts, [](const PlannedCount &c) { return is_known(c.energy_J); });
    TextTable table({5, 8});
    table.row({"Cores", "SYPD", "At once", "Run d", "Queue d", "End", "Core hours", energy ? "kWh" : "", ""});
    for (std::size_t i = 0; i < plan.counts.size(); ++i) {
        const PlannedCount &c = plan.counts[i];
        table.row({cores_text(c), short_number(c.point.sypd), count_text(c.side_by_side),
                   short_number(c.run_s / plan_day_s), short_number(c.queued_s / plan_day_s), end_in_words(plan, c),
                   fmt::format("{:.6g}", c.core_hours), energy ? short_number(c.energy_J / plan_kWh_J) : "",
                   plan_marks(plan, i)});
    }
    return fmt::format("Plan of {}: {}, by {}\n{}\n{}\n{}", safe_name(study.name), wish_text(plan.wish),
                       counted(study.runs, "run"), limits_in_words(plan.wish), table.text(), choices(plan)) +
           what_is_missing(plan);
}

std::string plan_as_json(const ScalingStudy &study, const ProductionPlan &plan) {
    const PlanWish &w = plan.wish;
    Json json = {{"schema", "cpl_lb_plan/1"},
                 {"name", study.name},
                 {"runs", study.runs},
                 {"years", w.years},
                 {"members", w.members},
                 {"start", utc_in_words(w.start_s)},
                 {"deadline", Json::text(is_known(w.deadline_s) ? utc_in_words(w.deadline_s) : "")},
                 {"most_core_hours", w.core_hours},
                 {"most_cores", w.most_cores > 0 ? Json(w.most_cores) : Json()},
                 {"chosen_with_queue", plan.with_queue},
                 {"speed", choice_json(plan, plan.speed)},
                 {"why_no_speed", Json::text(plan.why_no_speed)},
                 {"throughput", choice_json(plan, plan.throughput)},
                 {"why_no_throughput", Json::text(plan.why_no_throughput)},
                 {"remarks", plan.remarks},
                 {"counts", Json::array()}};
    for (const PlannedCount &count : plan.counts)
        json["counts"].push_back(count_json(plan, count));
    return json.dump(2) + "\n";
}

std::string plan_as_svg(const ScalingStudy &study, const ProductionPlan &plan) {
    ChartSeries possible{.name = "possible", .points = {}, .line = false, .shape = ChartShape::circle};
    ChartSeries not_possible = possible;
    not_possible.name = "not possible, or too late";
    not_possible.hollow = true;
    not_possible.colour = idle_colour;
    for (const PlannedCount &count : plan.counts) {
        ChartSeries &series = is_offered(count) ? possible : not_possible;
        series.points.push_back(point_of_plan(plan, count, true));
    }
    const double unit = hours_unit(plan);
    SvgChart chart{"Plan of " + short_name(study.name, 30) + ": " + wish_text(plan.wish),
                   {(plan.with_queue ? "days from " : "days of running from ") + day_text(plan.wish.start_s) +
                    (plan.with_queue ? " to the end, with the queue" : ", without the queue")},
                   {unit > 1 ? fmt::format("cost ({} core hours)", decimal_text(unit, 0)) : "cost (core hours)"},
                   {best_of_their_time(plan)}};
    add_those_with_points(chart, {possible, not_possible});
    if (plan.speed) chart.series.push_back(ring_around(plan, *plan.speed, "S, first to end", "#cc2222", 22));
    if (plan.throughput) {
        chart.series.push_back(ring_around(plan, *plan.throughput,
                                           is_known(plan.wish.deadline_s) ? "T, cheapest in time" : "T, cheapest",
                                           "#227733", 16));
    }
    add_limits(chart, plan);
    return svg_of(chart);
}

std::string published_as_svg(const ScalingStudy &study, const std::vector<ModelRow> &published,
                             const std::string &published_in) {
    if (!(study.model.resolution > 0))
        throw FileError(study.name, "--compare-svg needs the grid points: cpl_lb_set_grid, or --resolution");
    ChartSeries speed{"published, for speed (S)", {}, false}, throughput{"published, for throughput (T)", {}, false},
        not_said{"published, mode not said", {}, false}, own{"this model", {}, false};
    speed.colour = throughput.colour = not_said.colour = "#447777";
    speed.shape = throughput.shape = own.shape = ChartShape::square;
    speed.hollow = true;
    own.colour = "#cc2222";
    own.bold = true;
    for (const ModelRow &row : published) {
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
    SvgChart chart{short_name(study.name, 24) + " among " + counted(published.size(), "row") + " of " + published_in,
                   {"core hours / year / million points: less is better", true},
                   {"simulated years / day: more is better", true},
                   {},
                   640,
                   420};
    add_those_with_points(chart, {speed, throughput, not_said, own});
    return svg_of(chart);
}

} // namespace cpl_lb
