// Hours of cores, nodes and GPUs, from where the processes are.
#include "analysis/run_cost.hpp"

#include "support/counted.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

constexpr double seconds_of_hour = 3600.0;
constexpr const char *no_nodes = "the files of this run do not tell on which nodes its processes were";
constexpr const char *no_nodes_in_timers = "the timers do not tell on which nodes the processes were";
constexpr const char *not_counted =
    "it shares nodes, and the files of this run do not tell how many of its processes are on each";
constexpr const char *no_wall = "its wall time is not known";

std::size_t place(std::int32_t node) {
    return static_cast<std::size_t>(node);
}

// Cores of a component on each of its nodes; NaN: the number of its processes there is not known.
std::vector<double> cores_there(const Component &c) {
    if (c.on_nodes.size() == 1) return {static_cast<double>(c.cores())};
    std::vector<double> cores(c.on_nodes.size(), unknown);
    if (!counted_on_nodes(c)) return cores;
    for (std::size_t k = 0; k < cores.size(); ++k)
        cores[k] = c.processes_on_nodes[k] * c.cores_of_process();
    return cores;
}

// The components on a node, by place in the run, and the cores of all of them.
struct Tenants {
    std::vector<std::size_t> components;
    double cores = 0;
};
struct WhoIsWhere {
    std::vector<Tenants> nodes;
    bool all_known = true; // the cores of each component are known
};

WhoIsWhere places_of(const CoupledRun &run) {
    WhoIsWhere places;
    places.nodes.resize(run.meters.nodes.size());
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &component = run.components[c];
        if (!nodes_known(run, component)) {
            places.all_known = false;
            continue;
        }
        const std::vector<double> cores = cores_there(component);
        for (std::size_t k = 0; k < cores.size(); ++k) {
            Tenants &there = places.nodes[place(component.on_nodes[k])];
            there.components.push_back(c);
            there.cores += cores[k];
        }
    }
    return places;
}

void enter_node_hours(const CoupledRun &run, const WhoIsWhere &places, const Component &c, Cost &cost) {
    if (!places.all_known) {
        cost.why_no_node_hours = run.from_timers() ? no_nodes_in_timers : no_nodes;
        return;
    }
    const double hours = c.wall_s() / seconds_of_hour;
    if (!is_known(hours)) cost.why_no_node_hours = no_wall;
    const std::vector<double> own = cores_there(c);
    double sum = 0, shared = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
        const Tenants &there = places.nodes[place(c.on_nodes[k])];
        const bool alone = there.components.size() == 1;
        const double part = alone ? 1 : own[k] / there.cores;
        sum += part;
        if (!alone) shared += part;
        cost.kind_hours[run.meters.nodes[place(c.on_nodes[k])].kind] += part * hours;
    }
    if (!is_known(sum)) cost.why_no_node_hours = not_counted;
    cost.node_hours = sum * hours;
    cost.shared_node_hours = shared * hours;
    if (!is_known(cost.node_hours)) cost.kind_hours.clear();
}

// Cores of a node that no process uses; -1: the number of cores of the node is not known.
std::int64_t idle_cores_of(const NodeMeters &node) {
    return node.installed_cores > 0 ? std::max(node.installed_cores - node.cores, 0) : -1;
}

template <class Of>
std::int64_t sum_or_unknown(const std::vector<std::int32_t> &nodes, Of of) {
    std::int64_t sum = 0;
    for (const std::int32_t node : nodes) {
        const std::int64_t one = of(node);
        if (one < 0) return -1;
        sum += one;
    }
    return nodes.empty() ? -1 : sum;
}

// GPUs of some nodes; -1: not known for one of them.
std::int64_t gpus_of(const CoupledRun &run, const std::vector<std::int32_t> &nodes) {
    return sum_or_unknown(nodes, [&](std::int32_t node) {
        const NodeMeters &n = run.meters.nodes[place(node)];
        return n.gpus_known ? static_cast<std::int64_t>(n.gpus.size()) : std::int64_t{-1};
    });
}

// Known only if no other component that uses GPUs is on its nodes; otherwise it is not known whose GPUs are idle.
std::int64_t idle_gpus_of(const CoupledRun &run, const WhoIsWhere &places, const Component &c) {
    const std::int64_t there = gpus_of(run, c.on_nodes);
    if (there < 0 || c.gpus.count < 0) return -1;
    for (const std::int32_t node : c.on_nodes)
        for (const std::size_t tenant : places.nodes[place(node)].components)
            if (&run.components[tenant] != &c && run.components[tenant].gpus.count != 0) return -1;
    return std::max<std::int64_t>(there - c.gpus.count, 0);
}

