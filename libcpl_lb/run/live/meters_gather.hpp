// The meters of all processes, united on the root at terminate: one message goes up the tree. Its size grows with
// the components, the nodes and the length of a series, not with the processes.
#pragma once

#include "analysis/batch_system.hpp"
#include "data/coupled_run.hpp"
#include "mpi/group.hpp"
#include "mpi/process_map.hpp"
#include "run/live/gpus_gather.hpp"
#include "run/live/sockets_gather.hpp"

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
    Spread hwm_B, executable_B, samples, sampling_s, switches_per_s, no_processor_s, crowding;
    Series node_memory, node_power;
    std::vector<MeterFigures> others;
    std::vector<GpuUse> gpu_uses;
    std::vector<ToldSockets> sockets;
    std::vector<Absent> absent;
};

void unite(GatheredMeters &mine, const GatheredMeters &theirs);

[[nodiscard]] Bytes pack_meters(const GatheredMeters &meters);
[[nodiscard]] GatheredMeters unpack_meters(const Bytes &bytes);

// Collective over `present`; the leader gets the result.
bool gather_meters(Group &present, GatheredMeters &meters);
// Sends all the coupling loop of each component, by id - 1, in run time. An empty interval: no loop.
bool share_loops(Group &present, std::vector<Interval> &loops);

// Enters all meters into the run: nodes as in the process map (those with one kernel are one node), components'
// energy by core share (analysis/energy.hpp), their GPUs and sockets, and what is missing, in words. gpus_given:
// nn_gpus.
void enter_meters(const GatheredMeters &meters, const ProcessMap &process_map, std::int64_t gpus_given,
                  CoupledRun &run);

// On the root, whose node has the file: cores of the job on each node by PBS_NODEFILE (torque_cores), where they are
// not more than the kernel lets the job use. More are hardware threads: then the kernel's number stays.
void enter_torque_cores(const GetVariable &get, std::vector<NodeMeters> &nodes);

} // namespace cpl_lb
