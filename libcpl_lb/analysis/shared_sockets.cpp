// Finds shared sockets from the bindings of the processes.
#include "analysis/shared_sockets.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

// Checks the range, because a file may hold any number.
bool has_several_sockets(const CoupledRun &run, std::int32_t node) {
    return node >= 0 && static_cast<std::size_t>(node) < run.meters.nodes.size() &&
           run.meters.nodes[static_cast<std::size_t>(node)].sockets > 1;
}

} // namespace

std::vector<SharedSockets> shared_sockets(const CoupledRun &run) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> bound; // by node and socket
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        for (const SocketUse &use : run.components[c].sockets.places) {
            if (use.sockets.size() != 1 || !has_several_sockets(run, use.node)) continue;
            std::vector<std::size_t> &there = bound[{use.node, use.sockets.front()}];
            if (there.empty() || there.back() != c) there.push_back(c);
        }
    }
    std::map<std::vector<std::size_t>, std::int64_t> groups;
    for (const auto &[socket, components] : bound)
        if (components.size() > 1) ++groups[components];
    std::vector<SharedSockets> shared;
    shared.reserve(groups.size());
    for (const auto &[components, sockets] : groups)
        shared.push_back({components, sockets});
    std::stable_sort(shared.begin(), shared.end(),
                     [](const SharedSockets &a, const SharedSockets &b) { return a.sockets > b.sockets; });
    return shared;
}

std::vector<SocketUse> sockets_on(const CoupledRun &run, const Component &component, std::size_t node) {
    std::vector<SocketUse> uses;
    if (!has_several_sockets(run, static_cast<std::int32_t>(node))) return uses;
    for (const SocketUse &use : component.sockets.places)
        if (use.node == static_cast<std::int32_t>(node) && !use.sockets.empty()) uses.push_back(use);
    return uses;
}

} // namespace cpl_lb