Cost cost_of(const CoupledRun &run, const WhoIsWhere &places, const Component &c) {
    Cost cost;
    const double hours = c.wall_s() / seconds_of_hour;
    if (run.from_timers() && run.run.cores == 0)
        cost.why_no_core_hours = "the timers do not tell the number of cores";
    else if (!is_known(hours))
        cost.why_no_core_hours = no_wall;
    else
        cost.core_hours = static_cast<double>(c.cores()) * hours;
    enter_node_hours(run, places, c, cost);
    if (c.gpus.count < 0) {
        cost.why_no_gpu_hours =
            c.gpus.why_missing.empty() ? "how many GPUs it uses is not known" : c.gpus.why_missing;
    } else if (c.gpus.count > 0 && !is_known(hours)) {
        cost.why_no_gpu_hours = no_wall;
    } else {
        cost.gpu_hours = c.gpus.count == 0 ? 0 : static_cast<double>(c.gpus.count) * hours;
    }
    cost.host_J = c.meters.energy_J - c.meters.gpu_J;
    if (!nodes_known(run, c)) return cost;
    cost.idle_cores =
        sum_or_unknown(c.on_nodes, [&](std::int32_t node) { return idle_cores_of(run.meters.nodes[place(node)]); });
    cost.idle_gpus = idle_gpus_of(run, places, c);
    return cost;
}

// GPUs that some component uses, each counted once; -1: not known, or some are shared.
std::int64_t used_gpus(const CoupledRun &run) {
    std::int64_t sum = run.components.empty() ? -1 : 0;
    for (const Component &c : run.components) {
        if (c.gpus.count < 0 || (c.gpus.count > 0 && !c.gpus.shared_with.empty())) return -1;
        sum += c.gpus.count;
    }
    return sum;
}

// The whole run holds what is reserved on its nodes from its begin to its end.
Cost cost_of_run(const CoupledRun &run, const WhoIsWhere &places) {
    Cost cost;
    const double hours = run.run.wall_s / seconds_of_hour;
    const char *no_time = is_known(hours) ? "" : "the wall time of the run is not known";
    if (run.run.cores > 0 && is_known(hours))
        cost.core_hours = static_cast<double>(run.run.cores) * hours;
    else
        cost.why_no_core_hours = is_known(hours) ? "the number of cores is not known" : no_time;
    std::vector<std::int32_t> nodes;
    const bool known = !run.components.empty() && places.all_known;
    double shared = 0;
    for (std::size_t n = 0; known && n < places.nodes.size(); ++n) {
        if (places.nodes[n].components.empty()) continue;
        nodes.push_back(static_cast<std::int32_t>(n));
        if (places.nodes[n].components.size() > 1) shared += hours;
        if (is_known(hours)) cost.kind_hours[run.meters.nodes[n].kind] += hours;
    }
    cost.node_hours = known ? static_cast<double>(nodes.size()) * hours : unknown;
    cost.shared_node_hours = known ? shared : unknown;
    if (!known)
        cost.why_no_node_hours = run.from_timers() ? no_nodes_in_timers : no_nodes;
    else
        cost.why_no_node_hours = no_time;
    const std::int64_t used = used_gpus(run), reserved = known ? gpus_of(run, nodes) : -1;
    const std::int64_t gpus = std::max(used, reserved);
    cost.gpu_hours = gpus < 0 ? unknown : gpus == 0 ? 0 : static_cast<double>(gpus) * hours;
    if (gpus < 0)
        cost.why_no_gpu_hours = "how many GPUs the run has is not known";
    else if (!is_known(cost.gpu_hours))
        cost.why_no_gpu_hours = no_time;
    if (used >= 0 && reserved >= 0) cost.idle_gpus = std::max<std::int64_t>(reserved - used, 0);
    cost.idle_cores =
        sum_or_unknown(nodes, [&](std::int32_t node) { return idle_cores_of(run.meters.nodes[place(node)]); });
    double host_J = run.components.empty() ? unknown : 0;
    for (const NodeMeters &node : run.meters.nodes)
        host_J += node.energy.total_J - node.energy.gpu_J;
    cost.host_J = run.meters.nodes.empty() ? unknown : host_J;
    return cost;
}

} // namespace

bool nodes_known(const CoupledRun &run, const Component &component) {
    const auto nodes = static_cast<std::int64_t>(run.meters.nodes.size());
    return !component.on_nodes.empty() &&
           std::ranges::all_of(component.on_nodes, [nodes](std::int32_t n) { return n >= 0 && n < nodes; });
}

bool counted_on_nodes(const Component &c) {
    const std::vector<std::int32_t> &counts = c.processes_on_nodes;
    return counts.size() == c.on_nodes.size() && std::ranges::all_of(counts, [](std::int32_t n) { return n > 0; }) &&
           std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) ==
               static_cast<std::int64_t>(c.ranks.size());
}

