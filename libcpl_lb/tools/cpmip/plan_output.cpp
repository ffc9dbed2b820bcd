// A production plan from the options, in words and as json.
#include "tools/cpmip/plan_output.hpp"

#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

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
    return is_known(value) ? fmt::format("{:.4g}", value) : "n/a";
}

bool knows_queue(const PlannedCount &count) {
    return is_known(count.queued_s);
}

// Without the queue it ends later than that.
double end_s(const ProductionPlan &plan, const PlannedCount &count) {
    return plan.wish.start_s + count.run_s + (knows_queue(count) ? count.queued_s : 0);
}

std::string end_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    return (knows_queue(count) ? "" : "after ") + plan_day_text(end_s(plan, count));
}

const char *word_of(InTime in_time) {
    switch (in_time) {
    case InTime::not_asked:
        return "";
    case InTime::yes:
        return "in time";
    case InTime::close:
        return "close";
    case InTime::open:
        return "open";
    case InTime::no:
        return "too late";
    }
    return "";
}

std::string plan_marks(const ProductionPlan &plan, std::size_t i) {
    const PlannedCount &count = plan.counts[i];
    std::string marks = plan.speed == i ? "S" : "";
    const auto add = [&](const std::string &word) {
        if (!word.empty()) marks += (marks.empty() ? "" : ", ") + word;
    };
    if (plan.throughput == i) add("T");
    if (count.too_many_cores) add("too many cores");
    if (count.too_costly) add("too costly");
    if (count.in_time == InTime::no || (count.is_possible() && count.in_time != InTime::yes))
        add(word_of(count.in_time));
    return marks;
}

std::string members_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    const std::int64_t members = plan.wish.members;
    if (members == 1) return "";
    const double cores = static_cast<double>(count.side_by_side) * count.point.cores;
    if (count.turns == 1) return fmt::format(" the {} members side by side on {:.0f} cores,", members, cores);
    if (count.side_by_side == 1) return fmt::format(" the {} members in turn,", members);
    return fmt::format(" {} members side by side on {:.0f} cores, in {} turns,", count.side_by_side, cores,
                       count.turns);
}

std::string choice_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    const std::string split = count.point.name.empty() ? "" : " (" + safe_name(count.point.name) + ")";
    std::string text = fmt::format("{} cores{}:{} {} days of running", plan_cores_text(count), split,
                                   members_in_words(plan, count), short_number(count.run_s / plan_day_s));
    if (count.between)
        text += fmt::format(" (+- {} % by the curve)",
                            is_known(count.uncertainty) ? fmt::format("{:.2g}", 100 * count.uncertainty) : "n/a");
    if (knows_queue(count)) {
        text += fmt::format(
            " and {} +- {} in the queue ({} for each member)", short_number(count.queued_s / plan_day_s),
            is_known(count.queued_error_s) ? fmt::format("{:.2g}", count.queued_error_s / plan_day_s) : "n/a",
            counted(count.jobs, "job"));
    }
    return text + fmt::format(", ends {}, {:.6g} core hours.", end_in_words(plan, count), count.core_hours);
}

