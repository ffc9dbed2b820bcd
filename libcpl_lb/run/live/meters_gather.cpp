// Adds the meters of all processes up the tree, and shares the energy of nodes among components.
#include "run/live/meters_gather.hpp"

#include "analysis/energy.hpp"
#include "meters/pbs_files.hpp"
#include "run/live/unite.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <map>

namespace cpl_lb {

namespace {

void unite(ComponentMeters &mine, const ComponentMeters &theirs) {
    mine.hwm_B.add(theirs.hwm_B);
    mine.rss_B.add(theirs.rss_B);
    mine.executable_B.add(theirs.executable_B);
    unite(mine.rss, theirs.rss);
    unite(mine.loop_counters, theirs.loop_counters);
}

// Time namespaces on one kernel look like several nodes to the process map. They become one entry of `nodes`, with
// the energy of the first that has it. Returns the index in `nodes` of each node of the process map.
std::vector<std::int32_t> enter_nodes(const GatheredMeters &meters, const ProcessMap &process_map,
                                      std::vector<NodeMeters> &nodes) {
    std::vector<std::int32_t> index(static_cast<std::size_t>(process_map.nodes()), -1);
    std::vector<std::string> machines;
    for (const NodeEntry &entry : meters.nodes) {
        if (entry.node < 0 || entry.node >= process_map.nodes()) continue;
        const auto at = std::ranges::find(machines, entry.machine) - machines.begin();
        const auto place = static_cast<std::size_t>(at);
        if (place == machines.size()) {
            machines.push_back(entry.machine);
            nodes.push_back(entry.meters);
        } else if (nodes[place].energy_source.empty()) {
            nodes[place] = entry.meters;
        }
        index[static_cast<std::size_t>(entry.node)] = static_cast<std::int32_t>(at);
    }
    // A node whose leader did not come.
    for (std::int32_t &i : index) {
        if (i >= 0) continue;
        i = static_cast<std::int32_t>(nodes.size());
        nodes.emplace_back().why_no_energy = "the process that reads its meters did not come to cpl_lb_terminate";
    }
    return index;
}

void enter_places(Component &c, const std::vector<std::int32_t> &node_of_rank) {
    std::map<std::int32_t, std::int32_t> processes;
    for (const std::int32_t rank : c.ranks)
        ++processes[node_of_rank[static_cast<std::size_t>(rank)]];
    c.on_nodes.clear();
    c.processes_on_nodes.clear();
    for (const auto &[node, count] : processes) {
        c.on_nodes.push_back(node);
        c.processes_on_nodes.push_back(count);
    }
}

// The index in the run's nodes of a node of the process map; -1: there is none.
std::int32_t index_of(const std::vector<std::int32_t> &node_index, std::int32_t node) {
    const bool there = node >= 0 && static_cast<std::size_t>(node) < node_index.size();
    return there ? node_index[static_cast<std::size_t>(node)] : -1;
}

// Nodes with one kernel have the same GPUs.
void enter_all_gpus(const GatheredMeters &meters, const std::vector<std::int32_t> &node_index,
                    std::int64_t gpus_given, CoupledRun &run) {
    std::vector<GpusOfNode> nodes(run.meters.nodes.size());
    for (const NodeEntry &entry : meters.nodes) {
        const std::int32_t at = index_of(node_index, entry.node);
        if (at >= 0 && !nodes[static_cast<std::size_t>(at)].known) nodes[static_cast<std::size_t>(at)] = entry.gpus;
    }
    std::vector<GpuUse> uses;
    for (GpuUse use : meters.gpu_uses) {
        use.node = index_of(node_index, use.node);
        if (use.node >= 0) unite(uses, {use});
    }
    enter_gpus(nodes, uses, gpus_given, run);
}

std::string in_words(const Absent &a, std::size_t processes, std::size_t nodes) {
    const std::size_t all = a.of_node ? nodes : processes;
    std::string where;
    if (static_cast<std::size_t>(a.count) < all)
        where = fmt::format(" on {} of {} {}", a.count, all, a.of_node ? "nodes" : "processes");
    return fmt::format("{}{}: {}", a.what, where, a.why);
}

} // namespace

void unite(GatheredMeters &mine, const GatheredMeters &theirs) {
    if (mine.components.size() < theirs.components.size()) mine.components.resize(theirs.components.size());
    for (std::size_t i = 0; i < theirs.components.size(); ++i)
        unite(mine.components[i], theirs.components[i]);
    mine.nodes.insert(mine.nodes.end(), theirs.nodes.begin(), theirs.nodes.end());
    for (Spread RunMeters::*figure :
         {&RunMeters::hwm_B, &RunMeters::executable_B, &RunMeters::samples, &RunMeters::sampling_s,
          &RunMeters::switches_per_s, &RunMeters::no_processor_s, &RunMeters::crowding})
        (mine.run.*figure).add(theirs.run.*figure);
    unite(mine.run.node_memory, theirs.run.node_memory);
    unite(mine.run.node_power, theirs.run.node_power);
    unite(mine.run.others, theirs.run.others);
    unite(mine.gpu_uses, theirs.gpu_uses);
    const auto key = [](const Absent &a) { return std::tie(a.what, a.why); };
    unite_lists(mine.absent, theirs.absent, key, [](Absent &m, const Absent &a) { m.count += a.count; });
}

void enter_meters(const GatheredMeters &meters, const ProcessMap &process_map, std::int64_t gpus_given,
                  CoupledRun &run) {
    run.meters = meters.run;
    RunMeters &all = run.meters;
    const std::vector<std::int32_t> node_index = enter_nodes(meters, process_map, all.nodes);
    std::vector<std::int32_t> node_of_rank = process_map.node_of_rank.all();
    for (std::int32_t &node : node_of_rank)
        node = node_index[static_cast<std::size_t>(node)];
    for (const Absent &a : meters.absent)
        all.not_there.push_back(in_words(a, process_map.node_of_rank.size(), all.nodes.size()));
    for (Component &c : run.components) {
        const auto i = static_cast<std::size_t>(c.id) - 1;
        if (i < meters.components.size()) c.meters = meters.components[i];
        enter_places(c, node_of_rank);
        ImbalanceParts &parts = c.balance.imbalance_parts;
        if (parts.late_node_process < 0) continue;
        const std::int32_t rank = c.ranks[static_cast<std::size_t>(parts.late_node_process)];
        parts.late_node = all.nodes[static_cast<std::size_t>(node_of_rank[static_cast<std::size_t>(rank)])].name;
    }
    share_energy(run, node_of_rank);
    enter_all_gpus(meters, node_index, gpus_given, run);
}

void enter_torque_cores(const GetVariable &get, std::vector<NodeMeters> &nodes) {
    if (get("PBS_NP") == nullptr) return;
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeMeters &node : nodes)
        names.push_back(node.name);
    const std::vector<std::int64_t> cores =
        torque_cores(names, get, read_job_file(get("PBS_NODEFILE")).value_or(std::string()));
    for (std::size_t i = 0; i < cores.size(); ++i)
        if (cores[i] < nodes[i].installed_cores) nodes[i].installed_cores = static_cast<std::int32_t>(cores[i]);
}

} // namespace cpl_lb
