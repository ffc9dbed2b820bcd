// The output of cpl-lb machine as json.
#include "projection/tools/machine/machine_output.hpp"

#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json value_json(double value) {
    if (std::isinf(value)) return "turbo";
    return is_known(value) ? Json(value) : Json();
}

Json rates_json(const Machine &machine) {
    Json rows = Json::array();
    for (const FlopRate &r : machine.flop_rates) {
        rows.push_back({{"vector", r.vector},
                        {"threads", r.at.threads},
                        {"clock_Hz", value_json(r.at.clock_Hz)},
                        {"flop_per_s", value_json(r.flop_per_s)}});
    }
    return rows;
}

Json bandwidths_json(const Machine &machine) {
    Json rows = Json::array();
    for (const LevelBandwidth &b : machine.bandwidths) {
        rows.push_back({{"level", b.level},
                        {"access", b.access},
                        {"threads", b.at.threads},
                        {"clock_Hz", value_json(b.at.clock_Hz)},
                        {"B_per_s", value_json(b.B_per_s)}});
    }
    return rows;
}

Json locality_json(const Machine &machine) {
    Json rows = Json::array();
    for (const LocalityBandwidth &l : machine.locality) {
        Json table = Json::array();
        for (const auto &row : l.B_per_s)
            table.push_back({value_json(row[0]), value_json(row[1]), value_json(row[2])});
        rows.push_back({{"mv", l.mv},
                        {"B_per_s_by_tl_and_sl", table},
                        {"scalar_flop_per_s", value_json(l.scalar_flop_per_s)},
                        {"vector_flop_per_s", value_json(l.vector_flop_per_s)}});
    }
    return rows;
}

Json gpu_json(const GpuFacts &gpu) {
    return {{"architecture", gpu.architecture},
            {"clock_Hz", value_json(gpu.clock_Hz)},
            {"memory_clock_Hz", value_json(gpu.memory_clock_Hz)},
            {"bus_bit", value_json(gpu.bus_bit)},
            {"multiprocessors", value_json(gpu.multiprocessors)},
            {"double_flop_per_s", value_json(gpu.double_flop_per_s)},
            {"single_flop_per_s", value_json(gpu.single_flop_per_s)},
            {"integer_op_per_s", value_json(gpu.integer_op_per_s)},
            {"B_per_s", value_json(gpu.B_per_s)},
            {"power_limit_W", value_json(gpu.power_limit_W)},
            {"average_power_W", value_json(gpu.average_power_W)}};
}

} // namespace

std::string machine_as_json(const Machine &machine) {
    Json root = {{"name", machine.name},
                 {"source", machine.source},
                 {"sockets", value_json(machine.sockets)},
                 {"figures_for_sockets", value_json(sockets_of_figures(machine))},
                 {"cores", value_json(machine.cores)},
                 {"clock_Hz", value_json(machine.clock_Hz)},
                 {"vector_length", value_json(machine.vector_length)},
                 {"flop_rates", rates_json(machine)},
                 {"bandwidths", bandwidths_json(machine)},
                 {"levels", Json::array()},
                 {"network", Json::array()},
                 {"power", Json::array()},
                 {"locality", locality_json(machine)},
                 {"gpu", machine.has_gpu ? gpu_json(machine.gpu) : Json()},
                 {"remarks", machine.remarks}};
    for (const MachineLevel &l : machine.levels) {
        root["levels"].push_back({{"level", l.level},
                                  {"size_B", value_json(l.size_B)},
                                  {"shared_by_cores", value_json(l.shared_by)},
                                  {"latency_s", value_json(l.latency_s)}});
    }
    for (const NetworkLink &n : machine.network)
        root["network"].push_back(
            {{"between", n.between}, {"latency_s", value_json(n.latency_s)}, {"B_per_s", value_json(n.B_per_s)}});
    for (const PowerDraw &p : machine.power) {
        root["power"].push_back({{"threads", p.at.threads},
                                 {"clock_Hz", value_json(p.at.clock_Hz)},
                                 {"package_W", value_json(p.package_W)},
                                 {"dram_W", value_json(p.dram_W)}});
    }
    return root.dump(2) + "\n";
}

std::string machine_list_json() {
    Json rows = Json::array();
    for (const std::string &name : shipped_machine_names())
        rows.push_back({{"name", name}, {"machine", load_machine(name).name}});
    return rows.dump(2) + "\n";
}

} // namespace cpl_lb
