#include "io/info_json.hpp"

#include "analysis/cpmip.hpp"
#include "io/annotations_json.hpp"
#include "io/cpmip_json.hpp"
#include "io/json_value.hpp"
#include "io/meters_json.hpp"

#include <nlohmann/json.hpp>

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

Json not_negative(std::int64_t value) {
    return value < 0 ? Json(nullptr) : Json(value);
}

Json run_json(const CoupledRun &run) {
    const RunInfo &info = run.run;
    Json json;
    json["id"] = json_text(info.id);
    json["submitted"] = json_text(info.submitted);
    json["started"] = json_text(info.started);
    json["ended"] = json_text(info.ended);
    json["wall_s"] = json_number(info.wall_s);
    json["simulated_s"] = json_number(info.simulated_s);
    json["sypd"] = json_number(run.cpmip.sypd);
    json["chsy"] = json_number(run.cpmip.chsy);
    json["cores"] = info.cores > 0 ? Json(info.cores) : Json(nullptr);
    json["processes"] = info.processes;
    json["cores_from"] = json_text(info.cores_from);
    json["year_days"] = json_number(info.year_days);
    json["platform"] = platform_json(info.platform_facts);
    return json;
}

Json phase_json(const Phase &phase) {
    return Json{{"length_s", json_number(phase.length_s)},
                {"waiting_s", json_number(phase.waiting_s)},
                {"output_s", json_number(phase.output_s)},
                {"restart_s", json_number(phase.restart_s)}};
}

// The names are keys, so components of the same name (or a counterpart not known) add up.
Json waiting_for_json(const CoupledRun &run, const ComponentBalance &balance) {
    Json json = Json::object();
    for (const WaitingFor &part : balance.waiting_for) {
        Json &entry = json[run.component_name(part.component)];
        if (entry.is_null()) entry = {{"get_s", 0.0}, {"put_s", 0.0}};
        entry["get_s"] = entry["get_s"].get<double>() + part.get_s;
        entry["put_s"] = entry["put_s"].get<double>() + part.put_s;
    }
    return json;
}

Json properties_json(const ComponentProperties &given) {
    Json json;
    json["horizontal_points"] = not_negative(given.horizontal_points);
    json["levels"] = not_negative(given.levels);
    json["dx_km"] = json_number(given.dx_km);
    json["dz_km"] = json_number(given.dz_km);
    json["complexity"] = json_number(given.complexity);
    json["state_B"] = json_number(given.state_B);
    json["output_B"] = json_number(given.output_B);
    json["is_io_server"] = given.is_io_server;
    return json;
}

Json regions_json(const std::vector<RegionSummary> &regions) {
    Json json = Json::array();
    for (const RegionSummary &region : regions) {
        json.push_back({{"name", region.name},
                        {"calls", region.calls},
                        {"processes", region.processes},
                        {"min_s", json_number(region.min_s)},
                        {"mean_s", json_number(region.mean_s)},
                        {"max_s", json_number(region.max_s)}});
        add_region_meters(json.back(), region);
        add_annotations(json.back(), region);
    }
    return json;
}

Json spread_json(const StepRange &spread) {
    return Json{{"min_s", json_number(spread.min_s)},
                {"median_s", json_number(spread.median_s)},
                {"max_s", json_number(spread.max_s)}};
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
        json["start_s"].push_back(json_number(step.start_s));
        json["length_s"].push_back(json_number(step.length_s));
        json["computing_s"].push_back(json_number(step.computing_s));
        json["waiting_s"].push_back(json_number(step.waiting_s));
        json["jitter_s"].push_back(json_number(step.jitter_s));
        if (balance.has_dates) json["date"].push_back(step.date);
    }
    if (balance.step_count <= static_cast<std::int64_t>(balance.steps.size())) return json;
    for (const Step &step : balance.steps) {
        json["max_computing_s"].push_back(json_number(step.max_computing_s));
        json["max_waiting_s"].push_back(json_number(step.max_waiting_s));
        json["max_jitter_s"].push_back(json_number(step.max_jitter_s));
    }
    return json;
}

void add_balance(Json &json, const CoupledRun &run, const ComponentBalance &b) {
    json["loop_s"] = json_number(b.loop_s);
    json["computing_s"] = json_number(b.computing_s);
    json["waiting_s"] = json_number(b.waiting_s);
    json["away_s"] = json_number(b.away_s);
    json["waiting_for"] = waiting_for_json(run, b);
    json["jitter_s"] = json_number(b.jitter_s);
    json["imbalance_s"] = json_number(b.imbalance_s);
    json["startup_s"] = json_number(b.startup.length_s);
    json["shutdown_s"] = json_number(b.shutdown.length_s);
    json["coupling_cost"] = json_number(b.coupling_cost);
    json["coupling_cost_with_operations"] = json_number(b.coupling_cost_with_operations);
    json["mapping_s"] = json_number(b.mapping_s);
    json["mapping_spread_s"] = json_number(b.mapping_spread_s);
    json["output_s"] = json_number(b.output_s);
    json["output_spread_s"] = json_number(b.output_spread_s);
    json["restart_s"] = json_number(b.restart_s);
    json["restart_spread_s"] = json_number(b.restart_spread_s);
}

void add_more_balance(Json &json, const ComponentBalance &b, InfoDetail detail) {
    json["startup"] = phase_json(b.startup);
    json["shutdown"] = phase_json(b.shutdown);
    json["whole_waiting_s"] = json_number(b.whole_waiting_s);
    json["whole_waiting_and_operations_s"] = json_number(b.whole_waiting_and_operations_s);
    json["whole_away_s"] = json_number(b.whole_away_s);
    json["why_no_window"] = json_text(b.why_no_window);
    if (detail == InfoDetail::all) json["steps"] = steps_json(b);
}

Json component_json(const CoupledRun &run, const Component &c, InfoDetail detail) {
    Json json;
    json["name"] = c.name;
    json["id"] = c.id;
    json["processes"] = c.ranks.size();
    json["wall_s"] = json_number(c.wall_s());
    json["chsy"] = json_number(component_chsy(run, c));
    add_balance(json, run, c.balance);
    json["events"] = c.events;
    json["dropped_events"] = c.dropped_events;
    json["hwm_B"] = json_number(c.meters.hwm_B.sum);
    json["energy_J"] = json_number(c.meters.energy_J);
    json["threads"] = c.threads;
    if (detail == InfoDetail::all) json["ranks"] = c.ranks;
    json["init_s"] = json_number(to_seconds(c.first_init));
    json["terminate_s"] = json_number(to_seconds(c.last_terminate));
    add_more_balance(json, c.balance, detail);
    json["given"] = properties_json(c.properties);
    json["regions"] = regions_json(c.regions);
    add_annotations(json, c);
    add_component_meters(json, c.meters);
    return json;
}

} // namespace

std::string info_json(const CoupledRun &run, InfoDetail detail) {
    Json json;
    json["schema"] = "cpl_lb/1";
    json["run"] = run_json(run);
    json["components"] = Json::array();
    for (const Component &component : run.components)
        json["components"].push_back(component_json(run, component, detail));
    json["cpmip"] = cpmip_json(run.cpmip);
    json["clock"] = {{"error_bound_s", json_number(run.clock.error_bound_s)},
                     {"order_violations", run.clock.order_violations},
                     {"source", json_text(run.clock.source)},
                     {"nodes", run.clock.nodes}};
    json["analysis_s"] = json_number(run.analysis_s);
    json["component_names"] = run.component_names;
    json["field_names"] = run.field_names;
    json["remarks"] = run.remarks;
    json["meters"] = run_meters_json(run.meters);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
