// Divides the joules of each node among its components by their cores, and multiplies joules to CO2e.
#include "analysis/energy.hpp"

#include "support/fmt.hpp"

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

bool has_interval(const GivenFigure &f) {
    return is_known(f.low) && is_known(f.high);
}

// A figure without an interval counts as exact; a product of two such figures has no interval.
GivenFigure product(const GivenFigure &a, const GivenFigure &b) {
    GivenFigure p{a.value * b.value};
    if (!is_known(p.value) || (!has_interval(a) && !has_interval(b))) return p;
    const auto width = [](const GivenFigure &f, double end) {
        return has_interval(f) && f.value > 0 ? (end - f.value) / f.value : 0;
    };
    p.low = p.value * (1 - std::hypot(width(a, a.low), width(b, b.low)));
    p.high = p.value * (1 + std::hypot(width(a, a.high), width(b, b.high)));
    return p;
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

CarbonFootprint carbon_footprint(const GivenFigure &energy_kWh, const GivenFigure &pue,
                                 const GivenFigure &emission_factor) {
    CarbonFootprint result;
    result.building_kWh = product(energy_kWh, pue);
    result.co2e_kg = product(result.building_kWh, emission_factor);
    std::vector<std::string> without;
    if (!has_interval(energy_kWh)) without.emplace_back("the energy");
    if (!has_interval(pue)) without.emplace_back("the PUE");
    if (!has_interval(emission_factor)) without.emplace_back("the emission factor");
    result.without_interval = joined(without, ", ");
    return result;
}

} // namespace cpl_lb
