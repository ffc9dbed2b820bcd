#include "io/info_json.hpp"

#include "analysis/cpmip.hpp"
#include "io/annotations_json.hpp"
#include "io/cpmip_json.hpp"
#include "io/meters_json.hpp"

#include <array>
#include <map>

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json not_negative(std::int64_t value) {
    return value < 0 ? Json(nullptr) : Json(value);
}

Json run_json(const CoupledRun &run) {
    const RunInfo &info = run.run;
    Json json;
    json["id"] = Json::text(info.id);
    json["submitted"] = Json::text(info.submitted);
    json["started"] = Json::text(info.started);
    json["ended"] = Json::text(info.ended);
    json["wall_s"] = Json::number(info.wall_s);
    json["simulated_s"] = Json::number(info.simulated_s);
    json["sypd"] = Json::number(run.cpmip.sypd);
    json["chsy"] = Json::number(run.cpmip.chsy);
    json["cores"] = info.cores > 0 ? Json(info.cores) : Json(nullptr);
    json["processes"] = info.processes;
    json["waiting_share"] = Json::number(run.balance.waiting_share);
    json["gain_s"] = Json::number(run.balance.gain_s);
    json["cores_from"] = Json::text(info.cores_from);
    json["year_days"] = Json::number(info.year_days);
    json["platform"] = platform_json(info.platform_facts);
    return json;
}

Json phase_json(const Phase &phase) {
    return Json{{"length_s", Json::number(phase.length_s)},
                {"waiting_s", Json::number(phase.waiting_s)},
                {"output_s", Json::number(phase.output_s)},
                {"restart_s", Json::number(phase.restart_s)}};
}

// The names are keys, so components of the same name (or a counterpart not known) add up.
Json waiting_for_json(const CoupledRun &run, const ComponentBalance &balance) {
    std::map<std::string, std::array<double, 2>> sums;
    for (const WaitingFor &part : balance.waiting_for) {
        std::array<double, 2> &sum = sums[run.component_name(part.component)];
        sum[0] += part.get_s;
        sum[1] += part.put_s;
    }
    Json json = Json::object();
    for (const WaitingFor &part : balance.waiting_for) {
        const std::string &name = run.component_name(part.component);
        json[name] = {{"get_s", Json::number(sums[name][0])}, {"put_s", Json::number(sums[name][1])}};
    }
    return json;
}

Json properties_json(const ComponentProperties &given) {
    Json json;
    json["horizontal_points"] = not_negative(given.horizontal_points);
    json["levels"] = not_negative(given.levels);
    json["dx_km"] = Json::number(given.dx_km);
    json["dz_km"] = Json::number(given.dz_km);
    json["complexity"] = Json::number(given.complexity);
    json["state_B"] = Json::number(given.state_B);
    json["output_B"] = Json::number(given.output_B);
    json["is_io_server"] = given.is_io_server;
    return json;
}

Json regions_json(const std::vector<RegionSummary> &regions) {
    Json json = Json::array();
    for (const RegionSummary &region : regions) {
        json.push_back({{"name", region.name},
                        {"calls", region.calls},
                        {"processes", region.processes},
                        {"min_s", Json::number(region.min_s)},
                        {"mean_s", Json::number(region.mean_s)},
                        {"max_s", Json::number(region.max_s)}});
        add_region_meters(json.back(), region);
        add_annotations(json.back(), region);
    }
    return json;
}

Json spread_json(const StepRange &spread) {
    return Json{{"min_s", Json::number(spread.min_s)},
                {"median_s", Json::number(spread.median_s)},
                {"max_s", Json::number(spread.max_s)}};
}

// Columns instead of an object for each step: long runs have many steps.
Json steps_json(const ComponentBalance &balance) {
    Json json;
    json["count"] = balance.step_count;
    json["group"] = balance.steps.empty() ? 1 : balance.steps.front().steps;
    json["spread"] = {{"computing", spread_json(balance.step_spread.computing)},
                      {"waiting", spread_json(balance.step_spread.waiting)},
                      {"jitter", spread_json(balance.step_spread.jitter)}};
    for (const char *name : {"start_s", "length_s", "computing_s", "waiting_s", "jitter_s", "date"})
        json[name] = Json::array();
    for (const Step &step : balance.steps) {
        json["start_s"].push_back(Json::number(step.start_s));
        json["length_s"].push_back(Json::number(step.length_s));
        json["computing_s"].push_back(Json::number(step.computing_s));
        json["waiting_s"].push_back(Json::number(step.waiting_s));
        json["jitter_s"].push_back(Json::number(step.jitter_s));
        if (balance.has_dates) json["date"].push_back(step.date);
    }
    if (balance.step_count <= static_cast<std::int64_t>(balance.steps.size())) return json;
    for (const Step &step : balance.steps) {
        json["max_computing_s"].push_back(Json::number(step.max_computing_s));
        json["max_waiting_s"].push_back(Json::number(step.max_waiting_s));
        json["max_jitter_s"].push_back(Json::number(step.max_jitter_s));
    }
    return json;
}

