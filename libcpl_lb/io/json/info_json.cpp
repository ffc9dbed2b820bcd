// Writes load_balancing_info.json.
#include "io/json/info_json.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/waiting_share.hpp"
#include "io/json/info_members.hpp"
#include "io/json/meters_members.hpp"

#include <map>

namespace cpl_lb {
namespace {

using Json = JsonTree;

template <class T>
Json json_of(const T &value) {
    Json json = Json::object();
    JsonWriter way(json);
    json_members(way, value);
    return json;
}

// The names are keys, so components of the same name (or a counterpart not known) add up.
Json waiting_for_json(const CoupledRun &run, const ComponentBalance &balance) {
    std::map<std::string, WaitingFor> sums;
    for (const WaitingFor &part : balance.waiting_for) {
        WaitingFor &sum = sums[run.component_name(part.component)];
        sum.get_s += part.get_s;
        sum.put_s += part.put_s;
        sum.sync_s += part.sync_s;
    }
    Json json = Json::object();
    for (const WaitingFor &part : balance.waiting_for) {
        const std::string &name = run.component_name(part.component);
        json[name] = json_of(sums[name]);
    }
    return json;
}

Json regions_json(const std::vector<RegionSummary> &regions) {
    Json rows = Json::array();
    for (const RegionSummary &region : regions) {
        Json json = json_of(region);
        if (!region.steps.empty()) JsonWriter(json["steps"]).columns(region.steps);
        for (const Annotation &a : region.annotations)
            json["annotations"][a.quantity] = json_of(a);
        rows.push_back(std::move(json));
    }
    return rows;
}

// Columns instead of an object for each step: long runs have many steps.
Json steps_json(const ComponentBalance &balance) {
    Json json;
    JsonWriter way(json);
    way.count("count", balance.step_count);
    way.count("group", balance.steps.empty() ? 1 : balance.steps.front().steps);
    way.part("spread", balance.step_spread);
    way.columns(balance.steps);
    json["date"] = Json::array();
    for (const Step &step : balance.steps)
        if (balance.has_dates) json["date"].push_back(step.date);
    if (!balance.step_extremes.empty()) way.columns(balance.step_extremes);
    if (!balance.step_work.empty()) way.columns(balance.step_work);
    return json;
}

Json cores_json(const CoupledRun &run, const std::vector<std::int64_t> &best) {
    Json cores = Json::object();
    for (std::size_t c = 0; c < best.size() && c < run.components.size(); ++c)
        if (best[c] > 0) cores[run.components[c].name] = best[c];
    return cores;
}

void add_balance(Json &json, const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (b.slow_side != 0) json["slow_side"] = Json::text(run.component_name(b.slow_side));
    if (!b.equally_slow.empty()) {
        json["equally_slow"] = Json::array();
        for (const std::int32_t id : b.equally_slow)
            json["equally_slow"].push_back(Json::text(run.component_name(id)));
    }
    if (!b.best_cores.empty()) json["best_cores"] = cores_json(run, b.best_cores);
    if (!b.later.best_cores.empty()) json["later"]["best_cores"] = cores_json(run, b.later.best_cores);
}

template <class Row>
void add_change(Json &rows, const std::string &component, const Row &row) {
    Json json;
    json["component"] = component;
    JsonWriter way(json);
    json_members(way, row);
    rows.push_back(std::move(json));
}

Json changes_json(const CoupledRun &run) {
    Json rows = Json::array();
    for (const ComputingChange &change : run.balance.computing_changes) {
        const std::string &name = run.component_name(change.component);
        for (const ComputingPart &part : change.parts)
            add_change(rows, name, part);
        if (change.pattern.period > 0) add_change(rows, name, change.pattern);
    }
    return rows;
}

Json cost_json(const Cost &cost) {
    Json json = json_of(cost);
    json["kinds"] = Json::object();
    for (const auto &[kind, value] : cost.kind_hours)
        if (!kind.empty()) json["kinds"][kind] = Json::number(value);
    return json;
}

// How many nodes each group of components shares.
Json shared_json(const CoupledRun &run, const std::vector<SharedPlaces> &groups) {
    Json rows = Json::array();
    for (const SharedPlaces &shared : groups) {
        Json names = Json::array();
        for (const std::size_t c : shared.components)
            names.push_back(Json::text(run.components[c].name));
        Json row;
        row["components"] = std::move(names);
        row["nodes"] = shared.count;
        rows.push_back(std::move(row));
    }
    return rows;
}

constexpr std::size_t most_pairs_of_figures = 20'000; // some 600 kB of a page

Json gpus_json(const CoupledRun &run, const Component &c) {
    Json json = json_of(c.gpus);
    json["shared_with"] = Json::array();
    for (const std::int32_t id : c.gpus.shared_with)
        json["shared_with"].push_back(run.component_name(id));
    const GpuSplit split = gpu_split(c);
    json["computing_busy_most_s"] = Json::number(split.busy_most_s);
    json["computing_idle_least_s"] = Json::number(split.idle_least_s);
    return json;
}

Json component_json(const CoupledRun &run, const Component &c, InfoDetail detail) {
    Json json;
    JsonWriter way(json);
    json_members(way, c);
    json["processes"] = c.ranks.size();
    json["wall_s"] = Json::number(c.wall_s());
    json["chsy"] = Json::number(component_chsy(run, c));
    json["waiting_for"] = waiting_for_json(run, c.balance);
    json["hwm_B"] = Json::number(c.meters.hwm_B.sum);
    json["energy_J"] = Json::number(c.meters.energy_J);
    const bool all = detail == InfoDetail::all;
    if (all) json["ranks"] = c.ranks;
    if (all && !c.on_nodes.empty()) json["on_nodes"] = c.on_nodes;
    if (all && !c.processes_on_nodes.empty()) json["processes_on_nodes"] = c.processes_on_nodes;
    // A page of a thousand components stays small.
    if (!all && !c.balance.imbalance_parts.known()) json.drop("imbalance_parts");
    json_members_of_times(way, c);
    json_members_of_phases(way, c.balance);
    if (all) json["steps"] = steps_json(c.balance);
    if (all) way.part("given", c.properties);
    json["regions"] = regions_json(c.regions);
    if (!c.parameters.empty()) way.list("parameters", c.parameters);
    if (!c.control_flow.empty()) way.list("control_flow", c.control_flow);
    json_members(way, c.meters);
    if (c.gpus.count >= 0 || !c.gpus.why_missing.empty()) json["gpus"] = gpus_json(run, c);
    if (all || c.no_processor.of_processes.count > 0) way.part("no_processor", c.no_processor);
    way.part("efficiency", on_windows(run).hide_waits ? Efficiency() : efficiency_of(c));
    way.part("mpi", c.inside);
    if (!c.fields.empty() && all) way.list("fields", c.fields);
    return json;
}

} // namespace

JsonTree info_tree(const CoupledRun &run, InfoDetail detail) {
    Json json;
    JsonWriter way(json);
    json_members(way, run);
    json["schema"] = "cpl_lb/1";
    Json &job = json["run"];
    job["sypd"] = Json::number(run.cpmip.sypd);
    job["chsy"] = Json::number(run.cpmip.chsy);
    job["missing_ranks"] = run.run.missing;
    if (run.run.members.empty()) job.drop("members");
    JsonWriter way_of_run(job);
    json_members_of_run(way_of_run, run.balance);
    job["changes"] = changes_json(run);
    const Efficiency e = efficiency_of(run);
    job["efficiency"] = {
        {"total", Json::number(e.total)}, {"coupling", Json::number(e.coupling)}, {"inside", Json::number(e.inside)}};
    const RunCost cost = cost_of(run);
    job["cost"] = cost_json(cost.run);
    job["shared_nodes"] = shared_json(run, shared_nodes(run));
    json["components"] = Json::array();
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &component = run.components[i];
        json["components"].push_back(component_json(run, component, detail));
        // A page of a thousand components stays small.
        if (detail == InfoDetail::all) json["components"].back()["cost"] = cost_json(cost.components[i]);
        if (detail != InfoDetail::figures || !component.inside.traffic.known()) continue;
        pairs += component.inside.traffic.pairs.size();
        if (pairs > most_pairs_of_figures) json["components"].back()["mpi"].drop("traffic");
    }
    add_balance(json["balance"], run);
    return json;
}

