// Which GPUs each component uses, by the drivers, else by the environment of its processes, else by the user.
#include "run/live/gpus_gather.hpp"

#include "run/live/unite.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace cpl_lb {
namespace {

// A GPU: its node, and its UUID, or a name of its own there.
using Place = std::pair<std::int32_t, std::string>;
using Nodes = std::vector<GpusOfNode>;

// What is known about a component.
struct Found {
    std::set<Place> gpus;
    std::set<std::string> from;
    std::string why_not; // empty: `gpus` are all
};

const GpusOfNode &node_at(std::int32_t node, const Nodes &nodes) {
    return nodes[static_cast<std::size_t>(node)];
}

bool is_uuid(const std::string &name) {
    return name.starts_with("GPU-") || name.starts_with("MIG-");
}

// Numbers in CUDA's order are numbers in the driver's order if all GPUs are alike.
bool are_alike(const GpusOfNode &node) {
    return std::ranges::all_of(node.gpus, [&](const GpuOfNode &g) {
        return g.gpu.kind == node.gpus.front().gpu.kind && !g.gpu.uuid.empty();
    });
}

// The GPU that the environment calls so: UUIDs may be cut, numbers count from 0.
std::string known_name(const std::string &name, const GpusOfNode &node) {
    if (is_uuid(name)) {
        const auto at = std::ranges::find_if(node.gpus, [&](auto &g) { return g.gpu.uuid.starts_with(name); });
        return at == node.gpus.end() ? name : at->gpu.uuid;
    }
    const auto number = static_cast<std::size_t>(std::stoul(name));
    return number < node.gpus.size() && are_alike(node) ? node.gpus[number].gpu.uuid : "number " + name;
}

// If a process may use all GPUs of its node, as by default, this tells nothing. If each process is given some of
// them, all of these are used.
bool says_something(const GpuUse &use, const GpusOfNode &node) {
    if (use.silent > 0 || use.visible.empty()) return false;
    return use.of_job || !node.known || is_uuid(use.visible.front()) ||
           use.most_visible < static_cast<std::int64_t>(node.gpus.size());
}

void add_use(const GpuUse &use, const GpusOfNode &node, std::int64_t given, Found &found) {
    for (const std::string &uuid : use.uuids)
        found.gpus.emplace(use.node, uuid);
    const bool none_here = node.known && node.gpus.empty();
    if (use.told > 0 || !use.uuids.empty() || none_here) found.from.insert("the driver");
    if (use.not_told == 0 || none_here) return;
    if (says_something(use, node)) {
        for (const std::string &name : use.visible)
            found.gpus.emplace(use.node, known_name(name, node));
        found.from.insert(use.visible_from.begin(), use.visible_from.end());
    } else if (given >= 0) {
        const bool all = node.gpus.size() == static_cast<std::size_t>(given) && are_alike(node);
        for (std::size_t i = 0; std::cmp_less(i, given); ++i)
            found.gpus.emplace(use.node, all ? node.gpus[i].gpu.uuid : fmt::format("given {}", i));
        found.from.insert("nn_gpus");
    } else {
        found.why_not = say(Sentence::gpus_not_told);
    }
}

// Null: the node's first process does not see it.
const GpuOfNode *gpu_at(const Place &place, const Nodes &nodes) {
    const std::vector<GpuOfNode> &gpus = node_at(place.first, nodes).gpus;
    const auto at = std::ranges::find_if(gpus, [&](const GpuOfNode &g) { return g.gpu.uuid == place.second; });
    return at == gpus.end() ? nullptr : &*at;
}

std::string kind_of(const std::set<Place> &places, const Nodes &nodes) {
    std::set<std::string> kinds;
    for (const Place &place : places) {
        const GpusOfNode &node = node_at(place.first, nodes);
        const GpuOfNode *gpu = gpu_at(place, nodes);
        if (gpu == nullptr && !node.gpus.empty() && are_alike(node)) gpu = &node.gpus.front();
        kinds.insert(gpu != nullptr ? gpu->gpu.kind : "");
    }
    if (kinds.empty() || kinds.contains("")) return "";
    return kinds.size() == 1 ? *kinds.begin() : "several kinds";
}

// The shares are means over its GPUs, if they are known of all.
ComponentGpus gpus_of(const Found &found, std::int32_t component, const Nodes &nodes) {
    ComponentGpus gpus;
    gpus.why_missing = found.why_not;
    if (!found.why_not.empty()) return gpus;
    gpus.count = static_cast<std::int64_t>(found.gpus.size());
    gpus.from = joined({found.from.begin(), found.from.end()}, ", ");
    gpus.kind = kind_of(found.gpus, nodes);
    Spread busy, clock;
    for (const Place &place : found.gpus) {
        const GpuOfNode *gpu = gpu_at(place, nodes);
        const std::vector<GpuInLoop> none, &loops = gpu != nullptr ? gpu->loops : none;
        const auto loop = std::ranges::find(loops, component, &GpuInLoop::component);
        if (loop != loops.end() && is_known(loop->busy_share)) {
            busy.add(loop->busy_share);
            clock.add(loop->clock_share);
        } else {
            gpus.why_missing = loop == loops.end() ? say(Sentence::gpu_not_read) : loop->why_missing;
        }
    }
    if (busy.count == gpus.count) gpus.busy_share = busy.mean();
    if (clock.count == gpus.count) gpus.clock_share = clock.mean();
    return gpus;
}

// Also GPUs that a process uses and the node's leader does not see: a batch system may hide them from it.
void enter_nodes(const Nodes &nodes, const std::vector<GpuUse> &uses, std::int64_t given, CoupledRun &run) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        run.meters.nodes[i].gpus_known = nodes[i].known || given >= 0;
        for (const GpuOfNode &g : nodes[i].gpus)
            run.meters.nodes[i].gpus.push_back(g.gpu);
    }
    for (const GpuUse &use : uses) {
        std::vector<NodeGpu> &gpus = run.meters.nodes[static_cast<std::size_t>(use.node)].gpus;
        for (const std::string &uuid : use.uuids)
            if (std::ranges::find(gpus, uuid, &NodeGpu::uuid) == gpus.end()) gpus.push_back({"", uuid});
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<NodeGpu> &gpus = run.meters.nodes[i].gpus;
        if (!nodes[i].known && std::cmp_greater(given, gpus.size())) gpus.resize(static_cast<std::size_t>(given));
    }
}

} // namespace

