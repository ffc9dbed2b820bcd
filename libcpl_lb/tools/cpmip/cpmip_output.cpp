// The output of cpl-lb cpmip: text, json, csv and a figure.
#include "tools/cpmip/cpmip_sources.hpp"

#include "io/json/info_json.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/text_sections.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/actual_time_output.hpp"

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
                            "{:.3g}, {:.2f} times that. ",
                            run.resolution, s.rows_in_line, mode_in_words(run.mode), s.usual_sypd, run.sypd,
                            s.sypd_ratio);
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
std::string job_log_text(const JobLogFigures &f, const std::string &log_of) {
    TextTable table({2});
    const auto row = [&](const char *label, double value, const char *unit) {
        table.row({label, number_text(value), unit});
    };
    table.row({"Completed jobs", count_text(static_cast<std::int64_t>(f.completed)), ""});
    if (f.lost > 0) table.row({"Jobs that failed or ran again", count_text(static_cast<std::int64_t>(f.lost)), ""});
    if (f.not_yet > 0) table.row({"Jobs that have not ended", count_text(static_cast<std::int64_t>(f.not_yet)), ""});
    row("Simulated", f.years, "years");
    row("Run time of the completed jobs", f.wall_s / 3600, "hours");
    row("Time in the queue of the completed jobs", f.queued_s / 3600, "hours");
    if (f.lost > 0) row("Time in the queue of the others", f.lost_queued_s / 3600, "hours");
    row("Core hours of completed jobs", f.core_hours, "core hours");
    if (f.lost > 0) {
        row("Core hours of the others", f.lost_core_hours, "core hours");
        row("Cost CHSY with the others", f.chsy_with_lost, "core hours / simulated year");
    }
    row("Real speed RSYPD", f.rsypd, "simulated years / day");
    if (log_of == "Autosubmit")
        row("Actual speed by Autosubmit's formula", f.autosubmit_asypd, "simulated years / day");
    std::string text = "\nJobs, by the log of " + log_of + "\n\n" + table.text();
    if (!is_known(f.rsypd)) text += "n/a: Real speed RSYPD (" + f.why_no_rsypd + ")\n";
    return text;
}

Json job_log_json(const JobLogFigures &f, const std::string &log_of) {
    return {{"log", log_of},
            {"completed", f.completed},
            {"lost", f.lost},
            {"not_ended", f.not_yet},
            {"simulated_years", f.years},
            {"queued_s", f.queued_s},
            {"lost_queued_s", f.lost_queued_s},
            {"core_hours", f.core_hours},
            {"lost_core_hours", f.lost_core_hours},
            {"chsy_with_lost", f.chsy_with_lost},
            {"rsypd", f.rsypd},
            {"autosubmit_asypd", log_of == "Autosubmit" ? JsonTree(f.autosubmit_asypd) : Json()}};
}

} // namespace

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
    for (const std::string &remark : output.remarks)
        text += wrapped("Note: " + safe_name(remark), 80);
    if (output.carbon) text += carbon_text(*output.carbon);
    if (output.models.empty()) return text;
    const std::vector<ModelRow> rows = rows_with_run(output);
    return text + "\n" + model_table(rows) + coupling_remark + "\n" + model_plot_text(rows) + "\n" +
           standing_in_words(rows.back(), output.models);
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
    if (output.carbon) json["carbon"] = carbon_json(*output.carbon);
    if (!output.models.empty())
        json["standing"] = standing_json(row_of(run, output.name, output.mode), output.models);
    return json.dump(2) + "\n";
}

} // namespace cpl_lb
