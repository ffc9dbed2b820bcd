// Merges the lists of nodes of several runs, and adds up figures if possible.
#include "run/joined/joined_meters.hpp"

#include "support/sentences.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

void add_node(RunMeters &joined, std::vector<bool> &shared, const NodeMeters &node, std::size_t &place) {
    const auto same = [&](const NodeMeters &other) { return other.name == node.name; };
    const auto found = std::find_if(joined.nodes.begin(), joined.nodes.end(), same);
    place = static_cast<std::size_t>(found - joined.nodes.begin());
    if (found == joined.nodes.end()) {
        joined.nodes.push_back(node);
        shared.push_back(false);
        return;
    }
    shared[place] = true;
    found->processes += node.processes;
    found->cores = std::max(found->cores, node.cores);
    found->energy = {};
    found->energy_source.clear();
    found->why_no_energy = say(Sentence::part_node_of_several_runs);
    found->memory_used_B = std::max(found->memory_used_B, node.memory_used_B);
}

void settle_component(Component &c, const std::vector<std::size_t> &places, const std::vector<bool> &shared) {
    c.meters.rss = {};
    // The counts move with their nodes; without a count for each there is none.
    std::vector<std::pair<std::int32_t, std::int32_t>> counted;
    counted.reserve(c.on_nodes.size());
    const bool has_counts = c.processes_on_nodes.size() == c.on_nodes.size();
    for (std::size_t i = 0; i < c.on_nodes.size(); ++i)
        counted.emplace_back(static_cast<std::int32_t>(places[static_cast<std::size_t>(c.on_nodes[i])]),
                             has_counts ? c.processes_on_nodes[i] : 0);
    std::sort(counted.begin(), counted.end());
    c.processes_on_nodes.resize(has_counts ? counted.size() : 0);
    for (std::size_t i = 0; i < counted.size(); ++i) {
        c.on_nodes[i] = counted[i].first;
        if (has_counts) c.processes_on_nodes[i] = counted[i].second;
    }
    std::erase_if(c.sockets.places, [&](const SocketUse &use) {
        return use.node < 0 || static_cast<std::size_t>(use.node) >= places.size();
    });
    for (SocketUse &use : c.sockets.places)
        use.node = static_cast<std::int32_t>(places[static_cast<std::size_t>(use.node)]);
    // Whose nodes are not known may be on a shared one.
    const bool known = !c.on_nodes.empty();
    const bool on_shared = std::any_of(c.on_nodes.begin(), c.on_nodes.end(),
                                       [&](std::int32_t node) { return shared[static_cast<std::size_t>(node)]; });
    const bool any_shared = std::find(shared.begin(), shared.end(), true) != shared.end();
    if (!is_known(c.meters.energy_J) || !(known ? on_shared : any_shared)) return;
    c.meters.energy_J = c.meters.gpu_J = unknown;
    c.meters.why_no_energy = say(Sentence::part_node_of_several_runs);
}

void add_sums(RunMeters &joined, const RunMeters &own) {
    joined.memory_wanted = joined.memory_wanted || own.memory_wanted;
    joined.energy_wanted = joined.energy_wanted || own.energy_wanted;
    if (joined.counters_wanted.empty()) joined.counters_wanted = own.counters_wanted;
    joined.hwm_B.add(own.hwm_B);
    joined.executable_B.add(own.executable_B);
    joined.samples.add(own.samples);
    joined.sampling_s.add(own.sampling_s);
    joined.switches_per_s.add(own.switches_per_s);
    joined.no_processor_s.add(own.no_processor_s);
    for (const std::string &line : own.not_there)
        if (std::find(joined.not_there.begin(), joined.not_there.end(), line) == joined.not_there.end())
            joined.not_there.push_back(line);
}

} // namespace

RunMeters join_meters(std::span<CoupledRun *const> runs) {
    RunMeters joined;
    std::vector<bool> shared; // as the nodes
    std::vector<std::vector<std::size_t>> places(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        add_sums(joined, runs[r]->meters);
        for (const NodeMeters &node : runs[r]->meters.nodes)
            add_node(joined, shared, node, places[r].emplace_back());
    }
    const bool any_shared = std::find(shared.begin(), shared.end(), true) != shared.end();
    bool all_known = !runs.empty();
    double energy_J = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (Component &c : runs[r]->components) {
            std::erase_if(c.on_nodes, [&](std::int32_t node) {
                return node < 0 || static_cast<std::size_t>(node) >= places[r].size();
            });
            settle_component(c, places[r], shared);
        }
        all_known = all_known && is_known(runs[r]->meters.energy_J);
        energy_J += runs[r]->meters.energy_J;
        if (!any_shared) joined.crowding.add(runs[r]->meters.crowding);
    }
    if (all_known && !any_shared) joined.energy_J = energy_J;
    return joined;
}

} // namespace cpl_lb
