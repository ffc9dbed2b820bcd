// The CPMIP table under its json names, and under those of ES-DOC.
#include "io/json/cpmip_json.hpp"

#include "io/json/info_members.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

} // namespace

Json cpmip_json(const Cpmip &rows) {
    Json json;
    JsonWriter way(json);
    json_members(way, rows);
    return json;
}

Json platform_json(const Platform &platform) {
    Json json;
    JsonWriter way(json);
    json_members(way, platform);
    return json;
}

std::string es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes) {
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
    json["subcomponent_performance"] = nullptr;
    return json.dump(2) + "\n";
}

} // namespace cpl_lb
