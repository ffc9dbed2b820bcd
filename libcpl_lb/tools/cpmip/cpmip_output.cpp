// The output of cpl-lb cpmip: text, json, csv and a figure. The parts of its table come first: the jobs of a log,
// where the time between SYPD and ASYPD went, and the price.
#include "tools/cpmip/cpmip_sources.hpp"

#include "io/json/info_json.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "support/csv_cells.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/reasons.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

using Json = JsonTree;

constexpr std::size_t neighbours = 3;
constexpr const char *coupling_remark =
    "Coupling %: for this run (*) it is the coupling cost C including operations, as in table 1.\n";

std::string mode_in_words(char mode) {
    if (mode == 'S') return " in speed mode (S)";
    return mode == 'T' ? " in throughput mode (T)" : "";
}

std::string standing_in_words(const ModelRow &run, const std::vector<ModelRow> &models) {
    const Standing s = standing(run, models);
    std::string text;
    if (is_known(s.sypd_ratio)) {
        text += fmt::format("At {:.3g} grid points the line through the {} models{} is at {:.3g} SYPD; this run does "
                            "{:.3g}, {} times that. ",
                            run.resolution, s.rows_in_line, mode_in_words(run.mode), s.usual_sypd, run.sypd,
                            decimal_text(s.sypd_ratio, 2));
    }
    if (s.extrapolated) text += "That is outside their range: the line says little there. ";
    if (s.cost_of > 0) {
        text += fmt::format("Core hours for a simulated year and a degree of freedom: number {} of {} from the "
                            "cheapest. ",
                            s.cost_rank, s.cost_of);
    }
    std::string near;
    bool with_modes = false;
    for (std::size_t i = 0; i < std::min(neighbours, s.nearest.size()); ++i) {
        with_modes = with_modes || models[s.nearest[i]].mode != ' ';
        near += (i > 0 ? ", " : "") + model_name(models[s.nearest[i]]);
    }
    if (!near.empty()) text += "Nearest in resolution and complexity: " + safe_name(near);
    if (!near.empty()) text += with_modes ? " (S: run for speed, T: for throughput)." : ".";
    if (text.empty()) text = "The run's resolution is not known (cpl_lb_set_grid): it cannot be placed.";
    return wrapped(text, 80);
}

Json standing_json(const ModelRow &run, const std::vector<ModelRow> &models) {
    const Standing s = standing(run, models);
    Json json = {{"models", models.size()},
                 {"usual_sypd", s.usual_sypd},
                 {"sypd_ratio", s.sypd_ratio},
                 {"models_in_line", s.rows_in_line},
                 {"extrapolated", s.extrapolated},
                 {"cost_rank", s.cost_of > 0 ? Json(s.cost_rank) : Json()},
                 {"cost_of", s.cost_of > 0 ? Json(s.cost_of) : Json()},
                 {"nearest", Json::array()}};
    for (std::size_t i = 0; i < std::min(neighbours, s.nearest.size()); ++i)
        json["nearest"].push_back(model_name(models[s.nearest[i]]));
    return json;
}

// Figures of the job log that are not in the table.
struct LogFigure {
    const char *label, *name; // in text; in json (null: not there)
    double JobLogFigures::*value;
    const char *unit;
    double per = 1;                              // of the unit
    bool of_lost = false, by_autosubmit = false; // shown only if jobs were lost; only of Autosubmit's logs
};
constexpr double hour_s = 3600, day_s = 86400;
constexpr std::array<LogFigure, 9> log_figures = {{
    {"Simulated", "simulated_years", &JobLogFigures::years, "years"},
    {"Run time of the completed jobs", nullptr, &JobLogFigures::wall_s, "hours", hour_s},
    {"Time in the queue of the completed jobs", "queued_s", &JobLogFigures::queued_s, "hours", hour_s},
    {"Time in the queue of the others", "lost_queued_s", &JobLogFigures::lost_queued_s, "hours", hour_s, true},
    {"Core hours of completed jobs", "core_hours", &JobLogFigures::core_hours, "core hours"},
    {"Core hours of the others", "lost_core_hours", &JobLogFigures::lost_core_hours, "core hours", 1, true},
    {"Cost CHSY with the others", "chsy_with_lost", &JobLogFigures::chsy_with_lost, "core hours / simulated year", 1,
     true},
    {"Real speed RSYPD", "rsypd", &JobLogFigures::rsypd, "simulated years / day"},
    {"Actual speed by Autosubmit's formula", "autosubmit_asypd", &JobLogFigures::autosubmit_asypd,
     "simulated years / day", 1, false, true},
}};

