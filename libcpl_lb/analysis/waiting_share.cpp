// The waiting share of a run, and who counts for it.
#include "analysis/waiting_share.hpp"

#include "analysis/in_between.hpp"

namespace cpl_lb {

bool has_loop(const Component &component) {
    return component.balance.loop_s > 0 && is_known(component.balance.waiting_s);
}

bool takes_part(const Component &component) {
    return has_loop(component) && !component.balance.is_io_server && !component.balance.waiting_for.empty();
}

double waiting_share_of_cores(const CoupledRun &run) {
    double waiting = 0;
    double loop = 0;
    const InBetween in_between(run);
    for (const Component &component : run.components) {
        if (!takes_part(component) || in_between.has(component)) continue;
        waiting += component.balance.waiting_s * static_cast<double>(component.cores());
        loop += component.balance.loop_s * static_cast<double>(component.cores());
    }
    return loop > 0 ? waiting / loop : unknown;
}

} // namespace cpl_lb
