// Which GPUs each component uses, by the drivers, else by the environment of its processes, else by the user; and its
// sockets.
#include "run/live/gpus_gather.hpp"

#include "run/live/unite.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cpl_lb {
namespace {

void unite(std::vector<std::string> &mine, const std::vector<std::string> &theirs) {
    std::set<std::string> all(mine.begin(), mine.end());
    all.insert(theirs.begin(), theirs.end());
    mine.assign(all.begin(), all.end());
}

// A GPU: its node, and its UUID, or a name of its own there.
using Place = std::pair<std::int32_t, std::string>;

// What is known about a component.
struct Found {
    std::set<Place> gpus;
    std::set<std::string> from;
    std::string why_not; // empty: `gpus` are all
};

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
        const auto at =
            std::ranges::find_if(node.gpus, [&](const GpuOfNode &g) { return g.gpu.uuid.starts_with(name); });
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

void add_given(std::int32_t node, std::int64_t given, const GpusOfNode &gpus, Found &found) {
    const bool all = gpus.gpus.size() == static_cast<std::size_t>(given) && are_alike(gpus);
    for (std::int64_t i = 0; i < given; ++i)
        found.gpus.emplace(node, all ? gpus.gpus[static_cast<std::size_t>(i)].gpu.uuid : fmt::format("given {}", i));
    found.from.insert("nn_gpus");
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
        add_given(use.node, given, node, found);
    } else {
        found.why_not = say(Sentence::gpus_not_told);
    }
}

const GpuOfNode *gpu_at(const Place &place, const std::vector<GpusOfNode> &nodes) {
    for (const GpuOfNode &g : nodes[static_cast<std::size_t>(place.first)].gpus)
        if (g.gpu.uuid == place.second) return &g;
    return nullptr;
}

std::string kind_of(const std::set<Place> &places, const std::vector<GpusOfNode> &nodes) {
    std::set<std::string> kinds;
    for (const Place &place : places) {
        const GpusOfNode &node = nodes[static_cast<std::size_t>(place.first)];
        const GpuOfNode *gpu = gpu_at(place, nodes);
        if (gpu == nullptr && !node.gpus.empty() && are_alike(node)) gpu = &node.gpus.front();
        kinds.insert(gpu != nullptr ? gpu->gpu.kind : "");
    }
    if (kinds.empty() || kinds.contains("")) return "";
    return kinds.size() == 1 ? *kinds.begin() : "several kinds";
}

// The means over its GPUs, if they are known of all.
void enter_shares(const std::set<Place> &places, std::int32_t component, const std::vector<GpusOfNode> &nodes,
                  ComponentGpus &gpus) {
    Spread busy, clock;
    for (const Place &place : places) {
        const GpuOfNode *gpu = gpu_at(place, nodes);
        const GpuInLoop *loop = nullptr;
        for (std::size_t i = 0; gpu != nullptr && i < gpu->loops.size(); ++i)
            if (gpu->loops[i].component == component) loop = &gpu->loops[i];
        if (loop == nullptr) {
            gpus.why_missing = say(Sentence::gpu_not_read);
        } else if (!is_known(loop->busy_share)) {
            gpus.why_missing = loop->why_missing;
        } else {
            busy.add(loop->busy_share);
            clock.add(loop->clock_share);
        }
    }
    const auto all = static_cast<std::int64_t>(places.size());
    if (busy.count == all) gpus.busy_share = busy.mean();
    if (clock.count == all) gpus.clock_share = clock.mean();
}

ComponentGpus gpus_of(const Found &found, std::int32_t component, const std::vector<GpusOfNode> &nodes) {
    ComponentGpus gpus;
    gpus.why_missing = found.why_not;
    if (!found.why_not.empty()) return gpus;
    gpus.count = static_cast<std::int64_t>(found.gpus.size());
    gpus.from = joined({found.from.begin(), found.from.end()}, ", ");
    gpus.kind = kind_of(found.gpus, nodes);
    enter_shares(found.gpus, component, nodes, gpus);
    return gpus;
}