RunCost cost_of(const CoupledRun &run) {
    const WhoIsWhere places = places_of(run);
    RunCost costs;
    costs.run = cost_of_run(run, places);
    costs.components.reserve(run.components.size());
    for (const Component &c : run.components)
        costs.components.push_back(cost_of(run, places, c));
    return costs;
}

std::string automatic_kind(const NodeMeters &node) {
    std::string text;
    if (node.installed_cores > 0) text = counted(node.installed_cores, "core");
    if (!node.gpus_known) return text;
    std::vector<std::pair<std::string, int>> kinds; // in the driver's order
    for (const NodeGpu &gpu : node.gpus) {
        const std::string name = gpu.kind.empty() ? "GPU" : gpu.kind;
        const auto at = std::ranges::find_if(kinds, [&](const auto &kind) { return kind.first == name; });
        if (at == kinds.end())
            kinds.emplace_back(name, 1);
        else
            ++at->second;
    }
    for (const auto &[name, count] : kinds)
        text += (text.empty() ? "" : " + ") + std::to_string(count) + " x " + name;
    return text;
}

std::map<std::string, std::int64_t> node_kinds_of(const CoupledRun &run, const Component &component) {
    std::map<std::string, std::int64_t> kinds;
    if (!nodes_known(run, component)) return kinds;
    for (const std::int32_t node : component.on_nodes)
        ++kinds[run.meters.nodes[place(node)].kind];
    return kinds;
}

std::vector<std::string> node_kinds_of(const CoupledRun &run) {
    std::vector<std::string> kinds;
    for (const NodeMeters &node : run.meters.nodes)
        if (!node.kind.empty() && std::ranges::find(kinds, node.kind) == kinds.end()) kinds.push_back(node.kind);
    return kinds;
}

std::vector<SharedPlaces> shared_nodes(const CoupledRun &run) {
    std::map<std::vector<std::size_t>, std::int64_t> groups;
    for (const Tenants &there : places_of(run).nodes)
        if (there.components.size() > 1) ++groups[there.components];
    std::vector<SharedPlaces> shared;
    shared.reserve(groups.size());
    for (const auto &[together, count] : groups)
        shared.push_back({together, count});
    std::ranges::stable_sort(shared, std::greater(), &SharedPlaces::count);
    return shared;
}

Prices read_prices(std::string_view text) {
    Prices prices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view one = text.substr(begin, end - begin);
        const std::size_t equals = one.rfind('=');
        const auto wrong = [&] {
            return std::invalid_argument("not a unit and its price, as in gpu=12,cpu=1: " + quoted_name(one));
        };
        if (equals == std::string_view::npos || equals == 0) throw wrong();
        const std::string_view digits = one.substr(equals + 1);
        double price = 0;
        const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), price);
        if (error != std::errc() || rest != digits.data() + digits.size() || !(price - price == 0)) throw wrong();
        if (price < 0) throw std::invalid_argument("a price cannot be negative: " + quoted_name(one));
        if (!prices.emplace(std::string(one.substr(0, equals)), price).second)
            throw std::invalid_argument("two prices of one unit: " + quoted_name(one.substr(0, equals)));
        begin = end + 1;
    }
    return prices;
}

// "fat-node" is a node hour of the kind "fat", as in cpl-lb balance.
static std::string kind_of_unit(std::string_view unit) {
    constexpr std::string_view ending = "-node";
    return std::string(unit.ends_with(ending) ? unit.substr(0, unit.size() - ending.size()) : std::string_view());
}

void check_prices(const Prices &prices, const CoupledRun &run) {
    const std::vector<std::string> kinds = node_kinds_of(run);
    for (const auto &[unit, price] : prices) {
        if (unit == "cpu" || unit == "gpu" || unit == "node") continue;
        if (std::ranges::find(kinds, kind_of_unit(unit)) != kinds.end()) continue;
        std::string list = "cpu, gpu, node";
        for (const std::string &kind : kinds)
            list += ", " + safe_name(kind) + "-node";
        throw std::invalid_argument("no unit " + quoted_name(unit) + " in this run; there are: " + list);
    }
}

double price_of(const Cost &cost, const Prices &prices) {
    double sum = 0;
    for (const auto &[unit, price] : prices) {
        if (unit == "cpu") {
            sum += price * cost.core_hours;
        } else if (unit == "gpu") {
            sum += price * cost.gpu_hours;
        } else if (unit == "node") {
            sum += price * cost.node_hours;
        } else if (!is_known(cost.node_hours)) {
            sum = unknown;
        } else if (const auto at = cost.kind_hours.find(kind_of_unit(unit)); at != cost.kind_hours.end()) {
            sum += price * at->second;
        }
    }
    return sum;
}

} // namespace cpl_lb
