#include "io/meters_json.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

Spread spread_of(const JsonObject &object) {
    Spread s;
    object.get("min", s.min);
    object.get("max", s.max);
    object.get("sum", s.sum);
    object.get_count("count", s.count);
    return s.count > 0 ? s : Spread{};
}

Series series_of(const JsonObject &object) {
    Series series;
    object.get("step_s", series.step_s);
    const nlohmann::json &counts = object.member("count");
    if (!counts.is_array()) return series;
    series.values.resize(std::min(counts.size(), series_most_points));
    const auto value = [&](const char *name, std::size_t i) {
        const nlohmann::json &column = object.member(name);
        const bool there = column.is_array() && i < column.size() && column[i].is_number();
        return there ? column[i].get<double>() : unknown;
    };
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        const double count = value("count", i);
        if (!(count >= 1 && count < JsonObject::largest_count)) continue;
        Spread &s = series.values[i];
        s.count = static_cast<std::int64_t>(count);
        s.min = value("min", i);
        s.max = value("max", i);
        s.sum = value("sum", i);
    }
    return series;
}

std::vector<NamedSpread> named_of(const nlohmann::json &json) {
    std::vector<NamedSpread> all;
    if (!json.is_array()) return all;
    for (const nlohmann::json &entry : json) {
        const JsonObject object(entry);
        NamedSpread &one = all.emplace_back();
        object.get("name", one.name);
        object.get("why_missing", one.why_missing);
        one.over = spread_of(object);
    }
    return all;
}

NodeMeters node_of(const JsonObject &object) {
    NodeMeters node;
    object.get("name", node.name);
    object.get_count("processes", node.processes);
    object.get_count("cores", node.cores);
    object.get("energy_J", node.energy.total_J);
    object.get("package_J", node.energy.package_J);
    object.get("dram_J", node.energy.dram_J);
    object.get("core_J", node.energy.core_J);
    object.get("uncore_J", node.energy.uncore_J);
    object.get("psys_J", node.energy.psys_J);
    object.get("gpu_J", node.energy.gpu_J);
    object.get("energy_source", node.energy_source);
    object.get("why_no_energy", node.why_no_energy);
    object.get("memory_B", node.memory_B);
    object.get("memory_used_B", node.memory_used_B);
    return node;
}

} // namespace

RunMeters run_meters_of(const JsonObject &object) {
    RunMeters m;
    object.get("memory_wanted", m.memory_wanted);
    object.get("energy_wanted", m.energy_wanted);
    object.get("counters_wanted", m.counters_wanted);
    m.hwm_B = spread_of(JsonObject(object.member("hwm_B")));
    m.executable_B = spread_of(JsonObject(object.member("executable_B")));
    object.get("energy_J", m.energy_J);
    if (const nlohmann::json &nodes = object.member("nodes"); nodes.is_array())
        for (const nlohmann::json &node : nodes)
            m.nodes.push_back(node_of(JsonObject(node)));
    m.node_memory = series_of(JsonObject(object.member("node_memory_B")));
    m.node_power = series_of(JsonObject(object.member("node_power_W")));
    m.samples = spread_of(JsonObject(object.member("samples")));
    m.sampling_s = spread_of(JsonObject(object.member("sampling_s")));
    m.switches_per_s = spread_of(JsonObject(object.member("involuntary_switches_per_s")));
    m.crowding = spread_of(JsonObject(object.member("threads_per_processor")));
    object.get("not_there", m.not_there);
    return m;
}

Platform platform_of(const JsonObject &object) {
    Platform p;
    object.get("machine", p.machine);
    object.get("chip", p.chip);
    object.get_count("cores", p.cores);
    object.get("clock_GHz", p.clock_GHz);
    object.get("flop_per_cycle", p.flop_per_cycle);
    return p;
}

ComponentMeters component_meters_of(const JsonObject &component) {
    ComponentMeters m;
    const JsonObject memory(component.member("memory"));
    m.hwm_B = spread_of(JsonObject(memory.member("hwm_B")));
    m.rss_B = spread_of(JsonObject(memory.member("rss_B")));
    m.executable_B = spread_of(JsonObject(memory.member("executable_B")));
    m.rss = series_of(JsonObject(memory.member("rss_series_B")));
    const JsonObject energy(component.member("energy"));
    energy.get("total_J", m.energy_J);
    energy.get("gpu_J", m.gpu_J);
    energy.get("is_estimate", m.energy_is_estimate);
    energy.get("why_not", m.why_no_energy);
    m.loop_counters = named_of(component.member("loop_counters"));
    return m;
}

RegionMeters region_meters_of(const JsonObject &region) {
    RegionMeters m;
    m.counters = named_of(region.member("counters"));
    m.energy_J = spread_of(JsonObject(region.member("energy_J")));
    m.memory_B = spread_of(JsonObject(region.member("memory_change_B")));
    region.get_count("memory_calls", m.memory_calls);
    return m;
}

} // namespace cpl_lb