std::vector<std::int32_t> sharers_of(std::int32_t component, const std::map<std::int32_t, Found> &all) {
    std::vector<std::int32_t> sharers;
    const std::set<Place> &mine = all.at(component).gpus;
    for (const auto &[other, found] : all) {
        const bool shares =
            other != component && std::ranges::any_of(found.gpus, [&](const Place &p) { return mine.contains(p); });
        if (shares) sharers.push_back(other);
    }
    return sharers;
}

// GPUs of the job on a node by the batch system's list of them; -1: there is none, or variables of a process say
// less.
std::int64_t gpus_of_job(std::int32_t node, const std::vector<GpuUse> &uses) {
    const std::vector<std::string> only = {"PBS_GPUFILE"};
    std::int64_t count = -1;
    for (const GpuUse &use : uses)
        if (use.node == node && use.visible_from == only)
            count = std::max(count, static_cast<std::int64_t>(use.visible.size()));
    return count;
}

// Also GPUs that a process uses and the node's leader does not see: a batch system may hide them from it.
void enter_nodes(const std::vector<GpusOfNode> &nodes, const std::vector<GpuUse> &uses, std::int64_t given,
                 CoupledRun &run) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        NodeMeters &node = run.meters.nodes[i];
        const std::int64_t told = given >= 0 ? given : gpus_of_job(static_cast<std::int32_t>(i), uses);
        node.gpus_known = nodes[i].known || told >= 0;
        for (const GpuOfNode &g : nodes[i].gpus)
            node.gpus.push_back(g.gpu);
        for (const GpuUse &use : uses) {
            if (use.node != static_cast<std::int32_t>(i)) continue;
            for (const std::string &uuid : use.uuids) {
                const bool listed =
                    std::ranges::any_of(node.gpus, [&](const NodeGpu &gpu) { return gpu.uuid == uuid; });
                if (!listed) node.gpus.push_back({"", uuid});
            }
        }
        if (!nodes[i].known && told > static_cast<std::int64_t>(node.gpus.size()))
            node.gpus.resize(static_cast<std::size_t>(told));
    }
}

} // namespace

GpuUse use_of(std::int32_t component, std::int32_t node, const ProcessGpus &gpus) {
    GpuUse use;
    use.component = component;
    use.node = node;
    use.uuids = gpus.uuids;
    (gpus.told ? use.told : use.not_told) = 1;
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
    unite_lists(mine, theirs, key, [](GpuUse &m, const GpuUse &t) {
        m.told += t.told;
        m.not_told += t.not_told;
        unite(m.uuids, t.uuids);
        unite(m.visible, t.visible);
        unite(m.visible_from, t.visible_from);
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
        add_use(use, nodes[static_cast<std::size_t>(use.node)], given, all[use.component]);
    for (Component &c : run.components) {
        if (!all.contains(c.id)) {
            c.gpus.why_missing = say(Sentence::gpus_not_asked);
            continue;
        }
        c.gpus = gpus_of(all.at(c.id), c.id, nodes);
        c.gpus.shared_with = sharers_of(c.id, all);
    }
}

void unite(std::vector<ToldSockets> &mine, const std::vector<ToldSockets> &theirs) {
    const auto key = [](const ToldSockets &t) { return std::tie(t.component, t.node, t.sockets); };
    unite_lists(mine, theirs, key, [](ToldSockets &m, const ToldSockets &t) { m.processes += t.processes; });
}

void enter_sockets(std::vector<ToldSockets> told, CoupledRun &run) {
    std::ranges::sort(told, {}, [](const ToldSockets &t) { return std::tie(t.node, t.sockets); });
    for (Component &c : run.components) {
        c.sockets = {{}, say(Sentence::gpus_not_asked)};
        bool asked = false;
        for (ToldSockets &one : told) {
            if (one.component != c.id) continue;
            if (!asked) c.sockets.why_missing.clear();
            asked = true;
            if (one.sockets.empty())
                c.sockets.why_missing = say(Sentence::sockets_not_told);
            else
                c.sockets.places.push_back({one.node, std::move(one.sockets), one.processes});
        }
    }
}

} // namespace cpl_lb
