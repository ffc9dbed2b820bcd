// Where the time between SYPD and ASYPD went, as text, json and columns of csv.
#include "tools/cpmip/actual_time_output.hpp"

#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double hour_s = 3600, day_s = 86400;

struct TimeRow {
    const char *label, *name; // in text; in json and csv
    double value_s;
    std::string why_not;
    bool is_shown = true; // in the text
};

std::vector<TimeRow> time_rows(const ActualTime &t) {
    const std::string no_results = "results tell nothing of jobs: their time is in the queue and in the pauses";
    const std::string no_submission =
        "it is not known when " + t.not_told_before + " was submitted" +
        (t.only_the_model ? ": CPL_LB_SUBMITTED in each job, or a job log, tells it" : "");
    const bool told = t.not_told_before.empty();
    const auto of_jobs = [&](double value) { return t.only_the_model ? unknown : value; };
    return {{"In the model", "in_model", t.in_model_s, t.why_no_model},
            {"Outside the model, in jobs that completed", "outside_model", t.outside_model_s,
             t.only_the_model ? no_results : t.why_no_model},
            {"In jobs that completed", "completed_jobs", of_jobs(t.ran_s), no_results, !is_known(t.in_model_s)},
            {"In jobs that failed or ran again", "failed_jobs", of_jobs(t.failed_s), no_results},
            {"Suspended", "suspended", of_jobs(t.suspended_s), no_results, t.suspended_s > 0},
            {"In the queue", "queue", told ? t.queued_s : unknown, no_submission},
            {"In other jobs of the log", "other_jobs", of_jobs(t.other_jobs_s), no_results, t.other_jobs_s > 0},
            {"Pauses between jobs", "pauses", told ? t.pauses_s : unknown, no_submission},
            {"In the queue or in pauses", "queue_or_pauses", t.queue_or_pauses_s(), "", !told}};
}

std::string job_name(const ActualTime &t, const std::string &id) {
    return (t.only_the_model ? "" : "job ") + safe_name(id);
}

// Figures that are n/a: each reason once.
std::string reasons(const std::vector<TimeRow> &rows) {
    std::vector<std::pair<std::string, std::string>> missing;
    for (const TimeRow &row : rows) {
        if (is_known(row.value_s) || !row.is_shown) continue;
        const auto same =
            std::find_if(missing.begin(), missing.end(), [&](const auto &m) { return m.first == row.why_not; });
        if (same == missing.end())
            missing.emplace_back(row.why_not, row.label);
        else
            same->second += std::string("; ") + row.label;
    }
    std::string text;
    for (const auto &[why, labels] : missing)
        text += wrapped("n/a: " + labels + " (" + safe_name(why) + ")", 80);
    return text;
}

} // namespace

std::string actual_time_text(const ActualTime &t) {
    const std::string title = "\nFrom the first submission to the last result (ASYPD)\n\n";
    if (!t.why_not_cut.empty()) return title + wrapped("n/a: " + safe_name(t.why_not_cut), 80);
    if (!is_known(t.whole_s)) return "";
    const std::vector<TimeRow> rows = time_rows(t);
    TextTable table({2});
    const auto enter = [&](const char *label, double value_s) {
        table.row({label, number_text(value_s / hour_s), "hours", per_cent_text(value_s / t.whole_s) + " %"});
    };
    for (const TimeRow &row : rows)
        if (row.is_shown && is_known(row.value_s)) enter(row.label, row.value_s);
    enter("All", t.whole_s);
    std::string text = title + table.text();
    if (const Pause *longest = t.longest_pause()) {
        const double s = longest->length_s;
        text += wrapped(fmt::format("Longest pause: after {}, {}, before {}.", job_name(t, longest->after),
                                    s < day_s ? duration_in_words(s) : fmt::format("{:.1f} days", s / day_s),
                                    job_name(t, longest->before)),
                        80);
    }
    if (t.side_by_side) text += "Jobs ran side by side: each hour counts once.\n";
    return text + reasons(rows);
}

JsonTree actual_time_json(const ActualTime &t) {
    JsonTree json = {{"whole_s", t.whole_s}, {"side_by_side", t.side_by_side}};
    JsonTree why = JsonTree::object();
    for (const TimeRow &row : time_rows(t)) {
        const bool known = is_known(t.whole_s + row.value_s);
        json[std::string(row.name) + "_s"] = JsonTree::number(known ? row.value_s : unknown);
        if (!known) why[row.name] = t.why_not_cut.empty() ? row.why_not : t.why_not_cut;
    }
    json["pauses"] = JsonTree::array();
    for (const Pause &pause : t.pauses)
        json["pauses"].push_back({{"after", pause.after}, {"before", pause.before}, {"length_s", pause.length_s}});
    const Pause *longest = t.longest_pause();
    json["longest_pause_s"] = JsonTree::number(longest != nullptr ? longest->length_s : unknown);
    json["longest_pause_after"] = JsonTree::text(longest != nullptr ? longest->after : "");
    json["why_not"] = why;
    return json;
}

std::string with_time_columns(const std::string &csv, const ActualTime &t) {
    const auto field = [](double s) { return is_known(s) ? fmt::format(",{:.6g}", s / hour_s) : ","; };
    std::string names = ",ASYPD_whole_h", values = field(t.whole_s);
    for (const TimeRow &row : time_rows(t)) {
        names += fmt::format(",ASYPD_{}_h", row.name);
        values += field(is_known(t.whole_s) ? row.value_s : unknown);
    }
    const Pause *longest = t.longest_pause();
    names += ",ASYPD_longest_pause_h,ASYPD_longest_pause_after";
    values += field(longest != nullptr ? longest->length_s : unknown) + "," +
              (longest != nullptr ? csv_cell(longest->after) : "");
    const std::size_t first_end = csv.find('\n');
    return csv.substr(0, first_end) + names + csv.substr(first_end, csv.size() - 1 - first_end) + values + "\n";
}

} // namespace cpl_lb
