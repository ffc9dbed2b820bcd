// Finds the driver among the components of a trace, and its children on one PET.
#include "run/imported/esmf_tree.hpp"

#include "run/imported/esmf_names.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cpl_lb {
namespace {

std::string component_of(const EsmfRegion &region) {
    return std::string(phase_name(region.name).component);
}

bool is_child(const EsmfStream &stream, const EsmfRegion &region, const std::string &driver) {
    if (region.parent == EsmfRegion::none) return false;
    return component_of(stream.regions[region.parent]) == driver && component_of(region) != driver;
}

} // namespace

std::string driver_of(const std::vector<EsmfStream> &streams) {
    std::map<std::string, std::int64_t> votes;
    for (const EsmfStream &s : streams) {
        const EsmfRegion *outermost = nullptr;
        for (const EsmfRegion &r : s.regions) {
            if (r.parent == EsmfRegion::none || r.method != EsmfMethod::run) continue;
            const EsmfRegion &around = s.regions[r.parent];
            if (around.method != EsmfMethod::run || !is_connector(component_of(r))) continue;
            if (outermost == nullptr || around.depth < outermost->depth) outermost = &around;
        }
        if (outermost != nullptr) ++votes[component_of(*outermost)];
    }
    const auto fewer = [](const auto &a, const auto &b) { return a.second < b.second; };
    const auto most = std::max_element(votes.begin(), votes.end(), fewer);
    return most == votes.end() ? std::string() : most->first;
}

PetTree pet_tree(const EsmfStream &stream, const std::string &driver) {
    PetTree tree;
    tree.child.assign(stream.regions.size(), -1);
    for (std::size_t i = 0; i < stream.regions.size(); ++i) {
        const EsmfRegion &r = stream.regions[i];
        if (is_child(stream, r, driver)) {
            const EsmfPhaseName name = phase_name(r.name);
            DriverChild child;
            child.component = name.component;
            child.phase = name.phase;
            child.is_connector = is_connector(name.component);
            child.in_run = r.method == EsmfMethod::run && stream.regions[r.parent].method == EsmfMethod::run;
            if (!child.is_connector) tree.components.insert(child.component);
            tree.child[i] = static_cast<std::int32_t>(tree.children.size());
            tree.children.push_back(std::move(child));
        } else if (r.parent != EsmfRegion::none && tree.child[r.parent] >= 0 && r.method == EsmfMethod::run) {
            const DriverChild &around = tree.children[static_cast<std::size_t>(tree.child[r.parent])];
            if (around.in_run && !around.is_connector) tree.inside.emplace(around.component, component_of(r));
        }
    }
    return tree;
}

} // namespace cpl_lb