std::string job_log_text(const JobLogFigures &f, const std::string &log_of) {
    TextTable table({2});
    const auto count = [&](const char *label, std::size_t jobs) { table.row({label, std::to_string(jobs), ""}); };
    count("Completed jobs", f.completed);
    if (f.lost > 0) count("Jobs that failed or ran again", f.lost);
    if (f.not_yet > 0) count("Jobs that have not ended", f.not_yet);
    for (const LogFigure &figure : log_figures) {
        if ((figure.of_lost && f.lost == 0) || (figure.by_autosubmit && log_of != "Autosubmit")) continue;
        table.row({figure.label, number_text(f.*figure.value / figure.per), figure.unit});
    }
    std::string text = "\nJobs, by the log of " + log_of + "\n\n" + table.text();
    if (!is_known(f.rsypd)) text += "n/a: Real speed RSYPD (" + f.why_no_rsypd + ")\n";
    return text;
}

Json job_log_json(const JobLogFigures &f, const std::string &log_of) {
    Json json = {{"log", log_of}, {"completed", f.completed}, {"lost", f.lost}, {"not_ended", f.not_yet}};
    for (const LogFigure &figure : log_figures) {
        if (figure.name == nullptr) continue;
        json[figure.name] = figure.by_autosubmit && log_of != "Autosubmit" ? unknown : f.*figure.value;
    }
    return json;
}

// Where the time between SYPD and ASYPD went.
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

// Empty without ASYPD.
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
        text +=
            wrapped(fmt::format("Longest pause: after {}, {}, before {}.", job_name(t, longest->after),
                                s < day_s ? duration_in_words(s) : fmt::format("{} days", decimal_text(s / day_s, 1)),
                                job_name(t, longest->before)),
                    80);
    }
    if (t.side_by_side) text += "Jobs ran side by side: each hour counts once.\n";
    ReasonsBelow missing("; ");
    for (const TimeRow &row : rows)
        if (!is_known(row.value_s) && row.is_shown) missing.add(safe_name(row.why_not), row.label);
    return text + missing.text();
}

Json actual_time_json(const ActualTime &t) {
    Json json = {{"whole_s", t.whole_s}, {"side_by_side", t.side_by_side}};
    Json why = Json::object();
    for (const TimeRow &row : time_rows(t)) {
        const bool known = is_known(t.whole_s + row.value_s);
        json[std::string(row.name) + "_s"] = Json::number(known ? row.value_s : unknown);
        if (!known) why[row.name] = t.why_not_cut.empty() ? row.why_not : t.why_not_cut;
    }
    json["pauses"] = Json::array();
    for (const Pause &pause : t.pauses)
        json["pauses"].push_back({{"after", pause.after}, {"before", pause.before}, {"length_s", pause.length_s}});
    const Pause *longest = t.longest_pause();
    json["longest_pause_s"] = Json::number(longest != nullptr ? longest->length_s : unknown);
    json["longest_pause_after"] = Json::text(longest != nullptr ? longest->after : "");
    json["why_not"] = why;
    return json;
}

// A line of names and a line of values, with more columns [hours] at their ends.
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

// Why a price is not known: the reasons of the units that have a price.
std::string why_no_price(const Cost &cost, const Prices &prices) {
    if (is_known(price_of(cost, prices))) return "";
    std::string text;
    for (const auto &[unit, price] : prices) {
        const std::string &why = unit == "cpu"   ? cost.why_no_core_hours
                                 : unit == "gpu" ? cost.why_no_gpu_hours
                                                 : cost.why_no_node_hours;
        if (!why.empty() && text.find(why) == std::string::npos) text += (text.empty() ? "" : "; ") + why;
    }
    return text;
}

