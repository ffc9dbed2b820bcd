// Finds components that share processes, and adds the points where one hands over to the next.
#include "prediction/shared_processes.hpp"

#include <algorithm>

namespace cpl_lb {

std::vector<std::vector<bool>> sharing(const CoupledRun &run) {
    const std::vector<Component> &all = run.components;
    std::vector<std::vector<bool>> shares(all.size(), std::vector<bool>(all.size()));
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const bool any = std::any_of(all[a].ranks.begin(), all[a].ranks.end(), [&](std::int32_t rank) {
                return std::find(all[b].ranks.begin(), all[b].ranks.end(), rank) != all[b].ranks.end();
            });
            shares[a][b] = shares[b][a] = any;
        }
    }
    return shares;
}

void check_turns(const CoupledRun &run, const std::vector<std::vector<bool>> &shares) {
    for (std::size_t a = 0; a < shares.size(); ++a) {
        const auto other = std::find(shares[a].begin(), shares[a].end(), true);
        if (other == shares[a].end()) continue;
        const Component &component = run.components[a];
        const std::string &name = run.components[static_cast<std::size_t>(other - shares[a].begin())].name;
        if (component.away_differs)
            throw PredictionError("the processes of " + component.name + " gave way to " + name +
                                  " a different number of times: no single order of the two");
        if (component.away.empty())
            throw PredictionError(component.name + " and " + name +
                                  " share processes, and the timelines do not say which of them computes when");
    }
}

void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const std::vector<std::vector<bool>> &shares) {
    for (std::size_t c = 0; c < turns.size(); ++c) {
        for (const Turn &turn : turns[c]) {
            for (std::size_t other = 0; other < turns.size(); ++other) {
                if (!shares[c][other]) continue;
                // Its last leave while this component was away; the same mark of the clock ends the one and the
                // other.
                const auto after = std::find_if(turns[other].begin(), turns[other].end(),
                                                [&](const Turn &t) { return t.away.start > turn.away.stop; });
                if (after == turns[other].begin()) continue;
                const Turn &last = *(after - 1);
                if (last.away.start > turn.away.start)
                    constituents[c].points[turn.back].waits_for.push_back({other, last.leaves});
            }
        }
    }
}

} // namespace cpl_lb
