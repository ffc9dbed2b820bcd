// Shows which processes are on which node, for the page's picture. Nodes that are alike are shown together.
#include "analysis/run_cost.hpp"
#include "page/page_json.hpp"
#include "support/node_names.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_kinds = 60;
constexpr std::size_t most_ranges = 200; // of names of nodes that are alike

// Components on a node, by place in the run, and how many processes of each; negative: not known.
using OnNode = std::map<std::size_t, std::int64_t>;

struct NodeName {
    std::string_view letters, digits; // "nid0042": "nid" and "0042"
    std::int64_t number = -1;

    explicit NodeName(std::string_view name) {
        const std::size_t end = name.find_last_not_of("0123456789") + 1; // 0 where all are digits
        letters = name.substr(0, end);
        digits = name.substr(end);
        number = number_of_digits(digits);
    }
    [[nodiscard]] bool follows(const NodeName &before) const {
        return number >= 0 && before.number >= 0 && number == before.number + 1 && letters == before.letters &&
               digits.size() == before.digits.size();
    }
};

// Checks the range, because a file may hold any number.
bool places_known(const CoupledRun &run, const Component &c) {
    if (c.on_nodes.empty()) return c.nodes == 1 && run.clock.nodes == 1;
    const auto nodes = static_cast<std::int64_t>(std::max<std::size_t>(run.meters.nodes.size(), 1));
    return std::all_of(c.on_nodes.begin(), c.on_nodes.end(),
                       [nodes](std::int32_t place) { return place >= 0 && place < nodes; });
}

std::vector<OnNode> processes_of_nodes(const CoupledRun &run) {
    std::vector<OnNode> nodes(std::max<std::size_t>(run.meters.nodes.size(), 1));
    const auto at = [&](std::int32_t place) -> OnNode & { return nodes[static_cast<std::size_t>(place)]; };
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const Component &c = run.components[i];
        if (!places_known(run, c)) continue;
        const auto all = static_cast<std::int64_t>(c.ranks.size());
        if (c.on_nodes.size() <= 1) {
            at(c.on_nodes.empty() ? 0 : c.on_nodes.front())[i] = all;
            continue;
        }
        const bool counted = counted_on_nodes(c);
        for (std::size_t k = 0; k < c.on_nodes.size(); ++k)
            at(c.on_nodes[k])[i] = counted ? c.processes_on_nodes[k] : -1;
    }
    const bool all_known = std::all_of(run.components.begin(), run.components.end(),
                                       [&](const Component &c) { return places_known(run, c); });
    // Files of older versions lack these counts; on a node with one component the node's number is its count.
    for (std::size_t n = 0; n < std::min(nodes.size(), run.meters.nodes.size()); ++n)
        if (nodes[n].size() == 1 && nodes[n].begin()->second < 0 && run.meters.nodes[n].processes > 0 && all_known)
            nodes[n].begin()->second = run.meters.nodes[n].processes;
    return nodes;
}

// Nodes that are alike: components on them, kind, GPUs and cores without a process (negative: not known).
struct NodeKind {
    OnNode of;
    std::string kind;
    std::vector<std::string> gpus; // their kinds
    std::int64_t idle_cores = -1;
    std::vector<std::size_t> nodes;
};

NodeKind kind_of(const CoupledRun &run, const OnNode &of, std::size_t n) {
    NodeKind kind{of, {}, {}, -1, {}};
    if (n >= run.meters.nodes.size()) return kind;
    const NodeMeters &node = run.meters.nodes[n];
    kind.kind = node.kind;
    for (const NodeGpu &gpu : node.gpus)
        kind.gpus.push_back(gpu.kind.empty() ? "GPU" : gpu.kind);
    if (node.installed_cores > 0) kind.idle_cores = std::max(node.installed_cores - node.cores, 0);
    return kind;
}

