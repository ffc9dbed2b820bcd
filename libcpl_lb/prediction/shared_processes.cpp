// Finds components that share processes, and adds the points where one hands over to the next.
#include "prediction/shared_processes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace cpl_lb {

Sharing sharing(const CoupledRun &run) {
    std::vector<std::pair<std::int32_t, std::size_t>> processes; // and a component that has it
    for (std::size_t c = 0; c < run.components.size(); ++c)
        for (const std::int32_t rank : run.components[c].ranks)
            processes.emplace_back(rank, c);
    std::sort(processes.begin(), processes.end());
    Sharing shares(run.components.size());
    std::set<std::vector<std::size_t>> known; // most processes have the same components as another one
    for (auto first = processes.begin(); first != processes.end();) {
        std::vector<std::size_t> together;
        auto next = first;
        for (; next != processes.end() && next->first == first->first; ++next)
            if (together.empty() || together.back() != next->second) together.push_back(next->second);
        first = next;
        if (together.size() < 2 || !known.insert(together).second) continue;
        for (const std::size_t c : together)
            std::copy_if(together.begin(), together.end(), std::back_inserter(shares[c]),
                         [c](std::size_t other) { return other != c; });
    }
    for (std::vector<std::size_t> &others : shares) {
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    return shares;
}

void check_turns(const CoupledRun &run, const Sharing &shares) {
    for (std::size_t a = 0; a < shares.size(); ++a) {
        if (shares[a].empty()) continue;
        const Component &component = run.components[a];
        const std::string &name = run.components[shares[a].front()].name;
        if (component.away_differs)
            throw PredictionError("the processes of " + component.name + " gave way to " + name +
                                  " a different number of times: no single order of the two");
        if (component.away.empty())
            throw PredictionError(component.name + " and " + name +
                                  " share processes, and the timelines do not say which of them computes when");
    }
}

void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares) {
    for (std::size_t c = 0; c < turns.size(); ++c) {
        for (const Turn &turn : turns[c]) {
            for (const std::size_t other : shares[c]) {
                // Its last leave while this component was away; the same mark of the clock ends the one and the
                // other.
                const auto after =
                    std::upper_bound(turns[other].begin(), turns[other].end(), turn.away.stop,
                                     [](Nanoseconds back, const Turn &t) { return back < t.away.start; });
                if (after == turns[other].begin()) continue;
                const Turn &last = *(after - 1);
                if (last.away.start > turn.away.start)
                    constituents[c].points[turn.back].waits_for.push_back({other, last.leaves});
            }
        }
    }
}

} // namespace cpl_lb
