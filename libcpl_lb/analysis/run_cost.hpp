// What a run costs in the units of the machine: hours of cores, nodes and GPUs, by component; and who shares nodes
// (docs/definitions.md, section 3). NaN: not known, with the reason beside it.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The cost of a component, or of the run.
struct Cost {
    double core_hours = unknown, node_hours = unknown, gpu_hours = unknown;
    std::string why_no_core_hours, why_no_node_hours, why_no_gpu_hours;
    double shared_node_hours = unknown;       // the part of node_hours on nodes that several components share
    std::map<std::string, double> kind_hours; // node_hours by kind of node; "": kinds that are not known
    std::int64_t idle_cores = -1; // reserved on its nodes and used by no process of the run; -1: not known
    std::int64_t idle_gpus = -1;  // reserved on its nodes and used by no component; -1: not known
    double host_J = unknown;      // its energy without the GPUs' part
};

struct RunCost {
    Cost run;
    std::vector<Cost> components; // as CoupledRun::components
};
[[nodiscard]] RunCost cost_of(const CoupledRun &run);

// Whether the nodes of a component's processes are known and in the list of the run's nodes.
[[nodiscard]] bool nodes_known(const CoupledRun &run, const Component &component);
// Whether it is known how many of its processes are on each of its nodes.
[[nodiscard]] bool counted_on_nodes(const Component &component);

// "72 cores + 4 x NVIDIA H100 80GB HBM3", from the cores and GPUs of a node; empty: nothing is known of it.
[[nodiscard]] std::string automatic_kind(const NodeMeters &node);
// The nodes of a component by kind; "": kinds that are not known.
[[nodiscard]] std::map<std::string, std::int64_t> node_kinds_of(const CoupledRun &run, const Component &component);
// The known kinds of the run's nodes, each once, in the order of the nodes.
[[nodiscard]] std::vector<std::string> node_kinds_of(const CoupledRun &run);

// Components that share nodes: their places in the run, ascending.
struct SharedPlaces {
    std::vector<std::size_t> components;
    std::int64_t count = 0; // of the nodes
};
// The groups that share the most come first.
[[nodiscard]] std::vector<SharedPlaces> shared_nodes(const CoupledRun &run);

// Prices for an hour of each unit: "gpu=12,cpu=1", "node=3", or the name of a kind of node.
using Prices = std::map<std::string, double>;
// Throws std::invalid_argument, in one line, if the text is no list of prices.
[[nodiscard]] Prices read_prices(std::string_view text);
// Throws std::invalid_argument if a price is neither of cpu, gpu, node nor of KIND-node with a kind that the run has.
void check_prices(const Prices &prices, const CoupledRun &run);
// NaN if a unit with a price is not known.
[[nodiscard]] double price_of(const Cost &cost, const Prices &prices);

} // namespace cpl_lb
