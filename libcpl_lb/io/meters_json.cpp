#include "io/meters_json.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json spread_json(const Spread &s) {
    return {{"min", Json::number(s.min)},
            {"mean", Json::number(s.mean())},
            {"max", Json::number(s.max)},
            {"sum", Json::number(s.sum)},
            {"count", s.count}};
}

// Columns: one object for each point would be mostly names.
Json series_json(const Series &series) {
    Json json = {{"step_s", Json::number(series.step_s)}};
    for (const char *name : {"min", "mean", "max", "sum", "count"})
        json[name] = Json::array();
    for (const Spread &s : series.values) {
        json["min"].push_back(Json::number(s.min));
        json["mean"].push_back(Json::number(s.mean()));
        json["max"].push_back(Json::number(s.max));
        json["sum"].push_back(Json::number(s.sum));
        json["count"].push_back(s.count);
    }
    return json;
}

Json named_json(const std::vector<NamedSpread> &all) {
    Json json = Json::array();
    for (const NamedSpread &one : all) {
        json.push_back(spread_json(one.over));
        json.back()["name"] = one.name;
        json.back()["imbalance"] = Json::number(one.over.imbalance());
        json.back()["why_missing"] = Json::text(one.why_missing);
    }
    return json;
}

Json node_json(const NodeMeters &node) {
    const NodeEnergy &e = node.energy;
    return {{"name", Json::text(node.name)},
            {"processes", node.processes},
            {"cores", node.cores},
            {"energy_J", Json::number(e.total_J)},
            {"package_J", Json::number(e.package_J)},
            {"dram_J", Json::number(e.dram_J)},
            {"core_J", Json::number(e.core_J)},
            {"uncore_J", Json::number(e.uncore_J)},
            {"psys_J", Json::number(e.psys_J)},
            {"gpu_J", Json::number(e.gpu_J)},
            {"energy_source", Json::text(node.energy_source)},
            {"why_no_energy", Json::text(node.why_no_energy)},
            {"memory_B", Json::number(node.memory_B)},
            {"memory_used_B", Json::number(node.memory_used_B)}};
}

} // namespace

Json run_meters_json(const RunMeters &m) {
    Json json;
    json["memory_wanted"] = m.memory_wanted;
    json["energy_wanted"] = m.energy_wanted;
    json["counters_wanted"] = Json::text(m.counters_wanted);
    json["hwm_B"] = spread_json(m.hwm_B);
    json["executable_B"] = spread_json(m.executable_B);
    json["energy_J"] = Json::number(m.energy_J);
    json["nodes"] = Json::array();
    for (const NodeMeters &node : m.nodes)
        json["nodes"].push_back(node_json(node));
    json["node_memory_B"] = series_json(m.node_memory);
    json["node_power_W"] = series_json(m.node_power);
    json["samples"] = spread_json(m.samples);
    json["sampling_s"] = spread_json(m.sampling_s);
    json["involuntary_switches_per_s"] = spread_json(m.switches_per_s);
    json["threads_per_processor"] = spread_json(m.crowding);
    json["not_there"] = m.not_there;
    return json;
}

Json platform_json(const Platform &p) {
    return {{"machine", Json::text(p.machine)},
            {"chip", Json::text(p.chip)},
            {"cores", p.cores > 0 ? Json(p.cores) : Json(nullptr)},
            {"clock_GHz", Json::number(p.clock_GHz)},
            {"flop_per_cycle", Json::number(p.flop_per_cycle)}};
}

void add_component_meters(Json &component, const ComponentMeters &m) {
    component["memory"] = {{"hwm_B", spread_json(m.hwm_B)},
                           {"rss_B", spread_json(m.rss_B)},
                           {"executable_B", spread_json(m.executable_B)},
                           {"rss_series_B", series_json(m.rss)}};
    component["energy"] = {{"total_J", Json::number(m.energy_J)},
                           {"gpu_J", Json::number(m.gpu_J)},
                           {"is_estimate", m.energy_is_estimate},
                           {"why_not", Json::text(m.why_no_energy)}};
    component["loop_counters"] = named_json(m.loop_counters);
}

void add_region_meters(Json &region, const RegionSummary &summary) {
    const RegionMeters &m = summary.meters;
    region["imbalance"] = Json::number(summary.imbalance());
    region["counters"] = named_json(m.counters);
    region["energy_J"] = spread_json(m.energy_J);
    region["memory_change_B"] = spread_json(m.memory_B);
    region["memory_calls"] = m.memory_calls;
}

} // namespace cpl_lb
