// Compares threads with processors, and counts how often processes lost theirs.
#include "analysis/disturbance.hpp"

#include "support/fmt.hpp"

namespace cpl_lb {

// More than one runnable thread for a processor, or processes that lose theirs again and again: who waits is then
// decided by the machine. A process alone on its core is interrupted a few times a second. With too few processors
// the switches say nothing: MPI gives them up itself while it waits, which the kernel counts, too.
std::string why_disturbed(const CoupledRun &run) {
    constexpr double crowded = 1.0, often_per_s = 50;
    const double crowding = run.meters.crowding.max;
    const double switches = run.meters.switches_per_s.max;
    if (crowding > crowded) return fmt::format("up to {:.3g} threads of it for each processor of a node", crowding);
    if (switches >= often_per_s)
        return fmt::format("a process lost its processor to others {:.0f} times a second", switches);
    return "";
}

} // namespace cpl_lb
