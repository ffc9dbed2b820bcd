#include "io/cpmip_json.hpp"

#include "io/json_value.hpp"

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

} // namespace

Json cpmip_json(const Cpmip &c) {
    Json json;
    json["resolution"] = json_number(c.resolution);
    json["complexity"] = json_number(c.complexity);
    json["degrees_of_freedom"] = json_number(c.degrees_of_freedom);
    json["sypd"] = json_number(c.sypd);
    json["asypd"] = json_number(c.asypd);
    json["chsy"] = json_number(c.chsy);
    json["parallelization"] = json_number(c.parallelization);
    json["jpsy"] = json_number(c.jpsy);
    json["ajpsy"] = json_number(c.ajpsy);
    json["coupling_cost"] = json_number(c.coupling_cost);
    json["memory_bloat"] = json_number(c.memory_bloat);
    json["data_output_cost"] = json_number(c.data_output_cost);
    json["data_intensity"] = json_number(c.data_intensity);
    json["platform"] = json_text(c.platform);
    json["coupling_cost_with_operations"] = json_number(c.coupling_cost_with_operations);
    return json;
}

std::string es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes) {
    const Cpmip &c = run.cpmip;
    Json json;
    json["type"] = "cim.2.platform.Performance";
    json["name"] = json_text(name.empty() ? run.run.id : name);
    json["model"] = json_text(name);
    json["platform"] =
        json_text(run.run.platform_facts.machine.empty() ? c.platform : run.run.platform_facts.machine);
    json["compiler"] = nullptr;
    json["sypd"] = json_number(c.sypd);
    json["asypd"] = json_number(c.asypd);
    json["chsy"] = json_number(c.chsy);
    json["total_nodes_used"] = nodes > 0 ? Json(nodes) : Json(nullptr);
    json["coupler_load"] = json_number(100 * (c.coupling_cost_with_operations - c.coupling_cost));
    json["load_imbalance"] = json_number(100 * c.coupling_cost);
    json["io_load"] = json_number(100 * c.data_output_cost);
    json["memory_bloat"] = json_number(100 * (c.memory_bloat - 1));
    json["subcomponent_performance"] = nullptr;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
