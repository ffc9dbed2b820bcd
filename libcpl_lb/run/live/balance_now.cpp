// Sums by component up the tree, and down again.
#include "run/live/balance_now.hpp"

#include "run/live/unite.hpp"

#include <algorithm>

namespace cpl_lb {

namespace {

// A process that has left its component, or no longer exchanges for it, has steps of long ago.
void forget_steps(BalanceNow &one) {
    BalanceNow without;
    without.name = std::move(one.name);
    without.processes = one.processes;
    without.io_servers = one.io_servers;
    one = std::move(without);
}

void add(BalanceNow &mine, BalanceNow theirs) {
    if (mine.measured > 0 && theirs.measured > 0) {
        if (theirs.to_ns < mine.from_ns) forget_steps(theirs);
        if (mine.to_ns < theirs.from_ns) forget_steps(mine);
    }
    const bool both = mine.measured > 0 && theirs.measured > 0, only_theirs = mine.measured == 0;
    mine.steps = both ? std::min(mine.steps, theirs.steps) : only_theirs ? theirs.steps : mine.steps;
    mine.from_ns = both ? std::min(mine.from_ns, theirs.from_ns) : only_theirs ? theirs.from_ns : mine.from_ns;
    mine.to_ns = both ? std::max(mine.to_ns, theirs.to_ns) : only_theirs ? theirs.to_ns : mine.to_ns;
    mine.processes += theirs.processes;
    mine.measured += theirs.measured;
    mine.io_servers += theirs.io_servers;
    mine.seconds += theirs.seconds;
    mine.waiting_s += theirs.waiting_s;
    mine.coupling_s += theirs.coupling_s;
    mine.own_s += theirs.own_s;
}

} // namespace

void unite(ComponentsNow &mine, const ComponentsNow &theirs) {
    unite_lists(mine.components, theirs.components, &BalanceNow::name, add);
    mine.together = mine.together && theirs.together && mine.lowest_rank == theirs.lowest_rank &&
                    mine.processes == theirs.processes;
}

ComponentsNow agree_on_now(Group &group, BalanceNow mine) {
    ComponentsNow now{{std::move(mine)}, group.ranks().front(), group.size()};
    unite_up(group, "the balance now", now);
    tell_all(group, "the balance now", now);
    return now;
}

// Like the verdict of the report: no component is named if none waits, or if the next one waits as little.
std::optional<std::size_t> slow_side_now(const std::vector<BalanceNow> &components) {
    constexpr double balanced_below = 0.02, clearly_less = 0.05;
    std::optional<std::size_t> slow;
    double least = 2, second = 2, most = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (!components[i].can_be_slow()) continue;
        const double share = components[i].waiting_share();
        most = std::max(most, share);
        second = std::min(second, std::max(share, least));
        if (share >= least) continue;
        least = share;
        slow = i;
    }
    if (second > 1 || most < balanced_below || second - least <= clearly_less) return std::nullopt;
    return slow;
}

} // namespace cpl_lb