// The kinds in the order of their first node.
std::vector<NodeKind> kinds_of(const CoupledRun &run, const std::vector<OnNode> &nodes) {
    using Alike = std::tuple<OnNode, std::string, std::vector<std::string>, std::int64_t>;
    std::vector<NodeKind> kinds;
    std::map<Alike, std::size_t> places;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (nodes[n].empty()) continue; // of a component that is not known
        NodeKind kind = kind_of(run, nodes[n], n);
        const auto [found, is_new] =
            places.emplace(Alike{kind.of, kind.kind, kind.gpus, kind.idle_cores}, kinds.size());
        if (is_new) kinds.push_back(std::move(kind));
        kinds[found->second].nodes.push_back(n);
    }
    return kinds;
}

JsonTree json_of(const CoupledRun &run, const NodeKind &kind) {
    std::vector<std::string> names;
    for (const std::size_t n : kind.nodes)
        if (n < run.meters.nodes.size() && !run.meters.nodes[n].name.empty())
            names.push_back(run.meters.nodes[n].name);
    const std::vector<std::string> ranges = ranges_of_names(names);
    const std::size_t shown = std::min(ranges.size(), most_ranges);
    JsonTree json = {
        {"count", kind.nodes.size()},
        {"names", std::vector<std::string>(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(shown))},
        {"names_left_out", ranges.size() - shown},
        {"kind", JsonTree::text(kind.kind)},
        {"gpus", kind.gpus},
        {"idle_cores", kind.idle_cores < 0 ? JsonTree(nullptr) : JsonTree(kind.idle_cores)},
        {"of", JsonTree::array()}};
    for (const auto &[component, processes] : kind.of) {
        JsonTree pair = JsonTree::array();
        pair.push_back(component);
        pair.push_back(processes < 0 ? JsonTree() : JsonTree(processes));
        json["of"].push_back(std::move(pair));
    }
    return json;
}

// True if the components together have more processes than the run: some processes run several in turn.
bool in_turn(const CoupledRun &run) {
    std::int64_t processes = 0;
    for (const Component &c : run.components)
        processes += static_cast<std::int64_t>(c.ranks.size());
    return processes > run.run.processes && run.run.processes > 0;
}

std::int64_t unassigned_cores(const CoupledRun &run) {
    std::int64_t cores = run.run.cores;
    for (const Component &c : run.components)
        cores -= c.cores();
    return std::max<std::int64_t>(cores, 0);
}

} // namespace

std::vector<std::string> ranges_of_names(const std::vector<std::string> &names) {
    std::vector<std::string> ranges;
    for (std::size_t first = 0, end; first < names.size(); first = end) {
        end = first + 1;
        while (end < names.size() && NodeName(names[end]).follows(NodeName(names[end - 1])))
            ++end;
        if (end - first < 3) end = first + 1;
        ranges.push_back(end == first + 1 ? names[first] : names[first] + " to " + names[end - 1]);
    }
    return ranges;
}

JsonTree layout_json(const CoupledRun &run) {
    const std::vector<NodeKind> kinds = kinds_of(run, processes_of_nodes(run));
    JsonTree json = {{"why_not", nullptr}, {"kinds", JsonTree::array()}, {"without", JsonTree::array()}};
    if (kinds.empty()) {
        json["why_not"] = run.from_timers() ? "the timers do not tell on which nodes the processes were"
                                            : "the files of this run do not tell on which nodes its processes were";
        return json;
    }
    std::size_t nodes_left_out = 0;
    bool not_counted = false;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (k >= most_kinds)
            nodes_left_out += kinds[k].nodes.size();
        else
            json["kinds"].push_back(json_of(run, kinds[k]));
        not_counted = not_counted || std::any_of(kinds[k].of.begin(), kinds[k].of.end(),
                                                 [](const auto &one) { return one.second < 0; });
    }
    for (const Component &c : run.components)
        if (!places_known(run, c)) json["without"].push_back(c.name);
    json["nodes_left_out"] = nodes_left_out;
    json["not_counted"] = not_counted;
    json["in_turn"] = in_turn(run);
    json["unassigned_cores"] = in_turn(run) ? 0 : unassigned_cores(run);
    return json;
}

} // namespace cpl_lb
