// Replays the graph: each point begins when all points that it waits for have ended.
#include "prediction/coupling_graph.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace cpl_lb {

double Constituent::computing_s() const {
    return std::accumulate(points.begin(), points.end(), last_s,
                           [](double sum, const SyncPoint &point) { return sum + point.computing_s; });
}

CouplingGraph::CouplingGraph(const std::vector<Constituent> &constituents) {
    first_.push_back(0);
    for (const Constituent &c : constituents) {
        names_.push_back(c.name);
        computing_.push_back(c.computing_s());
        decides_end_.push_back(c.decides_end);
        whole_end_s_.push_back(c.whole_end_s);
        first_.push_back(first_.back() + c.points.size() + 1);
    }
    for (std::size_t c = 0; c < constituents.size(); ++c) {
        for (const SyncPoint &point : constituents[c].points) {
            seconds_.push_back(point.computing_s);
            for (const PointPlace &peer : point.waits_for) {
                if (peer.component >= constituents.size() || peer.point >= constituents[peer.component].points.size())
                    throw PredictionError(constituents[c].name + " waits for a point that is not there");
                peers_.push_back(static_cast<std::uint32_t>(flat(peer)));
            }
            peers_end_.push_back(static_cast<std::uint32_t>(peers_.size()));
        }
        seconds_.push_back(constituents[c].last_s);
        peers_end_.push_back(static_cast<std::uint32_t>(peers_.size()));
        owner_.insert(owner_.end(), constituents[c].points.size() + 1, static_cast<std::uint32_t>(c));
    }
    if (std::ranges::find(decides_end_, true) == decides_end_.end()) decides_end_.assign(components(), true);
    settle_order(constituents);
}

// A point can be left once all components that it waits for have left their previous points. This does not depend on
// any time, so one order serves all factors. Each component goes on until it has to wait for another one, which wakes
// it when it arrives there, so no component is checked in vain.
void CouplingGraph::settle_order(const std::vector<Constituent> &constituents) {
    using Sleeper = std::pair<std::size_t, std::size_t>; // the flat place for which it waits, and its component
    using Sleepers = std::priority_queue<Sleeper, std::vector<Sleeper>, std::greater<>>;
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    std::vector<std::size_t> asked(components()); // of the peers of its next place
    for (std::size_t c = 0; c < components(); ++c)
        asked[c] = next[c] == 0 ? 0 : peers_end_[next[c] - 1];
    std::vector<Sleepers> sleepers(components()); // by the component for which they wait
    std::vector<std::size_t> awake(components());
    std::iota(awake.rbegin(), awake.rend(), std::size_t{0});
    const auto ready = [&](std::size_t c) {
        for (; asked[c] < peers_end_[next[c]]; ++asked[c]) {
            const std::size_t peer = peers_[asked[c]];
            if (peer <= next[owner_[peer]]) continue;
            sleepers[owner_[peer]].emplace(peer, c);
            return false;
        }
        return true;
    };
    order_.reserve(seconds_.size());
    while (!awake.empty()) {
        const std::size_t c = awake.back();
        awake.pop_back();
        for (; next[c] < first_[c + 1] && ready(c); ++next[c])
            order_.push_back(static_cast<std::uint32_t>(next[c]));
        for (Sleepers &mine = sleepers[c]; !mine.empty() && mine.top().first <= next[c]; mine.pop())
            awake.push_back(mine.top().second);
    }
    if (order_.size() == seconds_.size()) return;
    std::string stuck;
    for (std::size_t c = 0; c < constituents.size(); ++c)
        if (next[c] < first_[c + 1]) stuck += (stuck.empty() ? "" : ", ") + names_[c];
    throw PredictionError(stuck + " wait for each other in a ring: such a model never ends");
}

Schedule CouplingGraph::schedule(const std::vector<double> &factors) const {
    Schedule result;
    result.leave_s.resize(seconds_.size());
    for (const std::size_t at : order_) {
        double leave = arrival(at, result.leave_s, factors);
        for (std::size_t p = at == 0 ? 0 : peers_end_[at - 1]; p < peers_end_[at]; ++p)
            leave = std::max(leave, arrival(peers_[p], result.leave_s, factors));
        result.leave_s[at] = leave;
    }
    for (std::size_t c = 0; c < components(); ++c)
        if (decides_end_[c]) result.length_s = std::max(result.length_s, result.leave_s[first_[c + 1] - 1]);
    return result;
}

// The place at which the path ends.
std::size_t CouplingGraph::last_end(const Schedule &schedule, double same) const {
    std::size_t last = points();
    double longest_way = 0;
    for (std::size_t c = 0; c < components(); ++c) {
        const std::size_t end = first_[c + 1] - 1;
        if (!decides_end_[c] || schedule.leave_s[end] < schedule.length_s * (1 - same)) continue;
        const bool longer = last == points() || whole_end_s_[c] > longest_way ||
                            (whole_end_s_[c] == longest_way && schedule.leave_s[end] > schedule.leave_s[last]);
        if (!longer) continue;
        last = end;
        longest_way = whole_end_s_[c];
    }
    return last;
}

CriticalPath CouplingGraph::critical_path(const Schedule &schedule, const std::vector<double> &factors,
                                          std::vector<std::size_t> *places, double same) const {
    return path_to(last_end(schedule, same), schedule, factors, places);
}

CriticalPath CouplingGraph::path_to(std::size_t at, const Schedule &schedule, const std::vector<double> &factors,
                                    std::vector<std::size_t> *places) const {
    CriticalPath path;
    path.seconds.resize(components());
    while (true) {
        // The last to arrive decides when this point is left. If several arrive together, it is the component itself.
        std::size_t last = at;
        for (std::size_t p = at == 0 ? 0 : peers_end_[at - 1]; p < peers_end_[at]; ++p)
            if (arrival(peers_[p], schedule.leave_s, factors) > arrival(last, schedule.leave_s, factors))
                last = peers_[p];
        if (last != at) ++path.hops;
        if (places != nullptr) places->push_back(last);
        const std::uint32_t owner = owner_[last];
        path.seconds[owner] += seconds_[last] * factors[owner];
        if (last == first_[owner]) return path;
        at = last - 1;
    }
}

std::vector<double> CouplingGraph::factors_of(const std::vector<double> &computing_s) const {
    std::vector<double> factors(computing_s);
    for (std::size_t c = 0; c < factors.size(); ++c)
        factors[c] = computing_[c] > 0 ? factors[c] / computing_[c] : 1;
    return factors;
}

std::vector<double> CouplingGraph::path_shares(const std::vector<double> &computing_s) const {
    const std::vector<double> factors = factors_of(computing_s);
    std::vector<double> shares = critical_path(schedule(factors), factors, nullptr, 0).seconds;
    for (std::size_t c = 0; c < shares.size(); ++c)
        shares[c] = shares[c] > 0 ? shares[c] / computing_s[c] : 0;
    return shares;
}

} // namespace cpl_lb
