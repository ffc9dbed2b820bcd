// The share of the cores' time in the coupling loops that is lost to waiting (docs/definitions.md, section 2), and
// where every core hour goes. Waiting is lost core time whoever waits. Left out are I/O servers, and who stands
// between others on a single core, which it needs. Inside a component: the process for whose messages its others wait
// again and again (section "Who talks to whom inside a component"), and its GPUs.
#pragma once

#include "data/coupled_run.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// Whether the component has a coupling loop with known waiting.
[[nodiscard]] bool has_loop(const Component &component);
// Whether its waiting counts for the run: it has a loop with exchanges and is no I/O server.
[[nodiscard]] bool takes_part(const Component &component);

// The components that exchange through windows of MPI, where nobody sees who waits (docs/definitions.md, section 8).
struct OnWindows {
    std::vector<std::string> names; // in the order of the run; another one, if it has no name there, last
    bool hide_waits = false;        // so much, or so alone, that it is not known who is slow
};
[[nodiscard]] OnWindows on_windows(const CoupledRun &run);
inline constexpr const char *windows_hide_waits =
    "components exchange through windows of MPI, and who waits there is not known";

// sum of cores x waiting / sum of cores x loop, over the components that take part and are not left out (InBetween);
// NaN without any, or if windows hide waits. Needs balance.is_io_server and the slow side.
[[nodiscard]] double waiting_share_of_cores(const CoupledRun &run);

[[nodiscard]] bool waits_most_of_its_time(const Component &component);

// The components that wait most of their time and connect two partners that have no other way to each other, so that
// these wait for each other through them: couplers, masters, and models in the middle that have too many cores. The
// slow side of the run is never one of them.
class InBetween {
public:
    explicit InBetween(const CoupledRun &run);
    [[nodiscard]] bool has(const Component &component) const { return ids_.contains(component.id); }
    // One of them that could not use fewer cores: its waiting is not counted as lost.
    [[nodiscard]] bool leaves_out(const Component &component) const { return on_one_core_.contains(component.id); }

private:
    std::set<std::int32_t> ids_, on_one_core_;
};

// The share that these seconds of each component take of the core time in all coupling loops; 0 without any loop.
template <class SecondsOf>
[[nodiscard]] double share_of_all_core_time(const CoupledRun &run, const SecondsOf &seconds_of) {
    double part = 0, all = 0;
    for (const Component &component : run.components) {
        if (!has_loop(component)) continue;
        const auto cores = static_cast<double>(component.cores());
        part += cores * seconds_of(component);
        all += cores * component.balance.loop_s;
    }
    return all > 0 ? part / all : 0;
}

// The components of the coupling of which a process had no processor for at least disturbed_from of its loop, outside
// of MPI, the largest share first. Empty: none, or the kernel does not count it.
[[nodiscard]] std::vector<const Component *> disturbed_components(const CoupledRun &run);

// Where every core hour of the coupling loop goes (docs/definitions.md, section 8): efficiencies whose products are
// those above them. A component without a loop has its `inside` over the whole run, and no coupling.
[[nodiscard]] Efficiency efficiency_of(const Component &component);

// Sums over the components with a coupling loop, weighted with their cores. Without any, the `inside` of all
// components over the whole run. NaN if windows hide waits, which look useful.
[[nodiscard]] Efficiency efficiency_of(const CoupledRun &run);

// Whether MPI was recorded in any component. If not, few efficiencies are known.
[[nodiscard]] bool knows_inside(const CoupledRun &run);

// The share in the component's core time in its loop; without a loop, in its run. NaN: the length is not known.
[[nodiscard]] double share_of_core_time(const Component &component, double seconds);

// How long the processes of a component wait for each other in its coupling loop.
struct WaitingInside {
    double seconds = unknown; // the mean process, for the last one; of a spread: what one can have waited at most
    bool is_spread = false;   // that is little: they come at different times, and go on without each other
    bool by_mpi = false;      // so the recorded MPI says
};
[[nodiscard]] WaitingInside waiting_inside(const Component &component);

// Null if there is none, or if it is not known.
[[nodiscard]] const WaitedFor *late_sender(const Component &component);

// The share of the core time that certainly goes into waits for that process; 0: no process is late again and again;
// NaN: not known.
[[nodiscard]] double late_sender_share(const Component &component);

// Messages and bytes of the whole run, start-up and end included, divided by the steps of the loop. NaN: not known.
struct StepTraffic {
    double messages = unknown, bytes = unknown;
};
[[nodiscard]] StepTraffic traffic_of_step(const Component &component);

// Samples do not tell when in the loop a GPU was busy, so only bounds are known. Their sum is the computing.
struct GpuSplit {
    double busy_most_s = unknown;  // GPUs are busy for at most so much of the computing
    double idle_least_s = unknown; // and idle for at least so much of it
};

[[nodiscard]] inline GpuSplit gpu_split(const Component &c) {
    const double computing_s = c.balance.computing_s, busy_s = c.gpus.busy_share * c.balance.loop_s;
    if (!is_known(computing_s) || !is_known(busy_s)) return {};
    const double most_s = std::min(computing_s, busy_s);
    return {most_s, computing_s - most_s};
}

} // namespace cpl_lb