std::string info_json(const CoupledRun &run, InfoDetail detail) {
    return info_tree(run, detail).dump(2) + "\n";
}

Json cpmip_json(const Cpmip &rows) {
    return json_of(rows);
}

Json platform_json(const Platform &platform) {
    return json_of(platform);
}

Json es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes) {
    const Cpmip &c = run.cpmip;
    Json json;
    json["type"] = "cim.2.platform.Performance";
    json["name"] = Json::text(name.empty() ? run.run.id : name);
    json["model"] = Json::text(name);
    json["platform"] =
        Json::text(run.run.platform_facts.machine.empty() ? c.platform : run.run.platform_facts.machine);
    json["compiler"] = nullptr;
    json["sypd"] = Json::number(c.sypd);
    json["asypd"] = Json::number(c.asypd);
    json["chsy"] = Json::number(c.chsy);
    json["total_nodes_used"] = nodes > 0 ? Json(nodes) : Json(nullptr);
    json["coupler_load"] = Json::number(100 * (c.coupling_cost_with_operations - c.coupling_cost));
    json["load_imbalance"] = Json::number(100 * c.coupling_cost);
    json["io_load"] = Json::number(100 * c.data_output_cost);
    json["memory_bloat"] = Json::number(100 * (c.memory_bloat - 1));
    json["resolution"] = Json::number(c.resolution);
    json["complexity"] = Json::number(c.complexity);
    json["simulated_years_per_day"] = Json::number(c.sypd);
    json["actual_simulated_years_per_day"] = Json::number(c.asypd);
    json["core_hours_per_simulated_year"] = Json::number(c.chsy);
    json["joules_per_simulated_year"] = Json::number(c.jpsy);
    json["parallelisation"] = Json::number(c.parallelization);
    json["further_detail"] = {{"coupling_cost", c.coupling_cost_with_operations},
                              {"memory_bloat", c.memory_bloat},
                              {"data_output_cost", c.data_output_cost},
                              {"data_intensity", c.data_intensity}};
    json["subcomponent_performance"] = nullptr;
    return json;
}

} // namespace cpl_lb
