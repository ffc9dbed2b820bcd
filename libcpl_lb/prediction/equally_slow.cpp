// Finds components that are as slow as the slow side, by replays in which they compute a little faster.
#include "prediction/run_balance.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace cpl_lb {
namespace {

// The other components that can be the slow side, the longest computing first.
std::vector<std::size_t> others(const CoupledRun &part, std::size_t slow) {
    constexpr std::size_t most = 7; // each takes a replay
    const InBetween between(part);
    std::vector<std::size_t> result;
    for (std::size_t c = 0; c < part.components.size(); ++c) {
        const Component &other = part.components[c];
        if (c != slow && !other.balance.is_io_server && !between.has(other) && other.balance.computing_s > 0)
            result.push_back(c);
    }
    std::ranges::stable_sort(result, std::ranges::greater{},
                             [&](std::size_t c) { return part.components[c].balance.computing_s; });
    if (result.size() > most) result.resize(most);
    return result;
}

} // namespace

std::vector<std::size_t> equally_slow(const CoupledRun &part, const MeasuredGraph &loop,
                                      const std::vector<double> &shares, std::size_t slow,
                                      const std::vector<double> &factors) {
    if (loop.paces.empty()) return {};
    const double now_s = loop.replay(factors).slowest_s;
    // Replays the loop with some components 10 % faster. The share of the path only holds for a very small step: if
    // several components compute equally long side by side, it shows which one came last more often, by chance or
    // because the calls of some processes are not seen. The loop has to get shorter by at least half of what the
    // shares promise. If not, another component takes their place on the path.
    auto helps = [&, factors = factors](const std::vector<std::size_t> &group) mutable {
        constexpr double faster = 0.1;
        double share = 0;
        for (const std::size_t c : group) {
            share += shares[c];
            factors[c] *= 1 - faster;
        }
        const double saved_s = now_s - loop.replay(factors).slowest_s;
        for (const std::size_t c : group)
            factors[c] /= 1 - faster;
        return saved_s >= 0.5 * faster * share * now_s;
    };
    std::vector<std::size_t> group{slow};
    if (helps(group)) return {};
    bool any_helps = false;
    for (const std::size_t c : others(part, slow)) {
        group.push_back(c);
        any_helps = helps(group);
        if (any_helps) break;
    }
    if (!any_helps) return {}; // due to the transfers, or to many components
    for (std::size_t i = group.size() - 1; i-- > 1;) {
        std::vector<std::size_t> without = group;
        std::erase(without, group[i]);
        if (helps(without)) group = without;
    }
    std::ranges::sort(group, std::ranges::greater{}, [&](std::size_t c) { return shares[c]; });
    return group;
}

void enter_equally_slow(const CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop) {
    const auto slow = std::ranges::find(part.components, balance.slow_side, &Component::id);
    if (slow == part.components.end()) return;
    std::vector<double> shares;
    for (const Component &component : part.components)
        shares.push_back(component.balance.critical_share);
    const std::vector<std::size_t> group =
        equally_slow(part, loop, shares, static_cast<std::size_t>(slow - part.components.begin()),
                     std::vector<double>(loop.graph->components(), 1.0));
    if (group.empty()) return;
    for (const std::size_t c : group)
        balance.equally_slow.push_back(part.components[c].id);
    constexpr double much = 0.2; // the path changes between them, and none is the slow one
    if (shares[group[1]] >= much) balance.slow_side = 0;
}

} // namespace cpl_lb
