// The GPUs of the run's nodes and of its processes: they go up the tree with the meters, and become results for
// components. Sizes grow with nodes, their GPUs, and the components on each, not with processes.
#pragma once

#include "data/coupled_run.hpp"
#include "meters/process_gpus.hpp"
#include "mpi/wire.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// How busy a GPU was in the coupling loop of one component.
struct GpuInLoop {
    std::int32_t component = 0; // id
    double busy_share = unknown, clock_share = unknown;
    std::string why_missing;
};

struct GpuOfNode {
    NodeGpu gpu;
    std::vector<GpuInLoop> loops;
};

struct GpusOfNode {
    bool known = false; // false: whether there are any is not known
    std::vector<GpuOfNode> gpus;
};

// The GPUs that the processes of a component use on a node.
struct GpuUse {
    std::int32_t component = 0, node = 0;    // id, and node of the process map
    std::int64_t told = 0, not_told = 0;     // processes of which the drivers tell all, or not
    std::vector<std::string> uuids{};        // by the drivers, each once
    std::vector<std::string> visible{};      // by the environment of those not told
    std::vector<std::string> visible_from{}; // by these variables
    std::int64_t most_visible = 0;           // the most that one process may use, by its environment
    std::int64_t silent = 0;                 // processes not told whose environment says nothing, either
    bool of_job = false;                     // `visible` are those of the job
};

[[nodiscard]] GpuUse use_of(std::int32_t component, std::int32_t node, const ProcessGpus &gpus);
// Entries of one component on one node become one.
void unite(std::vector<GpuUse> &mine, const std::vector<GpuUse> &theirs);

// Fills in the GPUs of nodes and components. nodes: by run.meters.nodes. uses: their nodes are indices there. given:
// nn_gpus; -1: not given.
void enter_gpus(const std::vector<GpusOfNode> &nodes, const std::vector<GpuUse> &uses, std::int64_t given,
                CoupledRun &run);

void wire_members(auto &way, Either<NodeGpu> auto &g) {
    way.pass(g.kind, g.uuid);
}
void wire_members(auto &way, Either<GpuInLoop> auto &l) {
    way.pass(l.component, l.busy_share, l.clock_share, l.why_missing);
}
void wire_members(auto &way, Either<GpuOfNode> auto &g) {
    way.pass(g.gpu, g.loops);
}
void wire_members(auto &way, Either<GpusOfNode> auto &n) {
    way.pass(n.known, n.gpus);
}
void wire_members(auto &way, Either<GpuUse> auto &u) {
    way.pass(u.component, u.node, u.told, u.not_told, u.uuids, u.visible, u.visible_from, u.most_visible, u.silent,
             u.of_job);
}

} // namespace cpl_lb
