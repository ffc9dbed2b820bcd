// Estimates the clocks of nodes from the ends of collective phases, robustly: medians of medians.
#include "run/imported/esmf_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

// A phase that may be collective: when its first process left it, on each node that took part.
struct CommonEnd {
    std::vector<std::pair<std::size_t, Nanoseconds>> ends; // node, time by its clock
    Nanoseconds when = absent;                             // by the clock of the first node, as estimated
};

struct Ends {
    Nanoseconds last_enter = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds first_exit = std::numeric_limits<Nanoseconds>::max();
};
using EndsOfNodes = std::map<std::size_t, Ends>;
// Key: the names of the phases around the call, its own name, and the number of earlier calls.
using EndsOfCalls = std::map<std::pair<std::string, std::uint32_t>, EndsOfNodes>;

// Deeper phases are the models' own: they are not called by all.
constexpr std::uint32_t deepest = 2;

void add_stream(const EsmfStream &stream, std::size_t node, EndsOfCalls &all) {
    std::vector<std::string> paths;
    for (const EsmfRegion &r : stream.regions)
        paths.push_back((r.parent == EsmfRegion::none ? std::string() : paths[r.parent] + "/") + r.name);
    std::vector<std::uint32_t> calls(paths.size());
    for (const EsmfCall &c : stream.calls) {
        const EsmfRegion &region = stream.regions[c.region];
        const std::uint32_t before = calls[c.region]++;
        if (region.method != EsmfMethod::init || region.depth > deepest || c.exit == absent) continue;
        Ends &ends = all[{paths[c.region], before}][node];
        ends.last_enter = std::max(ends.last_enter, c.enter);
        ends.first_exit = std::min(ends.first_exit, c.exit);
    }
}

// The common ends of calls on several nodes. Only calls count in which no process left before the last one of its
// node had come; other calls are not collective.
std::vector<CommonEnd> common_ends(const EndsOfCalls &all) {
    std::vector<CommonEnd> common;
    for (const auto &[call, nodes] : all) {
        const auto is_together = [](const auto &n) { return n.second.first_exit >= n.second.last_enter; };
        if (nodes.size() < 2 || !std::ranges::all_of(nodes, is_together)) continue;
        CommonEnd end;
        for (const auto &[node, ends] : nodes)
            end.ends.emplace_back(node, ends.first_exit);
        common.push_back(std::move(end));
    }
    return common;
}

// Clocks that began with their machines differ by years at most. Damaged times must not add up from node to node.
Nanoseconds limited(Nanoseconds ahead) {
    constexpr Nanoseconds most = latest_esmf_time / 3 * 2;
    return std::clamp(ahead, -most, most);
}

// The median; for an even number of values the mean of the two in the middle.
Nanoseconds median(std::vector<Nanoseconds> &values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0) return *middle;
    const Nanoseconds below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2;
}

// How far the clock of each node is ahead of that of the first; absent: not known yet.
using Ahead = std::vector<Nanoseconds>;

void place(CommonEnd &c, const Ahead &ahead) {
    std::vector<Nanoseconds> when;
    for (const auto &[node, time] : c.ends)
        if (ahead[node] != absent) when.push_back(time - ahead[node]);
    c.when = when.empty() ? absent : std::clamp(median(when), -latest_esmf_time, latest_esmf_time);
}

// Goes from node to node through their common ends.
void spread(std::vector<CommonEnd> &common, Ahead &ahead) {
    for (bool changed = true; changed;) {
        changed = false;
        for (CommonEnd &c : common) {
            place(c, ahead);
            if (c.when == absent) continue;
            for (const auto &[node, time] : c.ends) {
                if (ahead[node] != absent) continue;
                ahead[node] = limited(time - c.when);
                changed = true;
            }
        }
    }
}

void improve(std::vector<CommonEnd> &common, Ahead &ahead) {
    constexpr int rounds = 30;
    for (int i = 0; i < rounds; ++i) {
        std::vector<std::vector<Nanoseconds>> seen(ahead.size());
        for (CommonEnd &c : common) {
            place(c, ahead);
            if (c.when == absent) continue;
            for (const auto &[node, time] : c.ends)
                seen[node].push_back(time - c.when);
        }
        for (std::size_t n = 0; n < ahead.size(); ++n)
            if (!seen[n].empty()) ahead[n] = limited(median(seen[n]));
        const Nanoseconds first = ahead[0];
        for (Nanoseconds &a : ahead)
            if (a != absent) a = limited(a - first);
    }
}

// How far each node's end of `c` is from that of the others, by the present estimate.
std::vector<Nanoseconds> off(const CommonEnd &c, const Ahead &ahead) {
    std::vector<Nanoseconds> off;
    for (const auto &[node, time] : c.ends)
        off.push_back(std::abs(time - c.when - ahead[node]));
    return off;
}

// Phases that only look collective end on some nodes long before they end on others.
void leave_out_loose_ends(const Ahead &ahead, std::vector<CommonEnd> &common) {
    const auto spread_of = [&](const CommonEnd &c) { return std::ranges::max(off(c, ahead)); };
    std::vector<Nanoseconds> spreads;
    spreads.reserve(common.size());
    for (const CommonEnd &c : common)
        spreads.push_back(spread_of(c));
    constexpr Nanoseconds least = 10'000; // what a message takes
    const Nanoseconds usual = std::max(median(spreads), least);
    std::erase_if(common, [&](const CommonEnd &c) { return spread_of(c) / 3 > usual; });
}

// 95 of 100 ends are not further off.
double bound_of(const Ahead &ahead, const std::vector<CommonEnd> &common) {
    std::vector<Nanoseconds> all;
    for (const CommonEnd &c : common) {
        const std::vector<Nanoseconds> its = off(c, ahead);
        all.insert(all.end(), its.begin(), its.end());
    }
    if (all.empty()) return unknown;
    const auto at = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) * 95 / 100);
    std::nth_element(all.begin(), at, all.end());
    return to_seconds(*at);
}

} // namespace

NodeClocks compare_node_clocks(const std::vector<EsmfStream> &streams) {
    NodeClocks clocks;
    std::vector<std::string> names;
    std::map<std::string, std::size_t> places;
    EndsOfCalls calls;
    for (const EsmfStream &s : streams) {
        const auto [found, is_new] = places.try_emplace(s.node, names.size());
        if (is_new) names.push_back(s.node);
        add_stream(s, found->second, calls);
    }
    std::vector<CommonEnd> common = common_ends(calls);
    Ahead ahead(std::max<std::size_t>(names.size(), 1), absent);
    ahead[0] = 0;
    spread(common, ahead);
    // Ends that no chain connects with the first node are useless.
    std::erase_if(common, [](const CommonEnd &c) { return c.when == absent; });
    improve(common, ahead);
    for (int i = 0; i < 2 && !common.empty(); ++i) {
        leave_out_loose_ends(ahead, common);
        improve(common, ahead);
    }
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (ahead[n] == absent) clocks.not_known.push_back(names[n]);
        clocks.ahead[names[n]] = ahead[n] == absent ? 0 : ahead[n];
    }
    clocks.common_ends = std::ssize(common);
    if (names.size() < 2)
        clocks.error_bound_s = 0;
    else if (clocks.not_known.empty())
        clocks.error_bound_s = bound_of(ahead, common);
    return clocks;
}

} // namespace cpl_lb