// The critical path, and the split of the cores behind run.gain_s.
Json balance_json(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    const std::string slow = b.slow_side == 0 ? std::string() : run.component_name(b.slow_side);
    Json cores = Json::object();
    for (std::size_t c = 0; c < b.best_cores.size() && c < run.components.size(); ++c)
        if (b.best_cores[c] > 0) cores[run.components[c].name] = b.best_cores[c];
    return {{"slow_side", Json::text(slow)},
            {"loop_s", Json::number(b.loop_s)},
            {"critical_s", Json::number(b.on_path_s)},
            {"changes", b.changes},
            {"examined", Json::number(b.examined)},
            {"left_out", b.left_out},
            {"why_no_path", Json::text(b.why_no_path)},
            {"best_s", Json::number(b.best_s)},
            {"best_cores", b.best_cores.empty() ? Json(nullptr) : cores},
            {"why_no_gain", Json::text(b.why_no_gain)}};
}

void add_balance(Json &json, const CoupledRun &run, const ComponentBalance &b) {
    json["loop_s"] = Json::number(b.loop_s);
    json["computing_s"] = Json::number(b.computing_s);
    json["waiting_s"] = Json::number(b.waiting_s);
    json["away_s"] = Json::number(b.away_s);
    json["waiting_for"] = waiting_for_json(run, b);
    json["jitter_s"] = Json::number(b.jitter_s);
    json["imbalance_s"] = Json::number(b.imbalance_s);
    json["startup_s"] = Json::number(b.startup.length_s);
    json["shutdown_s"] = Json::number(b.shutdown.length_s);
    json["coupling_cost"] = Json::number(b.coupling_cost);
    json["coupling_cost_with_operations"] = Json::number(b.coupling_cost_with_operations);
    json["mapping_s"] = Json::number(b.mapping_s);
    json["mapping_spread_s"] = Json::number(b.mapping_spread_s);
    json["output_s"] = Json::number(b.output_s);
    json["output_spread_s"] = Json::number(b.output_spread_s);
    json["restart_s"] = Json::number(b.restart_s);
    json["restart_spread_s"] = Json::number(b.restart_spread_s);
    json["critical_share"] = Json::number(b.critical_share);
    json["idle_s"] = Json::number(b.idle_s);
    json["is_io_server"] = b.is_io_server;
}

void add_more_balance(Json &json, const ComponentBalance &b, InfoDetail detail) {
    json["startup"] = phase_json(b.startup);
    json["shutdown"] = phase_json(b.shutdown);
    json["whole_waiting_s"] = Json::number(b.whole_waiting_s);
    json["whole_waiting_and_operations_s"] = Json::number(b.whole_waiting_and_operations_s);
    json["whole_away_s"] = Json::number(b.whole_away_s);
    json["why_no_window"] = Json::text(b.why_no_window);
    if (detail == InfoDetail::all) json["steps"] = steps_json(b);
}

Json component_json(const CoupledRun &run, const Component &c, InfoDetail detail) {
    Json json;
    json["name"] = c.name;
    json["id"] = c.id;
    json["processes"] = c.ranks.size();
    json["wall_s"] = Json::number(c.wall_s());
    json["chsy"] = Json::number(component_chsy(run, c));
    add_balance(json, run, c.balance);
    json["events"] = c.events;
    json["dropped_events"] = c.dropped_events;
    json["hwm_B"] = Json::number(c.meters.hwm_B.sum);
    json["energy_J"] = Json::number(c.meters.energy_J);
    json["threads"] = c.threads;
    if (detail == InfoDetail::all) json["ranks"] = c.ranks;
    json["init_s"] = Json::number(to_seconds(c.first_init));
    json["terminate_s"] = Json::number(to_seconds(c.last_terminate));
    add_more_balance(json, c.balance, detail);
    json["given"] = properties_json(c.properties);
    json["regions"] = regions_json(c.regions);
    add_annotations(json, c);
    add_component_meters(json, c.meters);
    return json;
}

} // namespace

JsonTree info_tree(const CoupledRun &run, InfoDetail detail) {
    Json json;
    json["schema"] = "cpl_lb/1";
    json["run"] = run_json(run);
    json["components"] = Json::array();
    for (const Component &component : run.components)
        json["components"].push_back(component_json(run, component, detail));
    json["balance"] = balance_json(run);
    json["cpmip"] = cpmip_json(run.cpmip);
    json["clock"] = {{"error_bound_s", Json::number(run.clock.error_bound_s)},
                     {"order_violations", not_negative(run.clock.order_violations)},
                     {"source", Json::text(run.clock.source)},
                     {"nodes", run.clock.nodes}};
    json["analysis_s"] = Json::number(run.analysis_s);
    json["component_names"] = run.component_names;
    json["field_names"] = run.field_names;
    json["remarks"] = run.remarks;
    json["meters"] = run_meters_json(run.meters);
    return json;
}

std::string info_json(const CoupledRun &run, InfoDetail detail) {
    return info_tree(run, detail).dump(2) + "\n";
}

} // namespace cpl_lb
