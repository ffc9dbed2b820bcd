// Divides the joules of each node among its components by their cores.
#include "analysis/energy.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

namespace cpl_lb {
namespace {

// Cores by component and by index of the node. Most components are on few of many nodes.
using Cores = std::vector<std::map<std::size_t, double>>;

Cores count_cores(CoupledRun &run, std::span<const std::int32_t> node_of_rank) {
    Cores cores(run.components.size());
    std::vector<bool> counted(node_of_rank.size());
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        for (const std::int32_t rank : run.components[c].ranks) {
            const auto r = static_cast<std::size_t>(rank);
            if (rank < 0 || r >= node_of_rank.size() || counted[r]) continue;
            counted[r] = true;
            const auto n = static_cast<std::size_t>(node_of_rank[r]);
            ++run.meters.nodes[n].processes;
            cores[c][n] += run.components[c].cores_of_process();
        }
    }
    std::vector<double> of_node(run.meters.nodes.size());
    for (const auto &of_component : cores)
        for (const auto &[n, own] : of_component)
            of_node[n] += own;
    for (std::size_t n = 0; n < of_node.size(); ++n)
        run.meters.nodes[n].cores += static_cast<std::int32_t>(std::lround(of_node[n]));
    return cores;
}

void share(Component &component, const std::map<std::size_t, double> &cores, const std::vector<NodeMeters> &nodes) {
    ComponentMeters &m = component.meters;
    double energy_J = 0, gpu_J = 0;
    bool any = false;
    for (const auto &[n, own] : cores) {
        if (own == 0) continue;
        const double part = own / nodes[n].cores;
        m.energy_is_estimate = m.energy_is_estimate || part < 1;
        if (!is_known(nodes[n].energy.total_J) && m.why_no_energy.empty()) m.why_no_energy = nodes[n].why_no_energy;
        energy_J += part * nodes[n].energy.total_J;
        gpu_J += part * nodes[n].energy.gpu_J;
        any = any || own > 0;
    }
    m.energy_J = any ? energy_J : unknown;
    m.gpu_J = any ? gpu_J : unknown;
    if (!any) m.why_no_energy = "its processes count for the component that they run first";
}

} // namespace

void share_energy(CoupledRun &run, std::span<const std::int32_t> node_of_rank) {
    const Cores cores = count_cores(run, node_of_rank);
    for (std::size_t c = 0; c < run.components.size(); ++c)
        share(run.components[c], cores[c], run.meters.nodes);
    double all_J = run.meters.nodes.empty() ? unknown : 0;
    for (const NodeMeters &node : run.meters.nodes)
        all_J += node.energy.total_J;
    run.meters.energy_J = all_J;
}

} // namespace cpl_lb
