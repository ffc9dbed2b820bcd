// The waiting share of a run, who counts for it, and who stands between others.
#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace cpl_lb {
namespace {

using Partners = std::map<std::int32_t, std::set<std::int32_t>>; // of each component: who exchanges with it

Partners partners_of_all(const CoupledRun &run) {
    Partners partners;
    for (const Component &component : run.components) {
        for (const WaitingFor &w : component.balance.waiting_for) {
            if (w.component == component.id) continue;
            partners[component.id].insert(w.component);
            partners[w.component].insert(component.id);
        }
    }
    return partners;
}

// Whether each two of them exchange with each other.
bool all_know_each_other(const std::vector<std::int32_t> &some, const Partners &partners) {
    return std::all_of(some.begin(), some.end(), [&](std::int32_t one) {
        const std::set<std::int32_t> &known = partners.at(one);
        return known.size() + 1 >= some.size() && std::all_of(some.begin(), some.end(), [&](std::int32_t other) {
                   return other == one || known.count(other) > 0;
               });
    });
}

} // namespace

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

bool waits_most_of_its_time(const Component &component) {
    return component.balance.waiting_s > 0.5 * component.balance.loop_s;
}

InBetween::InBetween(const CoupledRun &run) {
    const Partners partners = partners_of_all(run);
    std::set<std::int32_t> counted; // those of the run that are no I/O servers
    for (const Component &component : run.components)
        if (!component.balance.is_io_server) counted.insert(component.id);
    for (const Component &component : run.components) {
        if (!takes_part(component) || component.id == run.balance.slow_side || !waits_most_of_its_time(component))
            continue;
        std::vector<std::int32_t> of_this;
        if (const auto found = partners.find(component.id); found != partners.end())
            std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(of_this),
                         [&](std::int32_t id) { return counted.count(id) > 0; });
        if (!all_know_each_other(of_this, partners)) ids_.insert(component.id);
    }
}

bool somebody_waits(const CoupledRun &run) {
    const InBetween between(run);
    return std::any_of(run.components.begin(), run.components.end(), [&](const Component &c) {
        if (!takes_part(c) || between.has(c)) return false;
        return std::any_of(c.balance.waiting_for.begin(), c.balance.waiting_for.end(), [&](const WaitingFor &w) {
            return w.get_s + w.put_s >= balanced_below * c.balance.loop_s;
        });
    });
}

} // namespace cpl_lb
