#include "io/cpmip_json.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json text(const std::string &value) {
    return value.empty() ? Json(nullptr) : Json(value);
}

} // namespace

Json cpmip_json(const Cpmip &c) {
    Json json;
    json["resolution"] = number(c.resolution);
    json["complexity"] = number(c.complexity);
    json["degrees_of_freedom"] = number(c.degrees_of_freedom);
    json["sypd"] = number(c.sypd);
    json["asypd"] = number(c.asypd);
    json["chsy"] = number(c.chsy);
    json["parallelization"] = number(c.parallelization);
    json["jpsy"] = number(c.jpsy);
    json["ajpsy"] = number(c.ajpsy);
    json["coupling_cost"] = number(c.coupling_cost);
    json["memory_bloat"] = number(c.memory_bloat);
    json["data_output_cost"] = number(c.data_output_cost);
    json["data_intensity"] = number(c.data_intensity);
    json["platform"] = text(c.platform);
    json["coupling_cost_with_operations"] = number(c.coupling_cost_with_operations);
    return json;
}

std::string es_doc_json(const CoupledRun &run, const std::string &name, std::int64_t nodes) {
    const Cpmip &c = run.cpmip;
    Json json;
    json["type"] = "cim.2.platform.Performance";
    json["name"] = text(name.empty() ? run.run.id : name);
    json["model"] = text(name);
    json["platform"] = text(run.run.platform_facts.machine.empty() ? c.platform : run.run.platform_facts.machine);
    json["compiler"] = nullptr;
    json["sypd"] = number(c.sypd);
    json["asypd"] = number(c.asypd);
    json["chsy"] = number(c.chsy);
    json["total_nodes_used"] = nodes > 0 ? Json(nodes) : Json(nullptr);
    json["coupler_load"] = number(100 * (c.coupling_cost_with_operations - c.coupling_cost));
    json["load_imbalance"] = number(100 * c.coupling_cost);
    json["io_load"] = number(100 * c.data_output_cost);
    json["memory_bloat"] = number(100 * (c.memory_bloat - 1));
    json["subcomponent_performance"] = nullptr;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cpl_lb