std::string in_time_in_words(const ProductionPlan &plan, const PlannedCount &count) {
    const std::string deadline = utc_in_words(plan.wish.deadline_s);
    switch (count.in_time) {
    case InTime::not_asked:
    case InTime::yes:
        return "";
    case InTime::close:
        return " That is so close to the deadline that the scatter decides.";
    case InTime::open:
        return " Whether that is in time is open: the queue is not known.";
    case InTime::no:
        return " The deadline is " + deadline + ": too late.";
    }
    return "";
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

// The counts, each once.
void add_count(std::string &list, const PlannedCount &count) {
    const std::string cores = plan_cores_text(count);
    if (list.empty())
        list = cores;
    else if (list != cores && !list.ends_with(", " + cores))
        list += ", " + cores;
}

// Each reason once, with its counts.
std::string missing_queues(const ProductionPlan &plan) {
    std::vector<std::pair<std::string, std::string>> reasons; // and counts
    for (const PlannedCount &count : plan.counts) {
        if (count.why_no_queue.empty()) continue;
        auto same = std::find_if(reasons.begin(), reasons.end(),
                                 [&](const auto &r) { return r.first == count.why_no_queue; });
        if (same == reasons.end()) same = reasons.insert(reasons.end(), {count.why_no_queue, ""});
        add_count(same->second, count);
    }
    std::string text;
    for (const auto &[why, counts] : reasons)
        text += wrapped(fmt::format("n/a: the time in the queue on {} cores ({})", counts, why), 80);
    return text;
}

std::string what_is_missing(const ProductionPlan &plan) {
    std::string text = missing_queues(plan), without;
    for (const PlannedCount &count : plan.counts)
        if (!is_known(count.energy_J)) add_count(without, count);
    if (!without.empty()) text += wrapped("n/a: the energy on " + without + " cores (AJPSY was not measured)", 80);
    if (plan.wish.members > 1 && plan.wish.most_cores == 0)
        text += "Note: no --cores is given, so all members run side by side\n";
    if (plan.speed && !plan.with_queue && std::any_of(plan.counts.begin(), plan.counts.end(), knows_queue))
        text += wrapped("Note: S is chosen by the time of running alone, because not all queues are known", 80);
    for (const std::string &remark : plan.remarks)
        text += wrapped("Note: " + remark, 80);
    return text;
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

} // namespace

std::string plan_day_text(double unix_s) {
    const std::string text = utc_in_words(unix_s);
    return text.empty() ? "n/a" : text.substr(0, text.find('T'));
}

std::string plan_cores_text(const PlannedCount &count) {
    return fmt::format("{}{:.0f}", count.between ? "~" : "", count.point.cores);
}

std::string plan_wish_text(const PlanWish &w) {
    std::string text = fmt::format("{:g} {}", w.years, word_for(w.years, "year"));
    return w.members > 1 ? text + fmt::format(" x {} members", w.members) : text;
}

double plan_date(const std::string &option, const std::string &text) {
    const std::optional<double> time = unix_seconds_of_iso8601(text);
    const std::optional<double> day = time ? time : unix_seconds_of_iso8601(text + "T00:00:00Z");
    if (!day) throw cli::WrongUsage(fmt::format("{}: not a date like 2027-03-01: {}", option, text));
    return *day;
}

ProductionPlan plan_of(const ScalingStudy &study, const CpmipOptions &o) {
    PlanWish wish;
    wish.years = o.plan_years;
    wish.members = o.plan_members;
    wish.core_hours = o.plan_core_hours;
    wish.most_cores = o.plan_cores;
    wish.start_s =
        o.plan_start.empty() ? static_cast<double>(std::time(nullptr)) : plan_date("--start", o.plan_start);
    if (!o.plan_deadline.empty()) wish.deadline_s = plan_date("--deadline", o.plan_deadline);
    if (wish.deadline_s <= wish.start_s) {
        throw cli::WrongUsage(fmt::format("--deadline: {} has passed at the start, {}", utc_in_words(wish.deadline_s),
                                          utc_in_words(wish.start_s)));
    }
    if (o.format == nullptr) return production_plan(study.points, wish, nullptr, false);
    std::vector<LoggedJob> jobs = jobs_in_log(o, true);
    refuse_empty_jobs(o.log_path, jobs);
    enter_simulated_years(jobs, o.simulated_per_job);
    return production_plan(study.points, wish, &jobs, o.ensemble);
}

std::string plan_as_text(const PlanAnswer &answer) {
    const ProductionPlan &plan = answer.plan;
    const bool energy = std::any_of(plan.counts.begin(), plan.counts.end(),
                                    [](const PlannedCount &c) { return is_known(c.energy_J); });
    TextTable table({5, 8});
    table.row({"Cores", "SYPD", "At once", "Run d", "Queue d", "End", "Core hours", energy ? "kWh" : "", ""});
    for (std::size_t i = 0; i < plan.counts.size(); ++i) {
        const PlannedCount &c = plan.counts[i];
        table.row({plan_cores_text(c), short_number(c.point.sypd), count_text(c.side_by_side),
                   short_number(c.run_s / plan_day_s), short_number(c.queued_s / plan_day_s), end_in_words(plan, c),
                   fmt::format("{:.6g}", c.core_hours), energy ? short_number(c.energy_J / plan_kWh_J) : "",
                   plan_marks(plan, i)});
    }
    return fmt::format("Plan of {}: {}, by {}\n{}\n{}\n{}", safe_name(answer.study.name), plan_wish_text(plan.wish),
                       counted(answer.study.runs, "run"), limits_in_words(plan.wish), table.text(), choices(plan)) +
           what_is_missing(plan);
}

std::string plan_as_json(const PlanAnswer &answer) {
    const ProductionPlan &plan = answer.plan;
    const PlanWish &w = plan.wish;
    Json json = {{"schema", "cpl_lb_plan/1"},
                 {"name", answer.study.name},
                 {"runs", answer.study.runs},
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

} // namespace cpl_lb