// Hours of cores, nodes and GPUs of the components of one run, and their cost at these prices.
std::string price_text(const CoupledRun &run, const Prices &prices) {
    if (prices.empty()) return "";
    const RunCost cost = cost_of(run);
    TextTable table;
    table.row({"Component", "core hours", "node hours", "GPU hours", "price"});
    std::string reasons;
    const auto row = [&](const std::string &name, const Cost &own) {
        table.row({name, Decimal{own.core_hours}, Decimal{own.node_hours}, Decimal{own.gpu_hours},
                   Decimal{price_of(own, prices)}});
        if (const std::string why = why_no_price(own, prices); !why.empty())
            reasons += wrapped("n/a: the price of " + name + " (" + safe_name(why) + ")", text_columns);
    };
    for (std::size_t c = 0; c < run.components.size(); ++c)
        row(table_name(run.components[c]), cost.components[c]);
    row("the run", cost.run);
    return "\nPrice\n" + std::string(rule) + table.text(text_columns) + reasons;
}

Json price_json(const CoupledRun &run, const Prices &prices) {
    const RunCost cost = cost_of(run);
    const auto one = [&](const Cost &own) {
        return Json{{"price", Json::number(price_of(own, prices))},
                    {"why_no_price", Json::text(why_no_price(own, prices))}};
    };
    Json json = one(cost.run);
    json["components"] = Json::object();
    for (std::size_t c = 0; c < run.components.size(); ++c)
        json["components"][run.components[c].name] = one(cost.components[c]);
    return json;
}

} // namespace

std::string figure_text(double value, int digits) {
    return is_known(value) ? fmt::format("{:.{}g}", value, digits) : "n/a";
}

std::string cpmip_as_csv(const CpmipOutput &output) {
    const std::string csv = csv_names() + csv_of(row_of(output.run, output.name, output.mode));
    return is_known(output.run.cpmip.asypd) ? with_time_columns(csv, output.time) : csv;
}

std::string cpmip_as_es_doc(const CpmipOutput &output) {
    Json json = es_doc_json(output.run, output.name, output.nodes);
    if (output.tree) json["subcomponent_performance"] = tree_json(*output.tree)["subcomponent_performance"];
    return json.dump(2) + "\n";
}

std::vector<ModelRow> rows_with_run(const CpmipOutput &output) {
    std::vector<ModelRow> rows = output.models;
    rows.push_back(row_of(output.run, output.name, output.mode));
    return rows;
}

std::string cpmip_as_text(const CpmipOutput &output) {
    const std::string name = output.name.empty() ? output.run.run.id : output.name;
    std::string text = "CPMIP metrics (Balaji et al. 2017) of " + safe_name(name) + mode_in_words(output.mode);
    text += output.jobs > 1 ? fmt::format(", {} jobs\n\n", output.jobs) : "\n\n";
    text += cpmip_text(output.run);
    if (output.log) text += job_log_text(*output.log, output.log_of);
    text += actual_time_text(output.time);
    if (output.tree) text += realm_text(*output.tree);
    text += price_text(output.run, output.prices);
    text += notes_text(output.remarks);
    if (output.models.empty()) return text;
    const std::vector<ModelRow> rows = rows_with_run(output);
    return text + "\n" + model_table(rows) + coupling_remark + "\n" + standing_in_words(rows.back(), output.models);
}

std::string cpmip_as_json(const CpmipOutput &output) {
    const CoupledRun &run = output.run;
    Json json;
    json["schema"] = "cpl_lb_cpmip/1";
    json["name"] = output.name.empty() ? run.run.id : output.name;
    json["mode"] = output.mode == ' ' ? Json() : Json(std::string(1, output.mode));
    json["jobs"] = output.jobs;
    json["simulated_s"] = run.run.simulated_s;
    json["wall_s"] = run.run.wall_s;
    json["cpmip"] = cpmip_json(run.cpmip);
    json["platform"] = platform_json(run.run.platform_facts);
    Json why = Json::object();
    for (const CpmipRow &row : cpmip_rows(run))
        if (!is_known(row.value)) why[row.label] = row.why_not;
    json["why_not"] = why;
    json["remarks"] = output.remarks;
    if (output.log) json["job_log"] = job_log_json(*output.log, output.log_of);
    if (is_known(run.cpmip.asypd)) json["actual_time"] = actual_time_json(output.time);
    if (output.tree) json["toplevel"] = tree_json(*output.tree);
    if (!output.prices.empty()) json["price"] = price_json(run, output.prices);
    if (!output.models.empty())
        json["standing"] = standing_json(row_of(run, output.name, output.mode), output.models);
    return json.dump(2) + "\n";
}

} // namespace cpl_lb
