// Finds components that are as slow as the slow side, by replays in which they compute a little faster.
#include "prediction/run_balance.hpp"

#include "analysis/waiting_share.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cpl_lb {
namespace {

// Replays the loop with some components 10 % faster. The share of the path is that of a step as small as one likes:
// of those that compute equally long side by side it says which came last more often, by chance, or by processes
// whose calls nobody sees.
class FasterTogether {
public:
    FasterTogether(const CoupledRun &part, const MeasuredGraph &loop)
        : part_(part), loop_(loop), factors_(loop.graph->components(), 1.0), now_s_(loop.replay(factors_).slowest_s) {
    }

    // Whether the loop gets shorter by at least half of what the components' shares of the path promise. If not,
    // another component takes their place.
    [[nodiscard]] bool helps(const std::vector<std::size_t> &group) {
        constexpr double faster = 0.1;
        double share = 0;
        for (const std::size_t c : group) {
            share += part_.components[c].balance.critical_share;
            factors_[c] = 1 - faster;
        }
        const double saved_s = now_s_ - loop_.replay(factors_).slowest_s;
        for (const std::size_t c : group)
            factors_[c] = 1;
        return saved_s >= 0.5 * faster * share * now_s_;
    }

private:
    const CoupledRun &part_;
    const MeasuredGraph &loop_;
    std::vector<double> factors_;
    double now_s_;
};

// The others that can be the slow side, who computes most first.
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

// `slow` and the fewest others with which the loop gets shorter. Empty: `slow` alone does it, or nobody.
std::vector<std::size_t> group_of(const CoupledRun &part, std::size_t slow, FasterTogether &faster) {
    std::vector<std::size_t> group{slow};
    if (faster.helps(group)) return {};
    bool helps = false;
    for (const std::size_t c : others(part, slow)) {
        group.push_back(c);
        helps = faster.helps(group);
        if (helps) break;
    }
    if (!helps) return {}; // the transfers, or many
    for (std::size_t i = group.size() - 1; i-- > 1;) {
        std::vector<std::size_t> without = group;
        std::erase(without, group[i]);
        if (faster.helps(without)) group = without;
    }
    return group;
}

} // namespace

void enter_equally_slow(const CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop) {
    const auto slow = std::find_if(part.components.begin(), part.components.end(),
                                   [&](const Component &c) { return c.id == balance.slow_side; });
    if (slow == part.components.end() || loop.paces.empty()) return;
    FasterTogether faster(part, loop);
    std::vector<std::size_t> group = group_of(part, static_cast<std::size_t>(slow - part.components.begin()), faster);
    if (group.empty()) return;
    const auto share = [&](std::size_t c) { return part.components[c].balance.critical_share; };
    std::sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return share(a) > share(b); });
    for (const std::size_t c : group)
        balance.equally_slow.push_back(part.components[c].id);
    constexpr double much = 0.2; // the path changes from one to the other, and none is the slow one
    if (share(group[1]) >= much) balance.slow_side = 0;
}

} // namespace cpl_lb
