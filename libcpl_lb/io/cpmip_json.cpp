#include "io/cpmip_json.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

} // namespace

Json cpmip_json(const Cpmip &c) {
    Json json;
    json["resolution"] = Json::number(c.resolution);
    json["complexity"] = Json::number(c.complexity);
    json["degrees_of_freedom"] = Json::number(c.degrees_of_freedom);
    json["sypd"] = Json::number(c.sypd);
    json["asypd"] = Json::number(c.asypd);
    json["chsy"] = Json::number(c.chsy);
    json["parallelization"] = Json::number(c.parallelization);
    json["jpsy"] = Json::number(c.jpsy);
    json["ajpsy"] = Json::number(c.ajpsy);
    json["coupling_cost"] = Json::number(c.coupling_cost);
    json["memory_bloat"] = Json::number(c.memory_bloat);
    json["data_output_cost"] = Json::number(c.data_output_cost);
    json["data_intensity"] = Json::number(c.data_intensity);
    json["platform"] = Json::text(c.platform);
    json["coupling_cost_with_operations"] = Json::number(c.coupling_cost_with_operations);
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