GpuUse use_of(std::int32_t component, std::int32_t node, const ProcessGpus &gpus) {
    GpuUse use{.component = component, .node = node, .told = gpus.told ? 1 : 0, .not_told = gpus.told ? 0 : 1};
    use.uuids = gpus.uuids;
    if (gpus.told) return use;
    use.visible = gpus.visible;
    if (!gpus.visible.empty()) use.visible_from.push_back(gpus.visible_from);
    use.most_visible = static_cast<std::int64_t>(gpus.visible.size());
    use.silent = gpus.visible.empty() ? 1 : 0;
    use.of_job = gpus.of_job;
    return use;
}

void unite(std::vector<GpuUse> &mine, const std::vector<GpuUse> &theirs) {
    const auto key = [](const GpuUse &use) { return std::tie(use.component, use.node); };
    const auto join = [](auto &m, const auto &t) { unite_lists(m, t, std::identity(), [](auto &, auto &) {}); };
    unite_lists(mine, theirs, key, [&](GpuUse &m, const GpuUse &t) {
        m.told += t.told;
        m.not_told += t.not_told;
        join(m.uuids, t.uuids);
        join(m.visible, t.visible);
        join(m.visible_from, t.visible_from);
        m.most_visible = std::max(m.most_visible, t.most_visible);
        m.silent += t.silent;
        m.of_job = m.of_job || t.of_job;
    });
}

void enter_gpus(const std::vector<GpusOfNode> &nodes, const std::vector<GpuUse> &uses, std::int64_t given,
                CoupledRun &run) {
    enter_nodes(nodes, uses, given, run);
    std::map<std::int32_t, Found> all;
    for (const GpuUse &use : uses)
        add_use(use, node_at(use.node, nodes), given, all[use.component]);
    for (Component &c : run.components)
        c.gpus.why_missing = say(Sentence::gpus_not_asked);
    for (const auto &[id, found] : all) {
        const auto c = std::ranges::find(run.components, id, &Component::id);
        if (c == run.components.end()) continue;
        c->gpus = gpus_of(found, id, nodes);
        for (const auto &[other, of_it] : all) {
            const auto is_mine = [&mine = found.gpus](const Place &p) { return mine.contains(p); };
            if (other != id && std::ranges::any_of(of_it.gpus, is_mine)) c->gpus.shared_with.push_back(other);
        }
    }
}

} // namespace cpl_lb
