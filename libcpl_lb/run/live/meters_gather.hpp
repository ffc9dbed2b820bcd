// The meters of all processes, united on the root at terminate: one message goes up the tree. Its size grows with
// the components, the nodes and the length of a series, not with the processes.
#pragma once

#include "analysis/batch_system.hpp"
#include "data/coupled_run.hpp"
#include "mpi/group.hpp"
#include "mpi/process_map.hpp"
#include "run/live/gpus_gather.hpp"
#include "run/live/wire_members.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One node, from its leader.
struct NodeEntry {
    std::int32_t node = 0; // of the process map
    std::string machine;   // nodes with the same text have one kernel, so the same energy counters
    NodeMeters meters;
    GpusOfNode gpus;
};

// A quantity that is not measured, and on how many processes (or nodes) it is not.
struct Absent {
    std::string what, why; // why: with the remedy
    bool of_node = false;
    std::int64_t count = 0;
};

struct GatheredMeters {
    std::vector<ComponentMeters> components; // by id - 1
    std::vector<NodeEntry> nodes;
    RunMeters run; // only spreads, series and `others`
    std::vector<GpuUse> gpu_uses;
    std::vector<Absent> absent;
};

void unite(GatheredMeters &mine, const GatheredMeters &theirs);

void wire_members(auto &way, Either<NodeEntry> auto &n) {
    way.pass(n.node, n.machine, n.meters.name, n.meters.energy, n.meters.energy_source, n.meters.why_no_energy,
             n.meters.memory_B, n.meters.memory_used_B, n.meters.installed_cores, n.gpus);
}

void wire_members(auto &way, Either<Absent> auto &a) {
    way.pass(a.what, a.why, a.of_node, a.count);
}

void wire_members(auto &way, Either<GatheredMeters> auto &m) {
    way.pass(m.components, m.nodes, m.run.hwm_B, m.run.executable_B, m.run.samples, m.run.sampling_s,
             m.run.switches_per_s, m.run.no_processor_s, m.run.crowding, m.run.node_memory, m.run.node_power,
             m.run.others, m.gpu_uses, m.absent);
}

// Enters all meters into the run: nodes as in the process map (those with one kernel are one node), components'
// energy by core share (analysis/energy.hpp), their GPUs, and what is missing, in words. gpus_given:
// nn_gpus.
void enter_meters(const GatheredMeters &meters, const ProcessMap &process_map, std::int64_t gpus_given,
                  CoupledRun &run);

// On the root, whose node has the file: cores of the job on each node by PBS_NODEFILE (torque_cores), where they are
// not more than the kernel lets the job use. More are hardware threads: then the kernel's number stays.
void enter_torque_cores(const GetVariable &get, std::vector<NodeMeters> &nodes);

} // namespace cpl_lb
