// Finds components that are as slow as the slow side, by replays in which they compute a little faster.
#include "prediction/run_balance.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cpl_lb {
namespace {

// Replays the loop with some components 10 % faster. The share of the path only holds for a very small step: if
// several components compute equally long side by side, it shows which one came last more often, by chance or because
// the calls of some processes are not seen.
class FasterTogether {
public:
    FasterTogether(const std::vector<double> &shares, const MeasuredGraph &loop, const std::vector<double> &factors)
        : shares_(shares), loop_(loop), factors_(factors), now_s_(loop.replay(factors).slowest_s) {}

    // Whether the loop gets shorter by at least half of what the components' shares of the path promise. If not,
    // another component takes their place on the path.
    [[nodiscard]] bool helps(const std::vector<std::size_t> &group) {
        constexpr double faster = 0.1;
        double share = 0;
        for (const std::size_t c : group) {
            share += shares_[c];
            factors_[c] *= 1 - faster;
        }
        const double saved_s = now_s_ - loop_.replay(factors_).slowest_s;
        for (const std::size_t c : group)
            factors_[c] /= 1 - faster;
        return saved_s >= 0.5 * faster * share * now_s_;
    }

private:
    const std::vector<double> &shares_;
    const MeasuredGraph &loop_;
    std::vector<double> factors_;
    double now_s_;
};

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
    std::stable_sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) {
        return part.components[a].balance.computing_s > part.components[b].balance.computing_s;
    });
    if (result.size() > most) result.resize(most);
    return result;
}

// `slow` and the fewest others with which the loop gets shorter. Empty: `slow` alone suffices, or no group does.
std::vector<std::size_t> group_of(const CoupledRun &part, std::size_t slow, FasterTogether &faster) {
    std::vector<std::size_t> group{slow};
    if (faster.helps(group)) return {};
    bool helps = false;
    for (const std::size_t c : others(part, slow)) {
        group.push_back(c);
        helps = faster.helps(group);
        if (helps) break;
    }
    if (!helps) return {}; // due to the transfers, or to many components
    for (std::size_t i = group.size() - 1; i-- > 1;) {
        std::vector<std::size_t> without = group;
        std::erase(without, group[i]);
        if (faster.helps(without)) group = without;
    }
    return group;
}

} // namespace

std::vector<std::size_t> equally_slow(const CoupledRun &part, const MeasuredGraph &loop,
                                      const std::vector<double> &shares, std::size_t slow,
                                      const std::vector<double> &factors) {
    if (loop.paces.empty()) return {};
    FasterTogether faster(shares, loop, factors);
    std::vector<std::size_t> group = group_of(part, slow, faster);
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    return group;
}

void enter_equally_slow(const CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop) {
    const auto slow = std::find_if(part.components.begin(), part.components.end(),
                                   [&](const Component &c) { return c.id == balance.slow_side; });
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
