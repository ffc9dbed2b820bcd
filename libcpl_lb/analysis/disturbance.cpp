// Compares the time without a processor with the coupling loop.
#include "analysis/disturbance.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

double share_of_loop(const Component &component) {
    return component.no_processor.outside.max / component.balance.loop_s;
}

} // namespace

bool is_disturbed(const Component &component) {
    return takes_part(component) && component.no_processor.outside.count > 0 &&
           share_of_loop(component) >= disturbed_from;
}

std::vector<const Component *> disturbed_components(const CoupledRun &run) {
    std::vector<const Component *> all;
    for (const Component &component : run.components)
        if (is_disturbed(component)) all.push_back(&component);
    std::stable_sort(all.begin(), all.end(),
                     [](const Component *a, const Component *b) { return share_of_loop(*a) > share_of_loop(*b); });
    return all;
}

} // namespace cpl_lb
